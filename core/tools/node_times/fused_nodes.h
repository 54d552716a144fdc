// SPDX-License-Identifier: Apache-2.0
// Which nodes of a model an engine fused into which of its kernels, where the engine does not say.
#pragma once

#include <vector>

#include <lapidary/graph/graph.h>

#include "node_times/kernel_times.h"

namespace lapidary {

/// Adds to each kernel the nodes of `graph` that it took into itself. A kernel is known by the node
/// whose value it writes. What no kernel stands for and lies before it, back to nodes of other
/// kernels, is in it: Mul and Add before the last node of a normalization. Elementwise nodes
/// behind a kernel whose ends are not known are in it too: Relu behind a Conv whose output has a
/// name that the model lacks. A node is given to one kernel only.
void add_fused_nodes(const Graph& graph, std::vector<KernelTimes>& kernels);

}  // namespace lapidary
