// SPDX-License-Identifier: Apache-2.0
// Turns Constant nodes into constants of the graph.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>

namespace lapidary {

/// The value of a Constant node. Empty for other nodes, and for a Constant with several values,
/// without one, or with a sparse one that would be large when dense: those stay nodes.
std::optional<Tensor> constant_of(const Node& node);

/// Every constant of this graph: initializers and what Constant nodes hold; not those of bodies
/// within its nodes.
void for_each_constant(const Graph& graph, const std::function<void(const Tensor&)>& visit);

/// Makes every Constant node of this graph an initializer of the same name and returns how many
/// there were; bodies within its nodes stay as they are. ONNX Runtime does so while it loads a
/// model, at every level.
std::size_t lift_constants(const Graph& graph, GraphEdit& edit);

/// The same in the main graph and all bodies below it. Throws cancelled.
void lift_constants(Model& model, const CancelToken& cancel = {});

}  // namespace lapidary
