// SPDX-License-Identifier: Apache-2.0
//   before:  y = QuantizeLinear(DequantizeLinear(x))     the same scale and zero point
//   after:   y = x                                       exact in f32 up to 16 bits, in f16 up to 8
#include "passes/qdq/node_unit.h"

namespace lapidary::passes {
using namespace pattern;

PassBody eliminate_dequantize_quantize() {
    const auto dequantize =
        op("DequantizeLinear|com.microsoft::DequantizeLinear", {any("x"), any(), maybe(any())})
            .named("dq");
    const auto quantize =
        op("QuantizeLinear|com.microsoft::QuantizeLinear", {dequantize, any(), maybe(any())})
            .named("q");
    return {
        .rules = {
            {.pattern = quantize, .rewrite = [](const Match& m, PassContext& context) {
                 const NodeUnit unit(m.scope(), m.node_id("q"));
                 if (std::string p = unit.input_problem(0, "the input",
                                                        {.eight_bit = false, .keeps_order = true});
                     !p.empty())
                     return declined(p);
                 const Quantization in = *unit.input(0),
                                    out = quantization_of(m.scope(), m.node("q"));
                 if (!out.is_constant() || !out.per_tensor() || !out.plain_rounding)
                     return declined(
                         "the result has no constant scale and zero point of one element");
                 if (!same_parameters(in, out))
                     return declined("the input is " + describe(in) + ", the result " +
                                     describe(out) + "; they must agree");
                 if (std::string p = context.bypass(m.node_id("q"), m.value("x"), m.nodes());
                     !p.empty())
                     return declined(p);
                 return applied(
                     "integers that were read and quantized again the same way stay as they are");
             }}}};
}

}  // namespace lapidary::passes
