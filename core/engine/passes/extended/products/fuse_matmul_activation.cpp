// SPDX-License-Identifier: Apache-2.0
//   before:  y = Softmax(com.microsoft::FusedMatMul(a, b))        along the last axis
//   after:   y = com.microsoft::FusedMatMulActivation(a, b) {activation: "Softmax"}
// For DirectML, the only provider with a kernel for it.
#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;

PassBody fuse_matmul_activation() {
    const auto product = op("com.microsoft::FusedMatMul", {any("a"), any("b")})
                             .named("product")
                             .require(read_once(), "the product is also read elsewhere");
    const auto last_axis = [](const Subject& s) {
        const std::int64_t axis = s.node->int_attribute("axis", s.node->version >= 13 ? -1 : 1);
        return axis == -1 || (s.scope.rank(s.value) >= 0 && axis == s.scope.rank(s.value) - 1);
    };
    const auto softmax = op("Softmax", {product})
                             .named("y")
                             .require(last_axis, "the Softmax is not along the last axis");
    return {.rules = {{.pattern = softmax, .rewrite = [](const Match& m, PassContext& context) {
                           std::vector<Attribute> attributes = m.node("product").attributes;
                           attributes.push_back(attr("activation", "Softmax"));
                           attributes.push_back(attr("activation_axis", -1));
                           context.replace(m.root(), "com.microsoft::FusedMatMulActivation",
                                           {m.value("a"), m.value("b")}, attributes, m.nodes());
                           return applied("Softmax went into the product");
                       }}}};
}

}  // namespace lapidary::passes
