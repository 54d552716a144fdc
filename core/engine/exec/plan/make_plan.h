// SPDX-License-Identifier: Apache-2.0
// Chooses a kernel for each node of a graph and finds the last step that reads each value.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "exec/plan/placement.h"
#include "exec/plan/plan.h"

namespace lapidary {

/// Nodes for which no kernel was found: one sentence for each.
using MissingKernels = std::vector<std::string>;

/// Builds the plan of a graph whose steps run on the CPU, and inside it the plan of every subgraph.
/// `counter` numbers plans. `placement` null: only the CPU. Throws cancelled.
std::unique_ptr<Plan> make_plan(const Graph& graph, const std::string& path, int depth,
                                int& counter, MissingKernels& missing, const KernelOptions& options,
                                WeightStore& weights, const CancelToken& cancel,
                                const DevicePlacement* placement = nullptr);

/// Releases constants that no kernel of the plan reads because they were packed, also in subgraphs.
/// Returns those of the main graph.
std::vector<ValueId> drop_unread_constants(Plan& plan);

}  // namespace lapidary
