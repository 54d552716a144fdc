// SPDX-License-Identifier: Apache-2.0
// What compiling does before any weight is packed: the graph that runs and the steps of its plan.
// Sessions and memory reports share it, so that a report describes what a session does.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/graph/model.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/base/progress.h>
#include <lapidary/exec/session_options.h>

#include "exec/plan/plan.h"

namespace lapidary {

/// Runs one named phase of compiling.
using PhaseRunner = std::function<void(std::string name, const std::function<void()>& work)>;

inline constexpr std::string_view session_passes_phase = "session passes";

/// Expands functions, infers types and applies the session passes that the options select (none
/// with reference kernels), then rounds weights as compute_of() says. `provider`: the one whose
/// passes are applied (device_passes.h); empty: the first of the options' providers, else the CPU.
/// Returns a report of the passes. Throws invalid_model, limit_exceeded, invalid_input for an
/// unknown pass, cancelled.
PipelineReport prepare_graph(Model& model, const SessionOptions& options, const Progress& progress,
                             const PhaseRunner& phase, std::string_view provider = {});

struct PlannedSteps {
    std::unique_ptr<Plan> plan;  // without the constants that no kernel reads
    // initializers of the main graph that were packed, or that no kernel reads
    std::vector<ValueId> unread;
};

/// Orders the steps and chooses a kernel for each. Requests packed weights from `weights`, but does
/// not fill them. Marks the model where kernels want channels in blocks. `placement` null: all
/// steps run on the CPU; else the graph has its copies, and constants are uploaded. Throws
/// not_supported listing every node without a kernel, limit_exceeded, cancelled.
PlannedSteps plan_steps(Model& model, const KernelOptions& options, WeightStore& weights,
                        const CancelToken& cancel, const DevicePlacement* placement = nullptr);

/// Bytes of all constants of the graph and its bodies, including Constant nodes. Shared ones count
/// once.
std::int64_t count_weights(const Model& model);
/// Bytes that the arena of a session with so many bytes of weights prepares before the first run.
std::uint64_t prepared_arena_bytes(std::int64_t weight_bytes);

}  // namespace lapidary
