// SPDX-License-Identifier: Apache-2.0
//   before:  y = Cast(x)                   to the type that x has
//   after:   x
#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;

PassBody eliminate_cast() {
    const auto keeps_type = [](const Subject& s) {
        if (s.node->inputs.empty()) return false;
        const DType from = s.scope.dtype(s.node->inputs[0]);
        return from != DType::undefined && from == s.scope.dtype(s.node->outputs[0]);
    };
    return {.rules = {{.pattern = op("Cast|CastLike", {any("x")})
                                      .more_inputs()
                                      .where(keeps_type, "it changes the type"),
                       .rewrite = [](const Match& m, PassContext& context) {
                           std::string problem = context.bypass(m.root(), m.value("x"));
                           return problem.empty() ? applied("Cast to the type it has")
                                                  : declined(std::move(problem));
                       }}}};
}

}  // namespace lapidary::passes
