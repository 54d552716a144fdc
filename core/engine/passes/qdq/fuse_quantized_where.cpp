// SPDX-License-Identifier: Apache-2.0
//   before:  y = QuantizeLinear(Where(c, DequantizeLinear(a), DequantizeLinear(b)))
//   after:   y = com.microsoft::QLinearWhere(c, a, ..., b, ..., scale, zero point)
#include "passes/qdq/node_unit.h"

namespace lapidary::passes {
namespace {

Outcome fuse_where(const NodeUnit& unit, PassContext& context) {
    if (std::string p = unit.input_problem(1, "the first branch"); !p.empty()) return declined(p);
    if (std::string p = unit.input_problem(2, "the second branch"); !p.empty()) return declined(p);
    if (std::string p = unit.output_problem(); !p.empty()) return declined(p);
    const Quantization &a = *unit.input(1), &b = *unit.input(2), &y = *unit.output();
    if (std::string p = NodeUnit::type_problem(a, "the first branch", b, "the second branch");
        !p.empty())
        return declined(p);
    if (std::string p = NodeUnit::type_problem(a, "the first branch", y, "the result"); !p.empty())
        return declined(p);
    const ValueId condition = unit.node().inputs[0];
    const ValueId a_zero = zero_point_of(context, a), b_zero = zero_point_of(context, b),
                  y_zero = zero_point_of(context, y);
    context.replace(
        y.node, "com.microsoft::QLinearWhere",
        {condition, a.stored, a.scale, a_zero, b.stored, b.scale, b_zero, y.scale, y_zero}, {},
        unit.nodes());
    return applied("DequantizeLinear, Where, QuantizeLinear became QLinearWhere");
}

}  // namespace

PassBody fuse_quantized_where() { return at_units("Where", fuse_where); }

}  // namespace lapidary::passes
