// SPDX-License-Identifier: Apache-2.0
//   before:  y = Sum(x), Max(x), Min(x), Mean(x)         of one operand
//   after:   x
#include "ops/operator_traits.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;

PassBody eliminate_single_operand() {
    const auto variadic = operators_with(
        [](const OperatorTraits& traits) { return traits.layout == OperatorLayout::variadic; });
    return {.rules = {{.pattern = op(variadic, {any("x")}).named("y"),
                       .rewrite = [](const Match& m, PassContext& context) {
                           const std::string text = m.node("y").op_type + " of one operand";
                           std::string problem = context.bypass(m.root(), m.value("x"));
                           return problem.empty() ? applied(text) : declined(std::move(problem));
                       }}}};
}

}  // namespace lapidary::passes
