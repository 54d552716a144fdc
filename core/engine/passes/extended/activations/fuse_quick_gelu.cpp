// SPDX-License-Identifier: Apache-2.0
//   before:  y = x * Sigmoid(alpha * x)   alpha a constant, also as x / c; without it 1, which is
//            SiLU
//   after:   y = com.microsoft::QuickGelu(x) {alpha}
// alpha becomes a float attribute: a double that float cannot hold keeps the operators apart.
#include <fmt/format.h>

#include "passes/extended/fused_kernels.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;

namespace {

double alpha_of(const Match& m) {
    if (m.has("divisor")) return 1 / *scalar_of(&m.constant("divisor"));
    return m.has("alpha") ? *scalar_of(&m.constant("alpha")) : 1.0;
}

std::string alpha_problem(const Subject& s) {
    if (s.match.has("divisor") && *scalar_of(&s.match.constant("divisor")) == 0)
        return "the input is divided by 0";
    const double alpha = alpha_of(s.match);
    if (s.scope.dtype(s.match.value("x")) == DType::f64 &&
        static_cast<double>(static_cast<float>(alpha)) != alpha)
        return fmt::format("alpha {:g} loses digits as the float attribute of QuickGelu", alpha);
    return {};
}

}  // namespace

PassBody fuse_quick_gelu() {
    const auto internal = [](const Pattern& p) {
        return p.require(read_only_here(), "the scaled input is also read elsewhere");
    };
    const auto times =
        internal(op("Mul", {any("x"), scalar("alpha")}).commutative().named("scaled"));
    const auto over = internal(op("Div", {any("x"), scalar("divisor")}).named("scaled"));
    const auto gate = op("Sigmoid", {either({times, over, any("x")})})
                          .named("gate")
                          .require(read_only_here(), "the Sigmoid result is also read elsewhere");
    const auto product =
        op("Mul", {gate, any("x")})
            .commutative()
            .named("y")
            .require([](const Subject& s) {
                return missing_kernel(s.scope, "QuickGelu", s.scope.dtype(s.match.value("x")));
            })
            .require(alpha_problem)
            .require(scalars_keep_rank_of("x"));
    return {.rules = {{.pattern = product, .rewrite = [](const Match& m, PassContext& context) {
                           const std::string before =
                               m.has("scaled") ? "x * Sigmoid(alpha * x)" : "x * Sigmoid(x)";
                           context.replace(
                               m.node_id("y"), "com.microsoft::QuickGelu", {m.value("x")},
                               {attr("alpha", static_cast<float>(alpha_of(m)))}, m.nodes());
                           return applied(before + " became QuickGelu");
                       }}}};
}

}  // namespace lapidary::passes
