// SPDX-License-Identifier: Apache-2.0
//   before:  y = Transpose(Transpose(x) {perm: p}) {perm: q}
//   after:   y = Transpose(x) {perm: p then q}, or x itself where the two cancel
// Sound for every element type, rank and size. The chain of Transposes above y gets shorter each
// time.
#include "passes/axis_arguments.h"

namespace lapidary::passes {
using namespace pattern;

PassBody merge_transposes() {
    const auto first = op("Transpose", {any("x")}).named("first");
    const auto second = op("Transpose", {first}).named("second");
    const auto alone = op("Transpose", {any("x")}).named("second");
    const auto cancel = [](const Match& m, PassContext& context, const std::string& remark) {
        if (std::string problem = context.bypass(m.node_id("second"), m.value("x"), m.nodes());
            !problem.empty())
            return declined(problem);
        return applied(remark);
    };
    return {
        .rules = {{.pattern = second,
                   .rewrite =
                       [=](const Match& m, PassContext& context) {
                           const auto p = permutation_of(m.scope(), m.node("first")),
                                      q = permutation_of(m.scope(), m.node("second"));
                           if (!p || !q || p->size() != q->size())
                               return declined("the rank is not known");
                           const Ints both = compose(*p, *q);
                           if (is_identity(both) &&
                               context.bypass_problem(m.node_id("second"), m.value("x")).empty())
                               return cancel(m, context, "the two Transposes cancel");
                           context.replace(m.node_id("second"), "Transpose", {m.value("x")},
                                           {attr("perm", both)}, m.nodes());
                           return applied("Transposes by " + to_text(*p) + " and " + to_text(*q) +
                                          " became one by " + to_text(both));
                       }},
                  {.pattern = alone, .rewrite = [=](const Match& m, PassContext& context) {
                       const auto q = permutation_of(m.scope(), m.node("second"));
                       if (!q || !is_identity(*q)) return not_concerned();
                       return cancel(m, context, "a Transpose that moves nothing went away");
                   }}}};
}

}  // namespace lapidary::passes
