// SPDX-License-Identifier: Apache-2.0
//   before:  y = MatMul(x, W) * c          c a constant per column; also / c; Gemm also + c and - c
//   after:   y = MatMul(x, W * c)
// Only what follows the product: a constant before it may end a GELU or a normalization that is
// still to be recognised.
#include "passes/basic/products/linear_operator.h"

namespace lapidary::passes {
using namespace pattern;

PassBody fuse_matmul_constants() {
    const auto product = op("MatMul|Gemm", {any("a"), constant("weight"), maybe(constant("bias"))})
                             .named("product")
                             .require(read_once(), "the product is also read elsewhere");
    const auto gemm = op("Gemm", {any("a"), constant("weight"), constant("bias")})
                          .named("product")
                          .versions(7)
                          .require(read_once(), "the product is also read elsewhere");
    const auto scaled = op("Mul", {constant("c"), product}).commutative().versions(7).named("y");
    const auto divided = op("Div", {product, constant("c")}).versions(7).named("y");
    const auto sum = op("Add", {constant("c"), gemm}).commutative().versions(7).named("y");
    const auto difference = op("Sub", {gemm, constant("c")}).versions(7).named("y");
    const auto negated = op("Sub", {constant("c"), gemm}).versions(7).named("y");
    return {.rules = {{.pattern = either({scaled, divided, sum, difference, negated}),
                       .rewrite =
                           [](const Match& m, PassContext& context) {
                               const Node& product = m.node("product");
                               const Node& y = m.node("y");
                               std::string why;
                               const auto linear = linear_operator(m.scope(), product, why);
                               if (!linear) return stopped_by(why);
                               const auto values = per_channel(m.constant("c"), linear->rank,
                                                               linear->axis, linear->channels);
                               if (!values)
                                   return declined("the other operand has shape " +
                                                   to_string(m.constant("c").shape()) +
                                                   ", needs one value per column (" +
                                                   std::to_string(linear->channels) + ")");
                               const bool constant_first = y.inputs[0] == m.value("c");
                               FoldedOperator folded = fold_after(
                                   context, *linear,
                                   arithmetic_affine(y.op_type, constant_first, *values));
                               if (!folded.problem.empty()) return declined(folded.problem);
                               const std::string text =
                                   y.op_type + " with a constant went into the constants of " +
                                   product.op_type;
                               context.replace(y.id, folded.op, folded.inputs, folded.attributes,
                                               m.nodes());
                               return applied(text);
                           },
                       .near_miss_from = 3}}};
}

}  // namespace lapidary::passes
