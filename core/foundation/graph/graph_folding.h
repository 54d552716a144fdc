// SPDX-License-Identifier: Apache-2.0
// Large graphs as boxes within boxes: by the scopes in node names ("/encoder/layer.0/..."), or
// without scopes by runs of neighbours. No group has more boxes than a reader can follow.
#pragma once

#include <string>
#include <vector>

#include <lapidary/graph/graph.h>

namespace lapidary {

struct FoldedGroup {
    std::string label;          // "encoder/layer.0", "Nodes 101 to 200: 40 Conv, 38 Relu"
    std::vector<NodeId> nodes;  // shown by themselves
    std::vector<FoldedGroup> groups;
    std::vector<NodeId> all;  // nodes of all depths, in the graph's order
};

struct FoldingLimits {
    std::size_t unfolded = 1500;  // up to so many nodes are drawn as they are
    std::size_t boxes = 300;      // of a group, about
};

/// The root holds everything; its label is empty. `nodes`: those to draw, in the graph's order.
FoldedGroup fold_graph(const Graph& graph, const std::vector<NodeId>& nodes,
                       const FoldingLimits& limits = {});

}  // namespace lapidary
