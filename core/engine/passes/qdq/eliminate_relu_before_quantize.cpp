// SPDX-License-Identifier: Apache-2.0
//   before:  y = QuantizeLinear(Relu(x))     the zero point is the smallest integer
//   after:   y = QuantizeLinear(x)           which clamps at 0 itself
#include <limits>

#include "passes/qdq/clamp_before_quantize.h"

namespace lapidary::passes {
using namespace pattern;

PassBody eliminate_relu_before_quantize() {
    const auto relu = op("Relu", {any("x")})
                          .named("relu")
                          .require(read_once(), "the Relu result is also read elsewhere");
    const auto quantize =
        op("QuantizeLinear|com.microsoft::QuantizeLinear", {relu, any("scale"), maybe(any("zero"))})
            .named("q");
    return {.rules = {{.pattern = quantize, .rewrite = [](const Match& m, PassContext& context) {
                           const Quantization q = quantization_of(m.scope(), m.node("q"));
                           if (std::string p =
                                   clamp_problem(q, 0, std::numeric_limits<double>::infinity());
                               !p.empty())
                               return declined("Relu has to stay: " + p);
                           context.bypass(m.node_id("relu"), m.value("x"));
                           return applied("QuantizeLinear clamps at 0 itself, Relu went away");
                       }}}};
}

}  // namespace lapidary::passes
