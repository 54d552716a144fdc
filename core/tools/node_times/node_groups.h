// SPDX-License-Identifier: Apache-2.0
// Kernels of two engines put into groups that stand for the same nodes of a model.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <lapidary/graph/graph.h>

#include "node_times/kernel_times.h"

namespace lapidary {

/// Kernels that stand for the same nodes.
struct KernelGroup {
    std::vector<NodeId> nodes;   // of the model, in its order; empty: no node of it
    std::vector<std::size_t> a;  // places in the kernels of A; empty: it ran none
    std::vector<std::size_t> b;  // of B
};

/// The smallest groups such that each kernel of either side is in one, and each node in one at
/// most. Kernels that are no node of the model are grouped by operator: their names change with
/// each session.
std::vector<KernelGroup> group_nodes(const Graph& graph, const std::vector<KernelTimes>& a,
                                     const std::vector<KernelTimes>& b);

}  // namespace lapidary
