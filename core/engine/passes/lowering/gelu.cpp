// SPDX-License-Identifier: Apache-2.0
#include "passes/lowering/lowering.h"
#include "passes/lowering/plain_nodes.h"

namespace lapidary::lowering {

Outcome gelu(const Node& node, PassContext& context) {
    PlainNodes plain(node, context);
    return plain.finish({plain.gelu_erf(node.inputs.at(0))}, "wrote out Gelu");
}

Outcome bias_gelu(const Node& node, PassContext& context) {
    PlainNodes plain(node, context);
    return plain.finish({plain.gelu_erf(plain.add(node.inputs.at(0), node.inputs.at(1)))},
                        "wrote out BiasGelu");
}

Outcome fast_gelu(const Node& node, PassContext& context) {
    PlainNodes plain(node, context);
    const ValueId bias = input_of(node, 1);
    const ValueId x = bias ? plain.add(node.inputs.at(0), bias) : node.inputs.at(0);
    return plain.finish({plain.gelu_tanh(x)}, "wrote out FastGelu");
}

Outcome quick_gelu(const Node& node, PassContext& context) {
    PlainNodes plain(node, context);
    const ValueId x = node.inputs.at(0);
    const double alpha = static_cast<double>(node.float_attribute("alpha", 1.702f));
    return plain.finish({plain.mul(x, plain.op("Sigmoid", {plain.mul(x, alpha)}))},
                        "wrote out QuickGelu");
}

}  // namespace lapidary::lowering
