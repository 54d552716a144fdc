// SPDX-License-Identifier: Apache-2.0
//   before:  y = Conv(x, W, b) + c   c a constant per channel, in either order; also - c and c - y;
//            also ConvTranspose
//   after:   y = Conv(x, W, b + c)
#include "passes/basic/products/linear_operator.h"

namespace lapidary::passes {
using namespace pattern;

PassBody fuse_conv_add() {
    const auto conv =
        op("Conv|ConvTranspose", {any("x"), constant("weight"), maybe(constant("bias"))})
            .named("conv")
            .require(read_once(), "the convolution's result is also read elsewhere");
    const auto sum = op("Add", {constant("c"), conv}).commutative().versions(7).named("y");
    const auto difference = op("Sub", {conv, constant("c")}).versions(7).named("y");
    const auto negated = op("Sub", {constant("c"), conv}).versions(7).named("y");
    return {.rules = {{.pattern = either({sum, difference, negated}),
                       .rewrite = [](const Match& m, PassContext& context) {
                           return fold_into_conv(m, context, "of a constant went into the bias");
                       }}}};
}

}  // namespace lapidary::passes
