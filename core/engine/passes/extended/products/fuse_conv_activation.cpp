// SPDX-License-Identifier: Apache-2.0
//   before:  y = Relu(Conv(x, W, b))       also Sigmoid, Tanh, LeakyRelu, Clip, HardSigmoid
//   after:   y = com.microsoft::FusedConv(x, W, b) {activation, activation_params}
#include "passes/extended/products/fused_product.h"

namespace lapidary::passes {
using namespace pattern;

PassBody fuse_conv_activation() {
    const auto free = [](const Subject& s) {
        return s.node->string_attribute("activation", "").empty();
    };
    const auto conv = op("Conv|com.microsoft::FusedConv", {any("x")})
                          .more_inputs()
                          .named("conv")
                          .where(free, "it has an activation already")
                          .require(read_once(), "the Conv's result is also read elsewhere");
    return {.rules = {{.pattern = op(conv_activations(), {conv}).more_inputs().named("y"),
                       .rewrite = [](const Match& m, PassContext& context) {
                           const Node& conv = m.node("conv");
                           const Node& y = m.node("y");
                           if (const DType t = m.scope().dtype(m.value("conv"));
                               !has_fused_kernel(m.scope(), t))
                               return declined(no_fused_kernel("FusedConv", t));
                           std::string why;
                           const auto activation = conv_activation(m.scope(), y, why);
                           if (!activation) return stopped_by(why);
                           std::vector<Attribute> attributes = conv.attributes;
                           std::erase_if(attributes, [](const Attribute& a) {
                               return a.name == "activation" || a.name == "activation_params";
                           });
                           attributes.insert(attributes.end(), activation->begin(),
                                             activation->end());
                           const std::string text = y.op_type + " went into the Conv";
                           context.replace(m.root(), "com.microsoft::FusedConv", conv.inputs,
                                           attributes, m.nodes());
                           return applied(text);
                       }}}};
}

}  // namespace lapidary::passes
