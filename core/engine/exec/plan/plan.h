// SPDX-License-Identifier: Apache-2.0
// A graph made ready to run: steps in order, one kernel each, when each value dies.
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
    const Provider* provider = nullptr;  // runs the kernel; of a copy: the one that is not the CPU
    KernelChoice kernel;
    // why the reference kernel was chosen for it; empty: another was, or nothing else asked for
    std::string why_plain;
    std::vector<ValueId> dies_after;  // values whose last reader this step is
    std::map<std::string, std::unique_ptr<Plan>, std::less<>> subgraphs;
};

struct Plan {
    const Graph* graph = nullptr;
    int number = 0;  // 0 main; subgraphs counted on
    int depth = 0;
    std::string path;  // "" for main, "if0/then_branch/" for subgraphs
    std::vector<Step> steps;
    std::vector<RuntimeValue> constants;  // by ValueId::index, empty where the value is no constant
    // by ValueId::index: step index; SIZE_MAX: graph output, never dies
    std::vector<std::size_t> last_use;
    std::unique_ptr<DevicePlan> devices;  // null: all steps run on the CPU
    // by step: why the newest run that handed it to the reference kernel did so; null: none did.
    // Written by runs.
    std::unique_ptr<std::atomic<const char*>[]> fallbacks;
};

/// What a plan needs a kernel for and does not get: one sentence per node.
using MissingKernels = std::vector<std::string>;

/// Builds the plan of a graph and, inside it, of every subgraph, whose steps run on the CPU.
/// `counter` numbers plans. `placement` null: the CPU alone. Throws cancelled.
std::unique_ptr<Plan> make_plan(const Graph& graph, const std::string& path, int depth,
                                int& counter, MissingKernels& missing, const KernelOptions& options,
                                WeightStore& weights, const CancelToken& cancel,
                                const DevicePlacement* placement = nullptr);

/// Lets go of constants that no kernel of the plan reads, subgraphs included: they were packed.
/// Returns those of the main graph.
std::vector<ValueId> drop_unread_constants(Plan& plan);

/// Every plan of the tree by its number.
void collect_plans(const Plan& plan, std::vector<const Plan*>& out);

/// Node name, or "Op_<index>" where it has none, behind the plan's path.
std::string step_name(const Plan& plan, const Step& step);

}  // namespace lapidary
