// SPDX-License-Identifier: Apache-2.0
// The state that a run of a session changes: frames for known input shapes, planned memory, arena,
// threads. Each of several runs at the same time has its own slot. What slots share (weights,
// plans, kernels) never changes.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include <lapidary/exec/run_options.h>

#include "exec/run/branch_runner.h"
#include "exec/memory/budget.h"
#include "exec/compiled_model.h"
#include "exec/run/input_check.h"
#include "exec/memory/newest_pattern.h"
#include "exec/run/profile_build.h"
#include "exec/device/resident_run.h"
#include "exec/run/weight_watch.h"

namespace lapidary {

class RunSlot {
public:
    /// `branches` null: one step at a time. The first three must outlive the slot.
    RunSlot(const CompiledModel& compiled, WeightWatch& weights, NewestPattern& newest,
            ResidentMemories residents, std::unique_ptr<SessionThreads> threads,
            std::shared_ptr<Budget> budget, std::unique_ptr<BranchRunner> branches = nullptr);

    /// True for one caller at a time, which then owns the slot until give_back().
    bool try_take() { return !taken_.test_and_set(std::memory_order_acquire); }
    void give_back() { taken_.clear(std::memory_order_release); }

    // Only for the caller that took the slot.
    void run(const NamedValues& inputs, const RunOptions& options, RunResult& result);
    /// Gives unused memory back.
    void shrink();

private:
    /// The frame for one set of input shapes, or for all that its plan has room for.
    struct PreparedFrame {
        InputSignature inputs;  // of the newest run
        std::unique_ptr<Frame> frame;
        std::optional<InputRoom> room = {};
    };
    /// What a run has to return beside the graph's outputs.
    struct RunRequest {
        std::vector<ValueId> extra;
        std::vector<std::uint8_t> keep;        // by ValueId::index, those of `extra`
        std::optional<OutputBuffers> buffers;  // none: the session allocates all outputs
        std::optional<ResidentRun> residents;  // none: all inputs and outputs lie in host memory
    };
    /// Adds a frame at the end of prepared_, for shapes that none of them has.
    void add_frame(const ResidentFlags& residents, const CancelToken& cancel);
    PreparedFrame& prepare(const NamedValues& inputs, const ResidentFlags& residents,
                           const CancelToken& cancel);
    PreparedFrame prepare_keeping(const NamedValues& inputs, const std::vector<std::string>& names,
                                  RunRequest& request, const CancelToken& cancel);
    /// Plans the newest frame with room for further runs where inputs have grown since the run
    /// before.
    void plan_growth(PreparedFrame& newest, const CancelToken& cancel);
    void run_once(PreparedFrame& on, const NamedValues& inputs, RunState& run,
                  ProfileBuild* profile, const RunRequest& request, RunResult& result);
    void take_outputs(Frame& frame, const RunRequest& request, RunResult& result);
    void bind(Frame& frame);
    void bind_devices(DeviceMemory& memory);
    void unbind_devices();

    const CompiledModel& compiled_;
    WeightWatch& weights_;
    NewestPattern& newest_;
    std::unique_ptr<SessionThreads> threads_;
    std::shared_ptr<Budget> budget_;
    std::unique_ptr<BranchRunner> branches_;
    Tensor arena_;
    std::optional<SlotDevices> devices_;  // none: all steps run on the CPU
    struct BlockOnDevice {
        std::shared_ptr<DeviceBlock> block;
        std::uint64_t bytes = 0;
    };
    std::vector<BlockOnDevice> device_arenas_;  // by device, as in DevicePlan::devices
    std::vector<PreparedFrame> prepared_;       // latest used first
    std::atomic_flag taken_;
};

}  // namespace lapidary
