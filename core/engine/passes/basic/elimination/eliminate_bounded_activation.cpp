// SPDX-License-Identifier: Apache-2.0
//   before:  y = Relu(x) or Clip(x) or Abs(x)   x within the bounds already: after Relu, Sigmoid,
//            Softmax, Exp ...
//   after:   x;  also Ceil, Floor and Round of whole numbers, Sign of a Sign
#include <algorithm>

#include "passes/basic/rules/value_range.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;

PassBody eliminate_bounded_activation() {
    const auto bounded = [](const Subject& s) {
        if (s.node->inputs.empty()) return false;
        const ValueRange x = range_of(s.scope, s.node->inputs[0]);
        if (s.node->op_type == "Abs") return x.low >= 0;
        const auto bounds = clip_bounds(s.scope, *s.node);
        return bounds && x.low >= bounds->low && x.high <= bounds->high;
    };
    const auto limit = op("Relu|Clip|Abs", {any("x")})
                           .more_inputs()
                           .where(bounded, "it may change values")
                           .named("y");
    const auto whole =
        op("Ceil|Floor|Round", {op("Ceil|Floor|Round", {any()}).named("x")}).named("y");
    const auto sign = op("Sign", {op("Sign", {any()}).named("x")}).named("y");
    const auto rewrite = [](const Match& m, PassContext& context) {
        const std::string text = m.node("y").op_type + " has nothing to do";
        std::string problem = context.bypass(m.root(), m.value("x"));
        return problem.empty() ? applied(text) : declined(std::move(problem));
    };
    return {.rules = {{.pattern = either({limit, whole, sign}), .rewrite = rewrite}}};
}

}  // namespace lapidary::passes
