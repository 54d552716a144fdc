// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include <lapidary/graph/graph_edit.h>

namespace lapidary::passes {

/// A Cast, or several in one node, with the nodes that they were added for.
struct JoinedCasts {
    NodeId node;
    std::vector<NodeId> added_for;
};

/// Puts those of the Casts that read inputs of the graph into one node (lapidary::MultiCast), and
/// those whose results are outputs of the graph alone into another, from four on: decoders have a
/// cache for each layer, and a launch for each of many small tensors costs more than its bytes.
/// `casts`: with the node that each was added for. Returns all that are there then. What rounds
/// float32 becomes a lapidary::MultiCast, alone as well.
std::vector<JoinedCasts> join_casts(GraphEdit& edit,
                                    const std::vector<std::pair<NodeId, NodeId>>& casts);

/// Chains (lapidary::ElementwiseChain) that one of the Casts alone reads write what it gives,
/// within bounds. Returns the other Casts.
std::vector<std::pair<NodeId, NodeId>> fold_casts_into_chains(
    GraphEdit& edit, const std::vector<std::pair<NodeId, NodeId>>& casts);

}  // namespace lapidary::passes
