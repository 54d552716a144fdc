// SPDX-License-Identifier: Apache-2.0
//   before:  y = x * Tanh(Softplus(x))
//   after:   y = Mish(x)                       from opset 18 on
#include "passes/extended/fused_kernels.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;

PassBody fuse_mish() {
    const auto softplus =
        op("Softplus", {any("x")})
            .require(read_only_here(), "the Softplus result is also read elsewhere");
    const auto gate =
        op("Tanh", {softplus}).require(read_only_here(), "the Tanh result is also read elsewhere");
    const auto root =
        op("Mul", {gate, any("x")}).commutative().named("y").require([](const Subject& s) {
            return missing_kernel(s.scope, "Mish", s.scope.dtype(s.match.value("x")));
        });
    return {.rules = {{.pattern = root,
                       .rewrite =
                           [](const Match& m, PassContext& context) {
                               context.replace(m.node_id("y"), "Mish", {m.value("x")}, {},
                                               m.nodes());
                               return applied("x * Tanh(Softplus(x)) became Mish");
                           }}},
            .least_opset = 18};
}

}  // namespace lapidary::passes
