// SPDX-License-Identifier: Apache-2.0
//   before:  y = Cast(Cast(x))             the first read once
//   after:   y = Cast(x)
// Changes results where the first Cast narrowed, hence off by default; merge_casts does what is
// exact.
#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;

PassBody eliminate_cast_chain() {
    const auto first = op("Cast", {any("x")})
                           .require(read_once(), "the first Cast's result is also read elsewhere");
    return {.rules = {{.pattern = op("Cast", {first}).named("second"),
                       .rewrite = [](const Match& m, PassContext& context) {
                           context.replace(m.root(), "Cast", {m.value("x")},
                                           m.node("second").attributes, m.nodes());
                           return applied("the first of two Casts is left out");
                       }}}};
}

}  // namespace lapidary::passes
