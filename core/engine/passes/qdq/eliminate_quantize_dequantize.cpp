// SPDX-License-Identifier: Apache-2.0
//   before:  y = DequantizeLinear(QuantizeLinear(x))   the same scale and zero point
//   after:   y = x   without its rounding and clamping: changes values, off by default
#include "passes/qdq/node_unit.h"

namespace lapidary::passes {
using namespace pattern;

PassBody eliminate_quantize_dequantize() {
    const auto quantize =
        op("QuantizeLinear|com.microsoft::QuantizeLinear", {any("x"), any(), maybe(any())})
            .named("q");
    const auto dequantize =
        op("DequantizeLinear|com.microsoft::DequantizeLinear", {quantize, any(), maybe(any())})
            .named("dq");
    return {.rules = {{.pattern = dequantize, .rewrite = [](const Match& m, PassContext& context) {
                           const Quantization q = quantization_of(m.scope(), m.node("q")),
                                              dq = quantization_of(m.scope(), m.node("dq"));
                           if (!same_parameters(q, dq))
                               return declined(
                                   "QuantizeLinear and DequantizeLinear differ in type, scale or "
                                   "zero point, or these are no constants of "
                                   "one element");
                           if (m.scope().dtype(q.real) != m.scope().dtype(dq.real))
                               return declined("the pair also changes the float type");
                           if (std::string p =
                                   context.bypass(m.node_id("dq"), m.value("x"), m.nodes());
                               !p.empty())
                               return declined(p);
                           return applied("values are no longer rounded to " + describe(q));
                       }}}};
}

}  // namespace lapidary::passes
