// SPDX-License-Identifier: Apache-2.0
//   before:  y = Identity(x)
//   after:   x, under the name of y where y is a graph output
#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;

PassBody eliminate_identity() {
    return {.rules = {{.pattern = op("Identity", {any("x")}),
                       .rewrite = [](const Match& m, PassContext& context) {
                           std::string problem = context.bypass(m.root(), m.value("x"));
                           return problem.empty() ? applied("Identity is not needed")
                                                  : declined(std::move(problem));
                       }}}};
}

}  // namespace lapidary::passes
