// SPDX-License-Identifier: Apache-2.0
//   before:  y = x * Sigmoid(alpha * x)       alpha a constant; without it 1, which is SiLU
//   after:   y = com.microsoft::QuickGelu(x) {alpha}
#include "passes/pass.h"

namespace lapidary::passes {
using namespace pattern;

PassBody fuse_quick_gelu() {
    const auto scaled = op("Mul", {any("x"), scalar("alpha")}).commutative().named("scaled").require(read_only_here(), "the scaled input is also read elsewhere");
    const auto gate = op("Sigmoid", {either({scaled, any("x")})}).named("gate").require(read_only_here(), "the Sigmoid result is also read elsewhere");
    const auto product = op("Mul", {gate, any("x")}).commutative().named("y").require(is_float(), "the element type is no float");
    return {.rules = {{.pattern = product, .rewrite = [](const Match& m, PassContext& context) {
        const double alpha = m.has("alpha") ? *scalar_of(m.constant_or_null("alpha")) : 1.0;
        context.replace(m.node_id("y"), "com.microsoft::QuickGelu", {m.value("x")}, {attr("alpha", static_cast<float>(alpha))}, m.nodes());
        return applied("x * Sigmoid(" + std::string(m.has("alpha") ? "alpha * x" : "x") + ") became QuickGelu");
    }}}};
}

}  // namespace lapidary::passes
