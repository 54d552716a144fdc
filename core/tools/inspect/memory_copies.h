// SPDX-License-Identifier: Apache-2.0
// A session that is split over devices has copies between their memory and the host's among its
// nodes (exec/plan/planned_copies.h). These find the values of the model behind them.
#pragma once

#include <lapidary/graph/graph.h>

namespace lapidary {

/// The value that has the name in the model: `id`, or what it is copied to in host memory, or what
/// it was copied from to a device.
ValueId value_of_model(const Graph& graph, ValueId id);

/// What the node that computes the value writes, or the graph's input: before any copy.
ValueId value_before_copies(const Graph& graph, ValueId id);

}  // namespace lapidary
