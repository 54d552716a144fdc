// SPDX-License-Identifier: Apache-2.0
//   before:  y = Relu(Conv(x, W, b) + z)   z of the Conv's shape, in either order; the activation
//            may be missing
//   after:   y = com.microsoft::FusedConv(x, W, b, z) {activation}
#include "passes/extended/products/fused_product.h"

namespace lapidary::passes {
using namespace pattern;

PassBody fuse_conv_add_activation() {
    const auto free = [](const Subject& s) {
        return s.node->string_attribute("activation", "").empty() && s.node->inputs.size() < 4;
    };
    const auto conv = op("Conv|com.microsoft::FusedConv", {any("x")})
                          .more_inputs()
                          .named("conv")
                          .where(free, "it has an activation or addend already")
                          .require(read_once(), "the Conv's result is also read elsewhere");
    const auto fits = [](const Subject& s) {
        return same_shape(s.match.type("conv"), s.match.type("z"));
    };
    const auto sum = op("Add", {conv, any("z")})
                         .commutative()
                         .versions(7)
                         .named("y")
                         .require(fits, "the addend is not provably of the Conv's shape");
    const auto summed = op("com.microsoft::FusedConv", {any("x")})
                            .more_inputs()
                            .named("conv")
                            .where(
                                [](const Subject& s) {
                                    return s.node->string_attribute("activation", "").empty() &&
                                           s.node->inputs.size() > 3;
                                },
                                "it has an activation")
                            .require(read_once(), "the Conv's result is also read elsewhere");
    return {.rules = {{.pattern = sum,
                       .rewrite =
                           [](const Match& m, PassContext& context) {
                               const Node& conv = m.node("conv");
                               if (const DType t = m.scope().dtype(m.value("conv"));
                                   !has_fused_kernel(m.scope(), t))
                                   return declined(no_fused_kernel("FusedConv", t));
                               if (const int rank = m.scope().rank(m.value("conv")); rank != 4)
                                   return declined("the Conv has rank " + std::to_string(rank) +
                                                   ", needs 4");
                               std::vector<ValueId> inputs = conv.inputs;
                               inputs.resize(3);
                               inputs.push_back(m.value("z"));
                               context.replace(m.root(), "com.microsoft::FusedConv", inputs,
                                               conv.attributes, m.nodes());
                               return applied("the sum went into the Conv");
                           }},
                      {.pattern = op(conv_activations(), {summed}).more_inputs().named("y"),
                       .rewrite = [](const Match& m, PassContext& context) {
                           std::string why;
                           const auto activation = conv_activation(m.scope(), m.node("y"), why);
                           if (!activation) return stopped_by(why);
                           std::vector<Attribute> attributes = m.node("conv").attributes;
                           attributes.insert(attributes.end(), activation->begin(),
                                             activation->end());
                           const std::string text = m.node("y").op_type + " went into the Conv";
                           context.replace(m.root(), "com.microsoft::FusedConv",
                                           m.node("conv").inputs, attributes, m.nodes());
                           return applied(text);
                       }}}};
}

}  // namespace lapidary::passes
