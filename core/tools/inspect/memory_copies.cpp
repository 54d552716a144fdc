// SPDX-License-Identifier: Apache-2.0
#include "inspect/memory_copies.h"

#include "exec/plan/planned_copies.h"

namespace lapidary {
namespace {

/// The copy that writes the value; null: none does.
const Node* copy_that_writes(const Graph& graph, ValueId id) {
    const Value& value = graph.value(id);
    if (value.kind != ValueKind::node_output) return nullptr;
    const Node& node = graph.node(value.producer);
    return is_copy(node) ? &node : nullptr;
}

}  // namespace

ValueId value_of_model(const Graph& graph, ValueId id) {
    if (!id) return id;
    if (const Node* const copy = copy_that_writes(graph, id))
        return copies_to(*copy) == CopyDirection::to_device ? copy->inputs[0] : id;
    for (const Use& use : graph.value(id).uses)
        if (const Node& node = graph.node(use.node);
            is_copy(node) && copies_to(node) == CopyDirection::to_host)
            return node.outputs[0];
    return id;
}

ValueId value_before_copies(const Graph& graph, ValueId id) {
    while (id) {
        const Node* const copy = copy_that_writes(graph, id);
        if (copy == nullptr) break;
        id = copy->inputs[0];
    }
    return id;
}

}  // namespace lapidary
