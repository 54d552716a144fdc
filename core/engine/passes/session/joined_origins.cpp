// SPDX-License-Identifier: Apache-2.0
#include "passes/session/joined_origins.h"

#include <unordered_set>

namespace lapidary {

std::vector<NodeId> joined_origins(const Graph& graph, std::span<const NodeId> nodes) {
    std::vector<NodeId> origins;
    std::unordered_set<NodeId> known;
    for (NodeId id : nodes)
        for (NodeId origin : graph.node(id).origins)
            if (known.insert(origin).second) origins.push_back(origin);
    return origins;
}

}  // namespace lapidary
