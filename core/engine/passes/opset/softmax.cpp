// SPDX-License-Identifier: Apache-2.0
#include "passes/lowering/plain_nodes.h"
#include "passes/opset/convert_opset.h"
#include "passes/opset/step_nodes.h"

namespace lapidary::opset {

/// Softmax before 13 flattens the input to a matrix at `axis` (default 1) and works along its rows.
/// Along the last axis, or where all axes behind the first of them have size 1, that is Softmax
/// of 13.
Outcome softmax_13(const Node& node, PassContext& context) {
    const ValueId x = node.inputs.at(0);
    const int rank = context.scope().rank(x);
    std::int64_t axis = node.int_attribute("axis", 1);
    if (rank >= 0 && axis < 0) axis += rank;
    bool one_axis = rank >= 0 && axis < rank;
    for (std::int64_t i = axis + 1; one_axis && i < rank; ++i)
        one_axis = context.scope().dim(x, static_cast<int>(i)) == 1;
    if (one_axis)
        return replaced(node, context, node.op_type, {x}, {attr("axis", axis)}, "named its axis");
    if (rank == 0) return declined("its input is a scalar");
    lowering::PlainNodes plain(node, context);
    const ValueId rows = plain.op("Flatten", {x}, {attr("axis", axis)});
    const ValueId y = plain.op(node.op_type, {rows}, {attr("axis", -1)});
    return plain.finish({plain.op("Reshape", {y, plain.shape_of(x)})},
                        "wrote out the flattening to a matrix");
}

}  // namespace lapidary::opset
