// SPDX-License-Identifier: Apache-2.0
// Finds parts of a graph that run here but that ONNX's checker or ONNX Runtime refuse. Loading
// reports them, exports repair them.
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
/// A use that the node's operator version forbids and later ones allow, and that runs here the same
/// way: "axis is -1; before opset 11 it may not be below zero". Empty where there is none.
std::string forbidden_by_version(const Node& node);

/// Values whose declared types should be left out of a file. They stand in a graph with a Squeeze
/// without axes whose input has known rank and unknown sizes. ONNX Runtime 1.18 to 1.22 take its
/// result for a scalar if the input's rank is declared.
std::vector<ValueId> shapes_that_mislead(const Graph& graph);

}  // namespace lapidary
