// SPDX-License-Identifier: Apache-2.0
//   before:  y = QuantizeLinear(Reshape(DequantizeLinear(x)))   one scale and zero point, the same
//            on both sides
//   after:   y = Reshape(x) on integers
// The operators only move elements or choose among them by order, which a positive scale keeps;
// Q(DQ(x)) = x in f32 up to 16 bits. A Resize that interpolates would truncate integers where
// QuantizeLinear rounds: only mode nearest.
#include "ops/operator_traits.h"
#include "passes/qdq/node_unit.h"

namespace lapidary::passes {
namespace {

/// Of one result, which takes integers as it takes floats.
bool moves_integers(const OperatorTraits& traits) {
    return traits.quantizing.own_widths != 0 && traits.layout != OperatorLayout::split &&
           traits.layout != OperatorLayout::top;
}

std::string operator_problem(const PassContext& context, const Node& node) {
    for (std::size_t i = 1; i < node.outputs.size(); ++i)
        if (node.outputs[i] && !context.graph().value(node.outputs[i]).is_unused())
            return "its second result is wanted too";
    if (!moves_integers(traits_of(node)))
        return node.op_type + " takes 8-bit integers from opset " +
               std::to_string(newest_traits_of(node.domain, node.op_type).since) + " on";
    if (node.op_type == "Resize") {
        if (node.string_attribute("mode", "nearest") != "nearest")
            return "Resize interpolates, which on integers truncates instead of rounding";
        if (node.string_attribute("coordinate_transformation_mode", "half_pixel") ==
            "tf_crop_and_resize")
            return "Resize fills in an extrapolation value that is no quantized one";
    }
    return {};
}

Outcome drop(const NodeUnit& unit, PassContext& context) {
    const Node& node = unit.node();
    const bool eight_bit = traits_of(node).quantizing.own_widths == 8;
    if (std::string p =
            unit.input_problem(0, "the input", {.eight_bit = eight_bit, .keeps_order = true});
        !p.empty())
        return declined(p);
    if (std::string p = unit.output_problem({.eight_bit = eight_bit, .keeps_order = true});
        !p.empty())
        return declined(p);
    const Quantization &in = *unit.input(0), &out = *unit.output();
    if (!same_parameters(in, out))
        return declined("the input is " + describe(in) + ", the result " + describe(out) +
                        "; they must agree");
    if (std::string p = operator_problem(context, node); !p.empty()) return declined(p);
    std::vector<ValueId> inputs = node.inputs;
    inputs[0] = in.stored;
    const std::string op = node.op_type;
    context.replace(out.node, op, std::move(inputs), std::vector<Attribute>(node.attributes),
                    unit.nodes());
    return applied(op + " runs on integers, without DequantizeLinear and QuantizeLinear around it");
}

}  // namespace

PassBody eliminate_qdq_around_movement() { return at_units(operators_with(moves_integers), drop); }

}  // namespace lapidary::passes
