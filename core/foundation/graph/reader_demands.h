// SPDX-License-Identifier: Apache-2.0
// Finds what ONNX's checker and ONNX Runtime refuse in a graph that runs here all the same. Loading
// reports it, exports repair it.
#pragma once

#include <string>
#include <vector>

#include <lapidary/graph/graph.h>

namespace lapidary {

/// Nodes of the graph whose name an earlier node of the same graph has. Names need not differ
/// between graphs.
std::vector<NodeId> nodes_of_taken_names(const Graph& graph);
/// Outputs of a branch or body that are values of the graph around it: indices into
/// graph.outputs().
std::vector<std::size_t> outputs_from_outside(const Graph& graph);
/// What the version of the operator forbids that later ones allow and that is computed here the
/// same way: "axis is -1; before opset 11 it may not be below zero". Empty where nothing is.
std::string forbidden_by_version(const Node& node);

/// Values of the graph that a file would declare and had better not: it has a Squeeze without axes
/// of an input of known rank and unknown sizes, whose result ONNX Runtime 1.18 to 1.22 take for a
/// scalar. Without declarations they know the rank only where they infer it themselves.
std::vector<ValueId> shapes_that_mislead(const Graph& graph);

}  // namespace lapidary
