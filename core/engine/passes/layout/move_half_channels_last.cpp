// SPDX-License-Identifier: Apache-2.0
//   before:  y = Conv(x, w, b)   f16; or FusedConv with activation and summand
//   after:   y = Transpose(com.microsoft::NhwcFusedConv(Transpose(x), w, b)), transposed to
//            channels last and back
// Only the images change their order, the weight stays [M, C, ...]. Sound because the operator is
// the same on the transposed image. Off by default: only runtimes on CPUs with arithmetic on half
// floats have a kernel; Transposes in between go away in pairs by the passes that move them.
#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;

namespace {

std::vector<std::int64_t> to_last(int rank) {
    std::vector<std::int64_t> permutation{0};
    for (int i = 2; i < rank; ++i) permutation.push_back(i);
    permutation.push_back(1);
    return permutation;
}

std::vector<std::int64_t> to_first(int rank) {
    std::vector<std::int64_t> permutation{0, rank - 1};
    for (int i = 1; i + 1 < rank; ++i) permutation.push_back(i);
    return permutation;
}

std::string dilation_problem(const Subject& s) {
    for (std::int64_t d : s.node->ints_attribute("dilations"))
        if (d != 1)
            return "it is dilated by " + std::to_string(d) +
                   ", convolutions with channels last are not";
    return {};
}

Outcome rewrite(const Match& m, PassContext& context) {
    const Node node = m.node("conv");
    const int rank = m.scope().rank(node.inputs[0]);
    std::vector<ValueId> inputs = node.inputs;
    std::vector<Attribute> attributes = node.attributes;
    inputs[0] = context.node("Transpose", {inputs[0]}, {attr("perm", to_last(rank))});
    if (inputs.size() > 3 && inputs[3])
        inputs[3] = context.node("Transpose", {inputs[3]}, {attr("perm", to_last(rank))});
    const ValueId y = context.node("com.microsoft::NhwcFusedConv", std::move(inputs),
                                   std::move(attributes), node.name);
    context.replace(node.id, "Transpose", {y}, {attr("perm", to_first(rank))}, m.nodes());
    return applied(node.op_type + " became NhwcFusedConv between Transposes");
}

}  // namespace

PassBody move_half_channels_last() {
    const auto conv =
        op("Conv|com.microsoft::FusedConv", {any("x"), any("w")})
            .more_inputs()
            .named("conv")
            .where(
                [](const Subject& s) { return s.scope.dtype(s.node->inputs.at(0)) == DType::f16; },
                "the element type is not f16")
            .require([](const Subject& s) { return s.scope.rank(s.node->inputs.at(0)) >= 3; },
                     "the rank of the input is not known")
            .require(int_attribute_is("group", 1, 1),
                     "it has groups, convolutions with channels last have none")
            .require(dilation_problem);
    return {.rules = {{.pattern = conv, .rewrite = rewrite}}};
}

}  // namespace lapidary::passes
