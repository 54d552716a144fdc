// SPDX-License-Identifier: Apache-2.0
//   before:  y = QuantizeLinear(Conv(DequantizeLinear(x), DequantizeLinear(w),
//            DequantizeLinear(b)))
//   after:   y = QLinearConv(x, ..., w, ..., scale, zero point, b)
// The weight may have a scale per output channel. The i32 bias is added to sums whose step is x
// scale * w scale: its own scale must be that product.
#include "passes/qdq/node_unit.h"
#include "passes/qdq/quantized_bias.h"

namespace lapidary::passes {
namespace {

Outcome fuse_conv(const NodeUnit& unit, PassContext& context) {
    const Scope& scope = context.scope();
    const Node& node = unit.node();
    if (std::string p = unit.input_problem(0, "the input"); !p.empty()) return declined(p);
    if (std::string p =
            unit.input_problem(1, "the weight", {.channel_axis = 0, .any_zeros = false});
        !p.empty())
        return declined(p);
    if (std::string p = unit.output_problem(); !p.empty()) return declined(p);
    const Quantization &x = *unit.input(0), &w = *unit.input(1), &y = *unit.output();
    if (std::string p = product_problem(x, w, unit.output()); !p.empty()) return declined(p);
    std::int64_t terms = 1;
    for (int i = 1; i < scope.rank(w.stored); ++i)
        terms *= std::max<std::int64_t>(1, scope.dim(w.stored, i));
    if (std::string p = accumulation_problem(terms); !p.empty()) return declined(p);
    const bool has_bias = node.inputs.size() > 2 && node.inputs[2];
    if (has_bias)
        if (std::string p = bias_problem(scope, unit.input(2), expected_bias_scales(x, w, 1.0));
            !p.empty())
            return declined(p);
    std::vector<ValueId> inputs{x.stored,
                                x.scale,
                                zero_point_of(context, x),
                                w.stored,
                                w.scale,
                                zero_point_of(context, w),
                                y.scale,
                                zero_point_of(context, y)};
    if (has_bias) inputs.push_back(unit.input(2)->stored);
    context.replace(y.node, "QLinearConv", std::move(inputs),
                    std::vector<Attribute>(node.attributes), unit.nodes());
    return applied("DequantizeLinear, Conv, QuantizeLinear became QLinearConv");
}

}  // namespace

PassBody fuse_quantized_conv() { return at_units("Conv", fuse_conv); }

}  // namespace lapidary::passes
