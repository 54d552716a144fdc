// SPDX-License-Identifier: Apache-2.0
#include "passes/session/become_operator.h"

#include <algorithm>
#include <string>

#include "passes/session/joined_origins.h"
#include "rewrite/session_domain.h"

namespace lapidary {

void become_operator(GraphEdit& edit, NodeId node, std::string_view op_type,
                     std::span<const ValueId> inputs, std::vector<Attribute> attributes,
                     std::span<const NodeId> fused) {
    const Graph& graph = edit.graph();
    edit.set_origins(node, joined_origins(graph, fused));
    for (const Attribute& a : std::vector<Attribute>(graph.node(node).attributes))
        edit.remove_attribute(node, a.name);
    const std::size_t slots = std::max(inputs.size(), graph.node(node).inputs.size());
    for (std::size_t i = 0; i < slots; ++i)
        edit.set_input(node, i, i < inputs.size() ? inputs[i] : ValueId());
    edit.set_operator(node, std::string(session_domain), std::string(op_type), 1);
    for (Attribute& a : attributes) edit.set_attribute(node, std::move(a));
}

}  // namespace lapidary
