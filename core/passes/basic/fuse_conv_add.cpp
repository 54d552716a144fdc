// SPDX-License-Identifier: Apache-2.0
//   before:  y = Conv(x, W, b) + c         c a constant per channel, in either order; also - c and c - y; also ConvTranspose
//   after:   y = Conv(x, W, b + c)
#include "passes/basic/linear_operator.h"

namespace lapidary::passes {
using namespace pattern;

PassBody fuse_conv_add() {
    const auto conv = op("Conv|ConvTranspose", {any("x"), constant("weight"), maybe(constant("bias"))}).named("conv").require(read_once(), "the convolution's result is also read elsewhere");
    const auto sum = op("Add", {constant("c"), conv}).commutative().versions(7).named("y");
    const auto difference = op("Sub", {conv, constant("c")}).versions(7).named("y");
    const auto negated = op("Sub", {constant("c"), conv}).versions(7).named("y");
    return {.rules = {{.pattern = either({sum, difference, negated}), .rewrite = [](const Match& m, PassContext& context) {
        const Node& conv = m.node("conv");
        const Node& y = m.node("y");
        std::string why;
        const auto linear = linear_operator(m.scope(), conv, why);
        if (!linear) return declined(why);
        const auto values = per_channel(m.constant("c"), linear->rank, linear->axis, linear->channels);
        if (!values) return declined("the other operand has shape " + to_string(m.constant("c").shape()) + ", needs one value per channel (" + std::to_string(linear->channels) + ")");
        const bool constant_first = y.inputs[0] == m.value("c");
        FoldedOperator folded = fold_after(context, *linear, arithmetic_affine(y.op_type, constant_first, *values));
        if (!folded.problem.empty()) return declined(folded.problem);
        const std::string text = y.op_type + " of a constant went into the bias of " + conv.op_type;
        context.replace(y.id, folded.op, folded.inputs, folded.attributes, m.nodes());
        return applied(text);
    }}}};
}

}  // namespace lapidary::passes
