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
    std::string reference_reason;
    std::vector<ValueId> released_after;  // values of which this step is the last reader
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

/// Every plan of the tree, by its number.
void collect_plans(const Plan& plan, std::vector<const Plan*>& out);

/// The plan's path and the node's name, or "Op_<index>" for a node without one.
std::string step_name(const Plan& plan, const Step& step);

}  // namespace lapidary
