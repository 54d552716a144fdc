// SPDX-License-Identifier: Apache-2.0
// Cuts some nodes out of a model's main graph as a separate model.
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

/// The values of other nodes that these nodes read, without constants, in the order of reading.
std::vector<ValueId> values_read_by(const Graph& graph, const std::set<NodeId>& nodes);
/// Whether other nodes read the value, or it is a graph output.
bool is_read_outside(const Graph& graph, ValueId value, const std::set<NodeId>& nodes);

/// The nodes with the constants that they read; graph inputs keep their defaults. Outputs that they
/// do not write go through an Identity. A value inside whose name is needed for a port gets another
/// name. Nothing is inferred.
Model cut_nodes(Model model, const std::set<NodeId>& nodes, const std::vector<CutPort>& inputs,
                const std::vector<CutPort>& outputs);

}  // namespace lapidary
