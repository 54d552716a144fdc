// SPDX-License-Identifier: Apache-2.0
//   before:  QuantizeLinear(Where(c, DequantizeLinear(x), 3.5))
//   after:   QuantizeLinear(Where(c, DequantizeLinear(x), DequantizeLinear(1) {scale: 3.5})) exact;
//            the unit is whole
#include <cmath>

#include "rewrite/constant_math.h"
#include "passes/qdq/node_unit.h"

namespace lapidary::passes {
namespace {

Outcome quantize_branch(const NodeUnit& unit, PassContext& context) {
    if (unit.input(1).has_value() == unit.input(2).has_value()) return not_concerned();
    const std::size_t quantized = unit.input(1) ? 1 : 2, other = 3 - quantized;
    if (std::string p = unit.input_problem(quantized, "the quantized branch"); !p.empty())
        return declined(p);
    if (std::string p = unit.output_problem(); !p.empty()) return declined(p);
    const Node& node = unit.node();
    const Tensor* found = context.scope().constant(node.inputs[other]);
    const auto value = scalar_of(found);
    if (!value)
        return declined("the other branch is neither quantized nor a constant of one element");
    if (!std::isfinite(*value)) return declined("the other branch is not finite");
    const Shape shape = found->shape();
    const DType dtype = unit.input(quantized)->dtype;
    const bool negative = *value < 0;
    const double zero = negative && dtype == DType::u8 ? 1 : 0,
                 stored = *value == 0 ? 0
                          : negative  ? zero - 1
                                      : 1,
                 scale = *value == 0 ? 1 : std::abs(*value);
    const std::string name = context.graph().value(node.inputs[other]).name;
    std::vector<ValueId> inputs = node.inputs;
    inputs[other] = context.node(
        "DequantizeLinear", {context.constant_scalar(name + "_quantized", dtype, stored, shape),
                             context.constant_scalar(name + "_scale", DType::f32, scale),
                             context.constant_scalar(name + "_zero_point", dtype, zero)});
    context.replace(unit.target(), "Where", std::move(inputs), {});
    return applied(
        "the constant branch of Where is read through DequantizeLinear, so that the unit is whole");
}

}  // namespace

PassBody quantize_where_constant() { return at_units("Where", quantize_branch); }

}  // namespace lapidary::passes
