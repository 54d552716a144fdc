// SPDX-License-Identifier: Apache-2.0
#include "edit/node_names.h"

#include <algorithm>

#include "graph/reader_demands.h"

namespace lapidary {

TakenNodeNames::TakenNodeNames(const Graph& graph) {
    for (const NodeId id : graph.nodes())
        if (const std::string& name = graph.node(id).name; !name.empty()) names_.insert(name);
}

std::string TakenNodeNames::fresh(const std::string& base) {
    std::string name = base;
    for (std::size_t number = 1; !names_.insert(name).second; ++number)
        name = base + "_" + std::to_string(number);
    return name;
}

RepeatedNames repeated_node_names(const Graph& graph) {
    RepeatedNames repeated;
    for (const NodeId id : nodes_of_taken_names(graph)) ++repeated[graph.node(id).name];
    return repeated;
}

std::vector<NodeId> nodes_of_repeated_names(const Graph& graph, const RepeatedNames& repeated,
                                            const GraphBefore& before) {
    RepeatedNames added = repeated_node_names(graph);
    for (const auto& [name, count] : repeated)
        if (const auto found = added.find(name); found != added.end())
            found->second -= std::min(found->second, count);
    std::erase_if(added, [](const auto& entry) { return entry.second == 0; });
    std::vector<NodeId> found;
    if (added.empty()) return found;
    std::vector<NodeId> nodes(graph.nodes().begin(), graph.nodes().end());
    std::ranges::stable_partition(nodes, [&](NodeId id) { return before.had(id); });
    for (auto id = nodes.rbegin(); id != nodes.rend(); ++id) {
        const auto left = added.find(graph.node(*id).name);
        if (left == added.end() || left->second == 0) continue;
        --left->second;
        found.push_back(*id);
    }
    std::ranges::reverse(found);
    return found;
}

void give_fresh_names(GraphEdit& edit, const std::vector<NodeId>& nodes) {
    if (nodes.empty()) return;
    TakenNodeNames names(edit.graph());
    for (const NodeId id : nodes) edit.rename(id, names.fresh(edit.graph().node(id).name));
}

}  // namespace lapidary
