// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include <lapidary/graph/graph.h>
#include <lapidary/graph/model.h>

namespace lapidary {

/// Nodes so that each stands after the writers of what it reads (captures included); stable with
/// respect to graph.nodes(). Throws invalid_model listing one cycle. Iterative.
std::vector<NodeId> topological_order(const Graph& graph);

/// Calls `visit` for this graph and, depth first, every graph in attributes of its nodes.
/// `place` is e.g. "main/If "if0"/then_branch".
void for_each_graph(const Graph& graph,
                    const std::function<void(const Graph&, const std::string& place)>& visit,
                    const std::string& place = "main");
/// The same over main graph and function bodies.
void for_each_graph(const Model& model,
                    const std::function<void(const Graph&, const std::string& place)>& visit);

}  // namespace lapidary
