// SPDX-License-Identifier: Apache-2.0
//   before:  y = Conv(x * s, W, b)   s a constant per channel or number; also / s, and + t, - t
//            where the Conv pads nothing
//   after:   y = Conv(x, W * s, b)
// After the fusions that may want the constant for themselves (GELU ends in a product by 0.5).
#include "passes/basic/products/linear_operator.h"

namespace lapidary::passes {
using namespace pattern;

PassBody fold_scale_into_conv() {
    const auto read = "the scaled value is also read elsewhere";
    const auto before = either({op("Mul|Add", {constant("c"), any("x")})
                                    .commutative()
                                    .versions(7)
                                    .named("before")
                                    .require(read_once(), read),
                                op("Div|Sub", {any("x"), constant("c")})
                                    .versions(7)
                                    .named("before")
                                    .require(read_once(), read),
                                op("Sub", {constant("c"), any("x")})
                                    .versions(7)
                                    .named("before")
                                    .require(read_once(), read)});
    const auto conv = op("Conv", {before, constant("weight"), maybe(constant("bias"))})
                          .named("conv")
                          .require(is_float(), "the element type is no float");
    return {.rules = {{.pattern = conv,
                       .rewrite =
                           [](const Match& m, PassContext& context) {
                               const Node& conv = m.node("conv");
                               const Node& before = m.node("before");
                               std::string why;
                               const auto linear = linear_operator(m.scope(), conv, why);
                               if (!linear) return stopped_by(why);
                               if (m.scope().rank(m.value("x")) != linear->rank)
                                   return declined("the rank of the scaled value is not known");
                               const std::int64_t depth =
                                   m.constant("weight").dim(1) * conv.int_attribute("group", 1);
                               const auto values =
                                   per_channel(m.constant("c"), linear->rank, 1, depth);
                               if (!values)
                                   return declined("the constant has shape " +
                                                   to_string(m.constant("c").shape()) +
                                                   ", needs one value per channel (" +
                                                   std::to_string(depth) + ")");
                               if (m.scope().dim(m.value("x"), 1) != depth)
                                   return declined("the constant may broadcast the channels");
                               FoldedOperator folded = fold_before_conv(
                                   context, conv, m.value("x"),
                                   arithmetic_affine(before.op_type,
                                                     before.inputs[0] == m.value("c"), *values));
                               if (!folded.problem.empty()) return declined(folded.problem);
                               const std::string text =
                                   before.op_type +
                                   " with a constant went into the weights of the Conv after it";
                               context.replace(m.root(), folded.op, folded.inputs,
                                               folded.attributes, m.nodes());
                               return applied(text);
                           },
                       .near_miss_from = 3}}};
}

}  // namespace lapidary::passes
