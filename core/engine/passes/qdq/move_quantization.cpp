// SPDX-License-Identifier: Apache-2.0
//   before:  y = QuantizeLinear(Reshape(x))            after:  y = Reshape(QuantizeLinear(x))
//   before:  y = Reshape(DequantizeLinear(x))          after:  y = DequantizeLinear(Reshape(x))
// Also MaxPool, Slice, Squeeze, Transpose, Unsqueeze: they move or choose elements, which one scale
// commutes with; a scale per channel moves with its axis through Transpose. The operator works on
// smaller integers, and the pair comes to stand beside operators that read or write it. Operators
// with both on their sides are whole units and stay.
#include <algorithm>

#include "passes/padded_window.h"
#include "passes/qdq/node_unit.h"

namespace lapidary::passes {
using namespace pattern;

namespace {

constexpr const char* movers = "MaxPool|Reshape|Slice|Squeeze|Transpose|Unsqueeze";

bool gets_smaller(const Node& node) { return node.op_type == "MaxPool" || node.op_type == "Slice"; }

/// Why the operator cannot run on integers of the type.
std::string integer_problem(const PassContext& context, const Node& node, DType dtype) {
    for (std::size_t i = 1; i < node.outputs.size(); ++i)
        if (node.outputs[i] && !context.graph().value(node.outputs[i]).is_unused())
            return "the second result of " + node.op_type + " is wanted too";
    if (node.op_type != "MaxPool") return {};
    if (context.opset() < 12) return "MaxPool takes integers from opset 12 on";
    return dtype == DType::u8 || dtype == DType::i8 ? std::string()
                                                    : "MaxPool takes integers of 8 bits only";
}

std::string parameter_problem(const Quantization& q) {
    if (!is_integer(q.dtype) || bit_width(q.dtype) > 16)
        return "it quantizes to " + std::string(name_of(q.dtype)) + ", needs 8 or 16 bits";
    if (bit_width(q.dtype) < 8) return "it quantizes to less than 8 bits";
    if (!q.is_constant()) return "its scale or zero point is no constant";
    if (q.block_size != 0) return "it quantizes in blocks";
    for (const double s : to_doubles(*q.scales))
        if (!(s > 0)) return "its scale is not positive";
    return {};
}

/// True if the operator that writes x may become an integer operator once QuantizeLinear follows
/// it.
bool may_become_integer(const Scope& scope, ValueId x) {
    const Node* producer = scope.producer(x);
    return producer && std::ranges::any_of(producer->inputs, [&](ValueId v) {
               return dequantize_of(scope, v).has_value();
           });
}

std::vector<ValueId> with_data(const Node& node, ValueId data) {
    std::vector<ValueId> inputs = node.inputs;
    inputs[0] = data;
    return inputs;
}

Outcome move_up(const Match& m, PassContext& context) {
    const Scope& scope = m.scope();
    const Node &quantize = m.node("q"), &mover = m.node("mover");
    const Quantization q = quantization_of(scope, quantize);
    if (dequantize_of(scope, m.value("x")) || scope.constant(m.value("x"))) return not_concerned();
    if (std::string p = parameter_problem(q); !p.empty())
        return declined("QuantizeLinear stays below " + mover.op_type + ": " + p);
    if (!q.per_tensor())
        return declined("QuantizeLinear stays below " + mover.op_type +
                        ": it has a scale per channel");
    if (std::string p = integer_problem(context, mover, q.dtype); !p.empty())
        return declined("QuantizeLinear stays below: " + p);
    if (gets_smaller(mover) && !may_become_integer(scope, m.value("x")))
        return declined(mover.op_type +
                        " leaves fewer elements to quantize than it reads, and nothing above it "
                        "works on integers");
    const std::string op = mover.op_type;
    const auto attributes = mover.attributes;
    const ValueId x = context.node(quantize.qualified_op(), with_data(quantize, m.value("x")),
                                   quantize.attributes);
    context.replace(m.root(), op, with_data(m.node("mover"), x), attributes, m.nodes());
    return applied("QuantizeLinear moved above " + op);
}

Outcome move_down(const Match& m, PassContext& context) {
    const Scope& scope = m.scope();
    const Node &mover = m.node("mover"), &dequantize = m.node("dq");
    const Quantization q = quantization_of(scope, dequantize);
    const Value& y = scope.value(mover.outputs[0]);
    if (y.read_once() && is_quantize(scope.node(y.uses[0].node))) return not_concerned();
    if (std::string p = parameter_problem(q); !p.empty())
        return declined("DequantizeLinear stays above " + mover.op_type + ": " + p);
    if (std::string p = integer_problem(context, mover, q.dtype); !p.empty())
        return declined("DequantizeLinear stays above: " + p);
    if (mover.op_type == "MaxPool" && may_see_only_padding(mover))
        return declined(
            "DequantizeLinear stays above MaxPool: a window may lie wholly in the padding, where "
            "integers "
            "have no -Inf");
    std::vector<Attribute> attributes = dequantize.attributes;
    if (!q.per_tensor()) {
        if (mover.op_type != "Transpose")
            return declined("DequantizeLinear stays above " + mover.op_type +
                            ": it has a scale per channel");
        const auto permutation = mover.ints_attribute("perm");
        const int rank = scope.rank(q.stored);
        if (rank < 0 || q.axis < 0)
            return declined(
                "DequantizeLinear stays above Transpose: it has a scale per channel and its rank "
                "is not known");
        const std::int64_t axis =
            permutation.empty() ? rank - 1 - q.axis
                                : std::ranges::find(permutation, q.axis) - permutation.begin();
        std::erase_if(attributes, [](const Attribute& a) { return a.name == "axis"; });
        attributes.push_back(attr("axis", axis));
    }
    const std::string op = mover.op_type, dequantize_op = dequantize.qualified_op();
    std::vector<ValueId> parameters = dequantize.inputs;
    parameters[0] = context.node(op, with_data(mover, q.stored), mover.attributes);
    context.replace(m.root(), dequantize_op, std::move(parameters), std::move(attributes),
                    m.nodes());
    return applied("DequantizeLinear moved below " + op);
}

}  // namespace

PassBody move_quantization() {
    const auto mover = op(movers, {any("x")})
                           .more_inputs()
                           .named("mover")
                           .require(read_once(), "what QuantizeLinear reads is also read in float");
    const auto quantize =
        op("QuantizeLinear|com.microsoft::QuantizeLinear", {mover, any(), maybe(any())}).named("q");
    const auto dequantize =
        op("DequantizeLinear|com.microsoft::DequantizeLinear", {any("x"), any(), maybe(any())})
            .named("dq")
            .require(read_once(), "the dequantized values are also read elsewhere");
    const auto moved = op(movers, {dequantize}).more_inputs().named("mover");
    return {.rules = {{.pattern = quantize, .rewrite = move_up},
                      {.pattern = moved, .rewrite = move_down}}};
}

}  // namespace lapidary::passes
