// SPDX-License-Identifier: Apache-2.0
//   before:  y = Transpose(ReorderOutput(x)) {perm: [0,2,3,1]}   z = ReorderInput(Transpose(x)
//            {perm: [0,3,1,2]})
//   after:   y = ReorderOutput(x) {channels_last: 1}   z = ReorderInput(x) {channels_last: 1}
#include "passes/layout/reorder_transposes.h"

#include <vector>

#include "passes/layout/blocked_region.h"
#include "passes/layout/layout_operator.h"

namespace lapidary::passes {
namespace {

/// True where it did.
bool merge_behind(PassContext& context, NodeId id) {
    const Node node = context.graph().node(id);
    if (!is_transpose(&node, {0, 2, 3, 1})) return false;
    const Node* const reorder = context.scope().producer(node.inputs.at(0));
    if (!is_reorder(reorder, "ReorderOutput")) return false;
    const std::int64_t channels = reorder->int_attribute("channels", 0);
    const std::vector<NodeId> matched{id, reorder->id};
    context.replace(id, "com.microsoft.nchwc::ReorderOutput", {reorder->inputs[0]},
                    {attr("channels", channels), attr("channels_last", 1)}, matched);
    context.record("a Transpose to channels last became part of the reorder");
    return true;
}

bool merge_in_front(PassContext& context, NodeId id) {
    const Node node = context.graph().node(id);
    if (!is_reorder(&node, "ReorderInput")) return false;
    const Node* const transpose = context.scope().producer(node.inputs.at(0));
    if (!is_transpose(transpose, {0, 3, 1, 2})) return false;
    const std::vector<NodeId> matched{id, transpose->id};
    context.replace(id, "com.microsoft.nchwc::ReorderInput", {transpose->inputs[0]},
                    {attr("channels_last", 1)}, matched);
    context.record("a Transpose from channels last became part of the reorder");
    return true;
}

}  // namespace

void merge_transposes_with_reorders(PassContext& context) {
    const std::vector<NodeId> nodes(context.graph().nodes().begin(), context.graph().nodes().end());
    for (NodeId id : nodes) {
        if (!context.may_rewrite()) return;
        if (!context.graph().is_alive(id)) continue;
        if (!merge_behind(context, id) && context.graph().is_alive(id)) merge_in_front(context, id);
    }
}

}  // namespace lapidary::passes
