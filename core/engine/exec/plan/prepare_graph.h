// SPDX-License-Identifier: Apache-2.0
// What compiling does before anything is packed: the graph that runs and the steps of its plan.
// Sessions and memory reports share it, so that a report is about what a session does.
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

/// Does one phase of compiling, known by its name.
using PhaseRunner = std::function<void(std::string name, const std::function<void()>& work)>;

inline constexpr std::string_view session_passes_phase = "session passes";

/// Expands functions, infers types, applies the passes of level session that the options pick, none
/// with reference kernels. `provider`: whose passes those are (device_passes.h); empty: of the
/// first of the options' providers, else of the CPU. Returns what these did. Throws invalid_model,
/// limit_exceeded, invalid_input for an unknown pass, cancelled.
PipelineReport prepare_graph(Model& model, const SessionOptions& options, const Progress& progress,
                             const PhaseRunner& phase, std::string_view provider = {});

struct PlannedSteps {
    std::unique_ptr<Plan> plan;  // its constants lack what no kernel reads
    // those of the main graph: initializers that were packed, or that nobody reads
    std::vector<ValueId> unread;
};

/// Orders the steps and chooses a kernel for each; weights are asked for of `weights`, not filled.
/// Marks the model where kernels want channels in blocks. `placement` null: all on the CPU; else
/// the graph has its copies, and constants are uploaded. Throws not_supported listing every node
/// without a kernel, limit_exceeded, cancelled.
PlannedSteps plan_steps(Model& model, const KernelOptions& options, WeightStore& weights,
                        const CancelToken& cancel, const DevicePlacement* placement = nullptr);

/// Bytes of the constants of the graph and of all bodies in it, those of Constant nodes too; shared
/// ones once.
std::int64_t count_weights(const Model& model);
/// What the arena of a session with so many bytes of weights gets ready before the first run asks.
std::uint64_t prepared_arena_bytes(std::int64_t weight_bytes);

}  // namespace lapidary
