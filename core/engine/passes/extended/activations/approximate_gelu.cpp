// SPDX-License-Identifier: Apache-2.0
//   before:  y = Gelu(x)  or  BiasGelu(x, bias)   exact
//   after:   y = com.microsoft::FastGelu(x, bias)   by tanh: up to 4.8e-4 away, hence off by
//            default
#include "passes/extended/fused_kernels.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;

PassBody approximate_gelu() {
    const auto kernel = [](const Subject& s) {
        return missing_kernel(s.scope, "FastGelu", s.scope.dtype(s.match.value("x")));
    };
    const auto plain = either(
        {op("com.microsoft::Gelu", {any("x")}).named("y").require(kernel),
         op("Gelu", {any("x")})
             .named("y")
             .where(string_attribute_is("approximate", "none", "none"), "it is no exact GELU")
             .require(kernel)});
    const auto biased =
        op("com.microsoft::BiasGelu", {any("x"), any("bias")}).named("y").require(kernel);
    const auto rewrite = [](const Match& m, PassContext& context) {
        std::vector<ValueId> inputs = {m.value("x")};
        if (m.has("bias")) inputs.push_back(m.value("bias"));
        const std::string before = m.node("y").op_type;
        context.replace(m.node_id("y"), "com.microsoft::FastGelu", std::move(inputs), {},
                        m.nodes());
        return applied(before + " became FastGelu, which differs by up to 4.8e-4");
    };
    return {
        .rules = {{.pattern = plain, .rewrite = rewrite}, {.pattern = biased, .rewrite = rewrite}}};
}

}  // namespace lapidary::passes
