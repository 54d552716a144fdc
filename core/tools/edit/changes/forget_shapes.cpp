// SPDX-License-Identifier: Apache-2.0
#include "edit/changes/forget_shapes.h"

namespace lapidary {
namespace {

void forget_shapes_in_body(GraphPtr& body) {
    if (!body) return;
    auto copy = std::make_shared<Graph>(*body);
    GraphEdit edit(*copy);
    for (const ValueId id : copy->values())
        if (const Value& value = copy->value(id); value.type.is_tensor() && !value.constant)
            edit.set_type(id, Type::tensor(value.type.dtype));
    forget_shapes(edit);
    edit.finish();
    body = std::move(copy);
}

}  // namespace

void forget_shapes(GraphEdit& edit) {
    const Graph& graph = edit.graph();
    for (const ValueId id : graph.values())
        if (const Value& value = graph.value(id);
            value.kind == ValueKind::node_output && value.type.is_tensor())
            edit.set_type(id, Type::tensor(value.type.dtype));
    const std::vector<NodeId> nodes(graph.nodes().begin(), graph.nodes().end());
    for (const NodeId id : nodes) {
        std::vector<Attribute> changed;
        for (const Attribute& attribute : graph.node(id).attributes)
            if (std::holds_alternative<GraphPtr>(attribute.value)) changed.push_back(attribute);
        for (Attribute& attribute : changed) {
            forget_shapes_in_body(std::get<GraphPtr>(attribute.value));
            edit.set_attribute(id, std::move(attribute));
        }
    }
}

}  // namespace lapidary
