// SPDX-License-Identifier: Apache-2.0
// Model -> plan -> run. Options of a session are in session_options.h, options and results of a run
// in run_options.h, information about its plan in plan_info.h.
#pragma once

#include <memory>
#include <string_view>

#include <lapidary/base/progress.h>
#include <lapidary/exec/placement.h>
#include <lapidary/exec/plan_info.h>
#include <lapidary/exec/run_options.h>
#include <lapidary/exec/session_options.h>
#include <lapidary/graph/model.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/tensor/runtime_value.h>

namespace lapidary {

/// A compiled model. run() and all that is const may be called from several threads at once; each
/// run gives what it would give alone, bit for bit. A session must not be moved or destroyed while
/// it runs.
///
/// Runs share weights, plans and kernels; each holds working memory of its own, which the session
/// keeps for later runs: as much as there were runs at a time, until a run with
/// RunOptions::shrink_arena. Of several runs at a time
/// one has the session's worker threads (RunResources::threads); the others compute on the
/// thread of their caller alone. When a run ends, its worker threads go to the run that has waited
/// longest. In parallel mode one run has the inter-op threads too; the others run their branches
/// one after the other.
/// Limits::run_bytes is for all of them together. plan() reports the newest set of input shapes of
/// any of them.
class Session {
public:
    /// Expands functions, infers types, chooses kernels, orders steps. Throws not_supported listing
    /// every node without a kernel, invalid_model; limit_exceeded with both numbers where the
    /// system refuses a thread.
    static Session compile(ModelPtr model, const SessionOptions& options = {},
                           const Progress& progress = {});
    /// Move and destroy a session only while nothing runs.
    Session(Session&&) noexcept;
    Session& operator=(Session&&) noexcept;
    ~Session();

    /// Inputs by name; those with default initializers may be left out. Checks element types and
    /// shapes against the declaration, and output buffers against what comes out. Throws
    /// invalid_input, limit_exceeded, cancelled with node and model in where().
    RunResult run(const NamedValues& inputs, const RunOptions& options = {});
    /// The same into a result that may be one of an earlier run: reuses its lists, and the storage
    /// of its outputs if it has no other holder.
    void run(const NamedValues& inputs, const RunOptions& options, RunResult& result);
    /// A copy of the tensor where nodes read that input of the graph, for
    /// RunOptions::device_inputs; the tensor itself where they read it in host memory. Throws
    /// invalid_input where there is no such input or the tensor holds no numbers, limit_exceeded.
    DeviceValue to_device(std::string_view input, const Tensor& tensor);

    /// As compiled: functions expanded, types inferred, neighbouring nodes fused into the last one
    /// of them, whose origins are then those of all.
    const Model& model() const;
    /// Rewrites and near misses of the passes of level session; which of these did not run, and
    /// why.
    const PipelineReport& session_passes() const;
    /// Steps, kernels and memory, as of the newest set of input shapes.
    PlanInfo plan() const;
    /// Empty when the session has no provider but the CPU.
    const PlacementReport& placement() const;
    /// Number of threads that a run computes with, the caller's included.
    int threads() const;

private:
    struct State;
    explicit Session(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace lapidary
