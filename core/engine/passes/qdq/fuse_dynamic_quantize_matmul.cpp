// SPDX-License-Identifier: Apache-2.0
//   before:  a, s, z = DynamicQuantizeLinear(x);  y = MatMulIntegerToFloat(a, b, s, b_scale, z,
//            b_zero, bias)
//   after:   y = com.microsoft::DynamicQuantizeMatMul(x, b, b_scale, b_zero, bias)
// Where several products share the quantized x, only when all of them can take x itself: else it
// would be quantized twice.
#include <algorithm>

#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;

namespace {

bool reads_as_a(const Node& node, const Node& source) {
    return node.op_type == "MatMulIntegerToFloat" && node.domain == "com.microsoft" &&
           node.inputs.size() > 4 && node.inputs[0] == source.outputs[0] &&
           node.inputs[1] != source.outputs[0] && node.inputs[2] == source.outputs[1] &&
           node.inputs[4] == source.outputs[2];
}

std::string source_problem(const Scope& scope, const Node& source) {
    if (source.outputs.size() < 3)
        return "A is not used with the scale and zero point that go with it";
    for (const ValueId v : source.outputs) {
        const Value& value = scope.value(v);
        if (value.output_uses > 0 || !value.captured_by.empty())
            return "the quantized input is also a graph output or read by a subgraph";
        for (const Use& use : value.uses)
            if (!reads_as_a(scope.node(use.node), source))
                return "the quantized input is also read by " + scope.node(use.node).describe();
    }
    return {};
}

}  // namespace

PassBody fuse_dynamic_quantize_matmul() {
    const auto a = op("DynamicQuantizeLinear", {any("x")}).named("source");
    const auto product =
        op("com.microsoft::MatMulIntegerToFloat", {a, any("b"), any("a_scale"), any("b_scale")})
            .more_inputs()
            .named("y");
    return {
        .rules = {
            {.pattern = product, .rewrite = [](const Match& m, PassContext& context) {
                 const Node &node = m.node("y"), &source = m.node("source");
                 if (!reads_as_a(node, source))
                     return declined(
                         "the scale or zero point of A is not the one that DynamicQuantizeLinear "
                         "wrote with it");
                 if (std::string p = source_problem(m.scope(), source); !p.empty())
                     return declined(p);
                 const auto input = [&](std::size_t i) {
                     return i < node.inputs.size() ? node.inputs[i] : ValueId{};
                 };
                 std::vector<ValueId> inputs{m.value("x"), m.value("b"), m.value("b_scale"),
                                             input(5), input(6)};
                 while (!inputs.back()) inputs.pop_back();
                 context.replace(m.root(), "com.microsoft::DynamicQuantizeMatMul",
                                 std::move(inputs), {}, m.nodes());
                 return applied(
                     "DynamicQuantizeLinear and MatMulIntegerToFloat became DynamicQuantizeMatMul");
             }}}};
}

}  // namespace lapidary::passes
