// SPDX-License-Identifier: Apache-2.0
// The nodes that make a value of values which both sides have, and what differs between those of
// two sides.
#pragma once

#include <string>
#include <vector>

#include <lapidary/graph/graph.h>

#include "inspect/match_values.h"

namespace lapidary {

/// Nodes from a value back to those with a counterpart: the value's own node first.
struct NodeRegion {
    const Graph* graph = nullptr;
    /// The main graph as it was loaded: kernels may hold constants of `graph` in a form of their
    /// own.
    const Graph* loaded = nullptr;
    std::vector<NodeId> nodes;
    std::vector<ValueId> inputs;  // that they read of others: not constants, each once
};

/// `is_a`: the graph is one of A.
NodeRegion region_of(const Graph& graph, const Graph& loaded, ValueId value,
                     const MatchedValues& values, bool is_a);

/// The nodes to look at first: those without a counterpart, then the one that writes the value.
std::vector<NodeId> suspects(const NodeRegion& region, const MatchedValues& values, bool is_a);

/// What differs, a phrase each: operators, their versions, attributes, inputs, constants.
std::vector<std::string> differences_between(const NodeRegion& a, const NodeRegion& b);

}  // namespace lapidary
