// SPDX-License-Identifier: Apache-2.0
//   before:  y = QuantizeLinear(Add(DequantizeLinear(a), DequantizeLinear(b)))   or Mul
//   after:   y = com.microsoft::QLinearAdd(a, ..., b, ..., scale, zero point)
#include "passes/qdq/node_unit.h"

namespace lapidary::passes {
namespace {

Outcome fuse_binary(const NodeUnit& unit, PassContext& context) {
    if (std::string p = unit.input_problem(0, "input 0"); !p.empty()) return declined(p);
    if (std::string p = unit.input_problem(1, "input 1"); !p.empty()) return declined(p);
    if (std::string p = unit.output_problem(); !p.empty()) return declined(p);
    const Quantization &a = *unit.input(0), &b = *unit.input(1), &y = *unit.output();
    if (std::string p = NodeUnit::type_problem(a, "input 0", b, "input 1"); !p.empty())
        return declined(p);
    if (std::string p = NodeUnit::type_problem(a, "input 0", y, "the result"); !p.empty())
        return declined(p);
    const std::string op = unit.node().op_type;
    const ValueId a_zero = zero_point_of(context, a), b_zero = zero_point_of(context, b),
                  y_zero = zero_point_of(context, y);
    context.replace(y.node, "com.microsoft::QLinear" + op,
                    {a.stored, a.scale, a_zero, b.stored, b.scale, b_zero, y.scale, y_zero}, {},
                    unit.nodes());
    return applied("DequantizeLinear, " + op + ", QuantizeLinear became QLinear" + op);
}

}  // namespace

PassBody fuse_quantized_binary() { return at_units("Add|Mul", fuse_binary); }

}  // namespace lapidary::passes
