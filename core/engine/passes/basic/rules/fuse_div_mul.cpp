// SPDX-License-Identifier: Apache-2.0
//   before:  y = (1 / a) * b               also Reciprocal(a) * b, either order
//   after:   y = b / a
#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;

PassBody fuse_div_mul() {
    const auto divided = op("Div", {scalar(1.0), any("a")})
                             .versions(7)
                             .named("inverse")
                             .require(read_once(), "the quotient is also read elsewhere");
    const auto reciprocal = op("Reciprocal", {any("a")})
                                .named("inverse")
                                .require(read_once(), "the reciprocal is also read elsewhere");
    const auto product = op("Mul", {either({divided, reciprocal}), any("b")})
                             .commutative()
                             .versions(7)
                             .named("y")
                             .require(is_float(), "division of integers rounds");
    // The 1 may have more axes than a and b: only one of rank 0, or of no more axes than the
    // reciprocal's operand, keeps the shape.
    const auto keeps_shape = [](const Subject& s) {
        const Node& inverse = s.match.node("inverse");
        if (inverse.op_type != "Div") return true;
        const Tensor* one = s.scope.constant(inverse.inputs[0]);
        return one->rank() == 0 || one->rank() <= s.scope.rank(s.match.value("a")) ||
               one->rank() <= s.scope.rank(s.match.value("b"));
    };
    return {
        .rules = {
            {.pattern = product.require(keeps_shape, "the 1 adds axes to the result"),
             .rewrite =
                 [](const Match& m, PassContext& context) {
                     const std::string text = m.node("inverse").op_type == "Div"
                                                  ? "(1 / a) * b became b / a"
                                                  : "Reciprocal(a) * b became b / a";
                     context.replace(m.root(), "Div", {m.value("b"), m.value("a")}, {}, m.nodes());
                     return applied(text);
                 },
             .near_miss_from = 3}}};
}

}  // namespace lapidary::passes
