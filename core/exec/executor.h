// SPDX-License-Identifier: Apache-2.0
// Runs a plan: the step loop, values by id, subgraph calls.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "exec/budget.h"
#include "exec/memory_pattern.h"
#include "exec/parallel.h"
#include "exec/plan.h"
#include "profile/recorder.h"

namespace lapidary {

/// What all frames of one run share.
struct RunState {
    SessionThreads& threads;
    const std::shared_ptr<Budget>& budget;
    const CancelToken& cancel;
    const Limits& limits;
    std::uint64_t seed = 0;
    Recorder* recorder = nullptr;                           // null: not profiled
    std::int64_t origin_ns = 0;                             // profile time zero
    std::vector<std::vector<std::string>>* shapes = nullptr;  // per plan and step: filled while profiling
    const MemoryPattern* pattern = nullptr;                 // of the main plan
    std::byte* arena = nullptr;
    std::vector<std::uint64_t>* trace = nullptr;            // per value of the main plan: bytes allocated
    std::vector<std::uint8_t> keep;                         // per value of the main plan: an extra output
    std::function<void(int, int)> progress;
};

/// The values of one activation of a plan.
class Frame {
public:
    Frame(const Plan& plan, RunState& state, Frame* outer);
    void set(ValueId id, RuntimeValue value) { slots_[id.index] = std::move(value); }
    /// Constants, captured values of outer frames, or the slot.
    const RuntimeValue& get(ValueId id) const;
    /// Runs all steps. Errors carry the node in their where-chain.
    void run();
    /// Graph outputs, in order.
    std::vector<RuntimeValue> outputs() const;

private:
    friend class StepContext;
    void run_step(std::size_t index);
    const Plan& plan_;
    RunState& state_;
    Frame* outer_;
    std::vector<RuntimeValue> slots_;
};

/// A value free of storage that is only lent (arena slots): shared where owned, copied where not.
RuntimeValue detached(const RuntimeValue& value, Budget& budget);

}  // namespace lapidary
