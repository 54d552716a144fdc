// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include <lapidary/graph/graph_edit.h>

namespace lapidary::passes {

/// A Cast, or a node that does several, with the nodes that they were added for.
struct JoinedCasts {
    NodeId node;
    std::vector<NodeId> added_for;
};

/// Joins Casts, from four on: those that read inputs of the graph into one node
/// (lapidary::MultiCast), and those whose results are only outputs of the graph into another.
/// Decoders have a cache for each layer, and one launch per small tensor costs more time than its
/// bytes. A Cast that rounds float32 becomes a lapidary::MultiCast even if it is not joined.
/// `casts`: each with the node that it was added for. Returns the Casts after that.
std::vector<JoinedCasts> join_casts(GraphEdit& edit,
                                    const std::vector<std::pair<NodeId, NodeId>>& casts);

/// If a Cast is the only reader of a chain (lapidary::ElementwiseChain), the chain writes the
/// Cast's result itself, bounded to the range of its type. Returns the other Casts.
std::vector<std::pair<NodeId, NodeId>> fold_casts_into_chains(
    GraphEdit& edit, const std::vector<std::pair<NodeId, NodeId>>& casts);

}  // namespace lapidary::passes
