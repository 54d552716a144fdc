// SPDX-License-Identifier: Apache-2.0
//   before:  y = Conv(x, W, b) * c   c a constant per channel, in either order; also / c; also
//            ConvTranspose
//   after:   y = Conv(x, W * c, b * c)
#include "passes/basic/products/linear_operator.h"

namespace lapidary::passes {
using namespace pattern;

PassBody fuse_conv_mul() {
    const auto conv =
        op("Conv|ConvTranspose", {any("x"), constant("weight"), maybe(constant("bias"))})
            .named("conv")
            .require(read_once(), "the convolution's result is also read elsewhere");
    const auto product = op("Mul", {constant("c"), conv}).commutative().versions(7).named("y");
    const auto quotient = op("Div", {conv, constant("c")}).versions(7).named("y");
    return {.rules = {{.pattern = either({product, quotient}),
                       .rewrite = [](const Match& m, PassContext& context) {
                           return fold_into_conv(m, context, "by a constant went into the weights");
                       }}}};
}

}  // namespace lapidary::passes
