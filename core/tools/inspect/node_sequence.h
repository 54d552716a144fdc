// SPDX-License-Identifier: Apache-2.0
// Aligns the nodes of two graphs whose names say nothing.
#pragma once

#include <utility>
#include <vector>

#include <lapidary/graph/graph.h>

namespace lapidary {

/// The node that writes the value, before a session's copies to and from devices; null: none does.
const Node* writer_of(const Graph& graph, ValueId id);
/// True for initializers and for what Constant nodes hold.
bool holds_constant(const Graph& graph, ValueId id);

/// The nodes from which outputs are computed, in an order that depends on the structure alone: that
/// of a walk from the outputs over the inputs.
std::vector<NodeId> structural_order(const Graph& graph);

/// Pairs of nodes of the longest common subsequence of operators.
std::vector<std::pair<NodeId, NodeId>> align_nodes(const Graph& a, const std::vector<NodeId>& of_a,
                                                   const Graph& b, const std::vector<NodeId>& of_b);

}  // namespace lapidary
