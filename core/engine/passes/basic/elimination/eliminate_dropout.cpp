// SPDX-License-Identifier: Apache-2.0
//   before:  y = Dropout(x)                in inference, its mask not wanted
//   after:   x
// Opset 12 and later may train: training_mode must be absent or false, or the ratio 0.
#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;

PassBody eliminate_dropout() {
    const auto trains = [](const Subject& s) {
        const Node& node = *s.node;
        const auto input = [&](std::size_t i) {
            return i < node.inputs.size() ? node.inputs[i] : ValueId{};
        };
        if (node.version < 12 || !input(2)) return false;
        const auto mode = scalar_of(s.scope.constant(input(2))),
                   ratio = scalar_of(s.scope.constant(input(1)));
        return !(mode && *mode == 0) && !(ratio && *ratio == 0);
    };
    const auto dropout =
        op("Dropout", {any("x")})
            .more_inputs()
            .named("y")
            .require(only_first_output(), "the mask of the Dropout is also wanted")
            .require(negate(trains), "the Dropout is, or may be, in training mode");
    return {.rules = {{.pattern = dropout, .rewrite = [](const Match& m, PassContext& context) {
                           std::string problem = context.bypass(m.root(), m.value("x"));
                           return problem.empty() ? applied("Dropout does nothing in inference")
                                                  : declined(std::move(problem));
                       }}}};
}

}  // namespace lapidary::passes
