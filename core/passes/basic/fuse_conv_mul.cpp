// SPDX-License-Identifier: Apache-2.0
//   before:  y = Conv(x, W, b) * c         c a constant per channel, in either order; also / c; also ConvTranspose
//   after:   y = Conv(x, W * c, b * c)
#include "passes/basic/linear_operator.h"

namespace lapidary::passes {
using namespace pattern;

PassBody fuse_conv_mul() {
    const auto conv = op("Conv|ConvTranspose", {any("x"), constant("weight"), maybe(constant("bias"))}).named("conv").require(read_once(), "the convolution's result is also read elsewhere");
    const auto product = op("Mul", {constant("c"), conv}).commutative().versions(7).named("y");
    const auto quotient = op("Div", {conv, constant("c")}).versions(7).named("y");
    return {.rules = {{.pattern = either({product, quotient}), .rewrite = [](const Match& m, PassContext& context) {
        const Node& conv = m.node("conv");
        const Node& y = m.node("y");
        std::string why;
        const auto linear = linear_operator(m.scope(), conv, why);
        if (!linear) return declined(why);
        const auto values = per_channel(m.constant("c"), linear->rank, linear->axis, linear->channels);
        if (!values) return declined("the other operand has shape " + to_string(m.constant("c").shape()) + ", needs one value per channel (" + std::to_string(linear->channels) + ")");
        FoldedOperator folded = fold_after(context, *linear, arithmetic_affine(y.op_type, false, *values));
        if (!folded.problem.empty()) return declined(folded.problem);
        const std::string text = y.op_type + " by a constant went into the weights of " + conv.op_type;
        context.replace(y.id, folded.op, folded.inputs, folded.attributes, m.nodes());
        return applied(text);
    }}}};
}

}  // namespace lapidary::passes
