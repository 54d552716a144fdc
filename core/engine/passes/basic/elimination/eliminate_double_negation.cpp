// SPDX-License-Identifier: Apache-2.0
//   before:  y = Neg(Neg(x)), Not(Not(x))                a + Neg(b)            a - Neg(b)
//   after:   x                                           a - b                 a + b
#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;

PassBody eliminate_double_negation() {
    const auto twice = either({op("Neg", {op("Neg", {any("x")})}).named("y"),
                               op("Not", {op("Not", {any("x")})}).named("y")});
    const auto negated =
        op("Neg", {any("b")}).require(read_once(), "the negated value is also read elsewhere");
    const auto sum = either({op("Add", {negated, any("a")}).commutative().versions(7).named("y"),
                             op("Sub", {any("a"), negated}).versions(7).named("y")});
    return {
        .rules = {{.pattern = twice,
                   .rewrite =
                       [](const Match& m, PassContext& context) {
                           const std::string text = m.node("y").op_type + " twice";
                           std::string problem = context.bypass(m.root(), m.value("x"), m.nodes());
                           return problem.empty() ? applied(text) : declined(std::move(problem));
                       }},
                  {.pattern = sum, .rewrite = [](const Match& m, PassContext& context) {
                       const bool was_sum = m.node("y").op_type == "Add";
                       context.replace(m.root(), was_sum ? "Sub" : "Add",
                                       {m.value("a"), m.value("b")}, {}, m.nodes());
                       return applied(was_sum ? "a + (-b) became a - b" : "a - (-b) became a + b");
                   }}}};
}

}  // namespace lapidary::passes
