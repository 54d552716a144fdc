// SPDX-License-Identifier: Apache-2.0
//   before:  y = QuantizeLinear(Gemm(DequantizeLinear(a), DequantizeLinear(b),
//            DequantizeLinear(c)))
//   after:   y = com.microsoft::QGemm(a, ..., b, ..., c, scale, zero point) {alpha, transA, transB}
//            without QuantizeLinear: the same without scale and zero point of the result, which
//            stays float
#include "passes/qdq/node_unit.h"
#include "passes/qdq/quantized_bias.h"

namespace lapidary::passes {
namespace {

Outcome fuse_gemm(const NodeUnit& unit, PassContext& context) {
    const Scope& scope = context.scope();
    const Node& node = unit.node();
    if (const auto& b = unit.input(1); b && (b->block_size != 0 || is_packed(b->dtype)))
        return not_concerned();
    if (std::string p = unit.input_problem(0, "A"); !p.empty()) return declined(p);
    const bool trans_a = node.int_attribute("transA", 0) != 0,
               trans_b = node.int_attribute("transB", 0) != 0;
    if (std::string p = unit.input_problem(1, "B", {.channel_axis = trans_b ? 0 : 1}); !p.empty())
        return declined(p);
    const Quantization &a = *unit.input(0), &b = *unit.input(1);
    if (std::string p = product_problem(a, b, std::nullopt); !p.empty()) return declined(p);
    if (std::string p = accumulation_problem(scope.dim(a.stored, trans_a ? 0 : 1)); !p.empty())
        return declined(p);
    const bool has_c = node.inputs.size() > 2 && node.inputs[2];
    const float alpha = node.float_attribute("alpha", 1.0f),
                beta = node.float_attribute("beta", 1.0f);
    if (has_c && beta != 1.0f)
        return declined("beta is " + std::to_string(beta) +
                        ", needs 1 because C is added to the integer sums");
    if (has_c)
        if (std::string p = bias_problem(scope, unit.input(2), expected_bias_scales(a, b, alpha));
            !p.empty())
            return declined(p);
    const bool quantized =
        unit.output_problem().empty() && product_problem(a, b, unit.output()).empty();
    std::vector<ValueId> inputs{a.stored, a.scale, zero_point_of(context, a),
                                b.stored, b.scale, zero_point_of(context, b)};
    if (has_c || quantized) inputs.push_back(has_c ? unit.input(2)->stored : ValueId{});
    if (quantized)
        inputs.insert(inputs.end(), {unit.output()->scale, zero_point_of(context, *unit.output())});
    std::vector<Attribute> attributes{attr("alpha", alpha), attr("transA", trans_a ? 1 : 0),
                                      attr("transB", trans_b ? 1 : 0)};
    context.replace(quantized ? unit.root() : unit.target(), "com.microsoft::QGemm",
                    std::move(inputs), std::move(attributes), unit.nodes());
    return applied(quantized ? "DequantizeLinear, Gemm, QuantizeLinear became QGemm"
                             : "DequantizeLinear, Gemm became QGemm with a float result");
}

}  // namespace

PassBody fuse_quantized_gemm() { return at_units("Gemm", fuse_gemm); }

}  // namespace lapidary::passes
