// SPDX-License-Identifier: Apache-2.0
// Names of nodes that no other node of the graph has: ONNX Runtime refuses a graph in which two
// nodes have one name. Nodes without a name are fine.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include <lapidary/graph/graph_edit.h>

#include "edit/changed_types.h"

namespace lapidary {

/// The names that nodes of a graph have.
class TakenNodeNames {
public:
    explicit TakenNodeNames(const Graph& graph);

    /// False for the empty name.
    bool has(const std::string& name) const { return names_.contains(name); }
    /// `base`, else base_1, base_2 ...: a name that no node has. It counts as taken afterwards.
    std::string fresh(const std::string& base);

private:
    std::set<std::string> names_;
};

/// Name -> how many nodes have it beside the first one.
using RepeatedNames = std::map<std::string, std::size_t>;
RepeatedNames repeated_node_names(const Graph& graph);

/// Nodes that need another name, so that no name is repeated more often than in `repeated`, which
/// is from before an edit. Where there is a choice, new nodes are taken, and later ones.
std::vector<NodeId> nodes_of_repeated_names(const Graph& graph, const RepeatedNames& repeated,
                                            const GraphBefore& before);

/// Gives each of the nodes a fresh name that begins with its present one.
void give_fresh_names(GraphEdit& edit, const std::vector<NodeId>& nodes);

}  // namespace lapidary
