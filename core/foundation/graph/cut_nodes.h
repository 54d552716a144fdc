// SPDX-License-Identifier: Apache-2.0
// Some nodes of a model's main graph as a model of their own.
#pragma once

#include <set>
#include <string>
#include <vector>

#include <lapidary/graph/model.h>

namespace lapidary {

/// A value of the edge, with the name and the type that it has in the new model.
struct CutPort {
    ValueId value;  // empty: an input without readers
    std::string name;
    Type type;  // of inputs
};

/// What the nodes read of others, constants left out, in the order of reading.
std::vector<ValueId> values_read_by(const Graph& graph, const std::set<NodeId>& nodes);
/// Whether others read the value, or it is a graph output.
bool is_read_outside(const Graph& graph, ValueId value, const std::set<NodeId>& nodes);

/// The nodes with the constants that they read; graph inputs keep their defaults. Outputs that they
/// do not write go through an Identity. Where a name is taken by a value inside, that one gets
/// another. Nothing is inferred.
Model cut_nodes(Model model, const std::set<NodeId>& nodes, const std::vector<CutPort>& inputs,
                const std::vector<CutPort>& outputs);

}  // namespace lapidary
