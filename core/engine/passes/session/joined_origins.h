// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <lapidary/graph/graph.h>

namespace lapidary {

/// What these nodes stand for together: each origin once, in their order.
std::vector<NodeId> joined_origins(const Graph& graph, std::span<const NodeId> nodes);

}  // namespace lapidary
