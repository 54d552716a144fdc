// SPDX-License-Identifier: Apache-2.0
// Copies the nodes of a function body or subgraph into another graph.
#pragma once

#include <map>
#include <string>

#include <lapidary/graph/graph_edit.h>

namespace lapidary {

/// Values of the body -> values of the graph it is copied into; empty id: omitted.
using ValueMap = std::map<ValueId, ValueId>;

/// Adds the body's initializers and nodes. `map` holds what the body's inputs (and captured values)
/// become and gets the rest. Names get `prefix`; nodes without a name stay without one. Nodes get
/// `origins`; subgraphs of copied nodes read the copies.
void splice_nodes(GraphEdit& edit, const Graph& body, ValueMap& map, const std::string& prefix,
                  const std::vector<NodeId>& origins);

/// Lets the copies of the body's outputs take the place of `call`'s outputs, names included, and
/// erases the call. A body output that cannot be renamed (an input, a constant, one named twice)
/// goes through an Identity. Throws invalid_model when the call has more outputs than the body.
void splice_outputs(GraphEdit& edit, NodeId call, const Graph& body, const ValueMap& map,
                    std::int64_t identity_version);

}  // namespace lapidary
