// SPDX-License-Identifier: Apache-2.0
//   before:  y = Where(Not(c), a, b)
//   after:   y = Where(c, b, a)
// Only where every reader of Not is such a Where, so that Not goes away.
#include <algorithm>

#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;

PassBody fuse_not_where() {
    const auto only_wheres = [](const Subject& s) {
        const Value& v = s.scope.value(s.value);
        return v.output_uses == 0 && v.captured_by.empty() &&
               std::ranges::all_of(v.uses, [&](const Use& u) {
                   const Node& reader = s.scope.node(u.node);
                   return reader.domain.empty() && reader.op_type == "Where" && u.input == 0;
               });
    };
    const auto negation =
        op("Not", {any("c")})
            .named("not")
            .require(only_wheres,
                     "the negated condition is also read by something else than Where");
    return {.rules = {{.pattern = op("Where", {negation, any("a"), any("b")}),
                       .rewrite = [](const Match& m, PassContext& context) {
                           context.replace(m.root(), "Where",
                                           {m.value("c"), m.value("b"), m.value("a")}, {},
                                           m.nodes());
                           return applied("Where of a negated condition swapped its branches");
                       }}}};
}

}  // namespace lapidary::passes
