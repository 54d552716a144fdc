// SPDX-License-Identifier: Apache-2.0
// A graph made ready to run: steps in order, each with its kernel, and the last use of each value.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <lapidary/graph/graph.h>

#include "exec/device/device_plan.h"
#include "exec/provider.h"

namespace lapidary {

struct Plan;

struct Step {
    NodeId node;
    const Provider* provider = nullptr;  // of a copy: the provider that is not the CPU
    KernelChoice kernel;
    // why the reference kernel was chosen; empty: another was chosen, or no other was wanted
    std::string why_plain;
    std::vector<ValueId> dies_after;  // values of which this step is the last reader
    std::map<std::string, std::unique_ptr<Plan>, std::less<>> subgraphs;
};

struct Plan {
    const Graph* graph = nullptr;
    int number = 0;  // 0: main graph; subgraphs follow
    int depth = 0;
    std::string path;  // "" for main, "if0/then_branch/" for subgraphs
    std::vector<Step> steps;
    std::vector<RuntimeValue> constants;  // by ValueId::index, empty for other values
    // by ValueId::index: step index; SIZE_MAX: a graph output, which is never released
    std::vector<std::size_t> last_use;
    std::unique_ptr<DevicePlan> devices;  // null: all steps run on the CPU
    // by step: why the newest run that used the reference kernel for it did so; null: none did.
    // Written by runs.
    std::unique_ptr<std::atomic<const char*>[]> fallbacks;
};

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

/// Every plan of the tree, by its number.
void collect_plans(const Plan& plan, std::vector<const Plan*>& out);

/// The plan's path and the node's name, or "Op_<index>" for a node without one.
std::string step_name(const Plan& plan, const Step& step);

}  // namespace lapidary
