// SPDX-License-Identifier: Apache-2.0
//   before:  y = QuantizeLinear(MatMul(DequantizeLinear(a), DequantizeLinear(b)))
//   after:   y = QLinearMatMul(a, ..., b, ..., scale, zero point)
//   before:  y = MatMul(DequantizeLinear(a), DequantizeLinear(b))   result wanted in float
//   after:   y = com.microsoft::MatMulIntegerToFloat(a, b, scales, zero points)
#include "passes/qdq/node_unit.h"

namespace lapidary::passes {
namespace {

Outcome fuse_matmul(const NodeUnit& unit, PassContext& context) {
    const Scope& scope = context.scope();
    // A weight quantized to fewer bits or in blocks is the business of MatMulNBits.
    if (const auto& b = unit.input(1); b && (b->block_size != 0 || is_packed(b->dtype)))
        return not_concerned();
    if (std::string p = unit.input_problem(0, "the left operand"); !p.empty()) return declined(p);
    const int rank = unit.input(1) ? scope.rank(unit.input(1)->stored) : -1;
    if (std::string p =
            unit.input_problem(1, "the right operand", {.channel_axis = rank == 2 ? 1 : -1});
        !p.empty())
        return declined(p);
    const Quantization &a = *unit.input(0), &b = *unit.input(1);
    const std::string not_quantized = unit.output_problem();
    const bool quantized = not_quantized.empty() && product_problem(a, b, unit.output()).empty();
    if (std::string p = product_problem(a, b, std::nullopt); !p.empty()) return declined(p);
    if (std::string p = accumulation_problem(scope.dim(a.stored, -1)); !p.empty())
        return declined(p);
    const ValueId a_zero = zero_point_of(context, a), b_zero = zero_point_of(context, b);
    if (!quantized) {
        std::vector<NodeId> nodes{unit.target(), a.node, b.node};
        context.replace(unit.target(), "com.microsoft::MatMulIntegerToFloat",
                        {a.stored, b.stored, a.scale, b.scale, a_zero, b_zero}, {}, nodes);
        return applied("DequantizeLinear, MatMul became MatMulIntegerToFloat");
    }
    const Quantization& y = *unit.output();
    const ValueId y_zero = zero_point_of(context, y);
    context.replace(y.node, "QLinearMatMul",
                    {a.stored, a.scale, a_zero, b.stored, b.scale, b_zero, y.scale, y_zero}, {},
                    unit.nodes());
    return applied("DequantizeLinear, MatMul, QuantizeLinear became QLinearMatMul");
}

}  // namespace

PassBody fuse_quantized_matmul() { return at_units("MatMul", fuse_matmul); }

}  // namespace lapidary::passes
