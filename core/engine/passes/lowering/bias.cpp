// SPDX-License-Identifier: Apache-2.0
// BiasSoftmax, BiasDropout, BiasAdd, BiasSplitGelu.
#include "passes/lowering/lowering.h"
#include "passes/lowering/plain_nodes.h"

namespace lapidary::lowering {

Outcome bias_softmax(const Node& node, PassContext& context) {
    PlainNodes plain(node, context);
    return plain.finish({plain.softmax_flattened(plain.add(node.inputs.at(0), node.inputs.at(1)),
                                                 node.int_attribute("axis", 1))},
                        "wrote out BiasSoftmax");
}

Outcome bias_dropout(const Node& node, PassContext& context) {
    if (is_wanted(context, node, 1)) return declined("its mask is read");
    if (const ValueId training = input_of(node, 4)) {
        const Tensor* flag = context.scope().constant(training);
        if (!flag || flag->size() != 1 || to_int64s(*flag)[0] != 0)
            return declined("it may be in training mode");
    }
    PlainNodes plain(node, context);
    ValueId y = plain.add(node.inputs.at(0), node.inputs.at(1));
    if (const ValueId residual = input_of(node, 2)) y = plain.add(y, residual);
    return plain.finish({y}, "wrote out BiasDropout");
}

Outcome bias_add(const Node& node, PassContext& context) {
    PlainNodes plain(node, context);
    return plain.finish(
        {plain.add(plain.add(node.inputs.at(0), node.inputs.at(1)), node.inputs.at(2))},
        "wrote out BiasAdd");
}

Outcome bias_split_gelu(const Node& node, PassContext& context) {
    PlainNodes plain(node, context);
    const std::int64_t width = context.scope().dim(node.inputs.at(0), -1);
    const int rank = plain.rank(node.inputs[0]);
    if (width < 0 || rank < 1) return declined("the size of its last dimension is not known");
    const ValueId x = plain.add(node.inputs[0], node.inputs.at(1));
    return plain.finish({plain.mul(plain.slice(x, rank - 1, 0, width / 2),
                                   plain.gelu_erf(plain.slice(x, rank - 1, width / 2, width)))},
                        "wrote out BiasSplitGelu");
}

}  // namespace lapidary::lowering
