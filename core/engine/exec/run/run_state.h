// SPDX-License-Identifier: Apache-2.0
// State that all frames of one run share.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/threads/cancellable_threads.h"
#include "exec/memory/budget.h"
#include "base/threads/session_threads.h"
#include "exec/run/recorded_types.h"
#include "profile/recorder.h"

namespace lapidary {

class StepObserver;

/// Which buffer of the recorder the calling thread writes to. 0, except for threads that run other
/// branches of a graph.
inline thread_local int recording_lane = 0;

struct RunState {
    SessionThreads& threads;
    const std::shared_ptr<Budget>& budget;
    const CancelToken& cancel;
    const Limits& limits;
    // called with steps done and their total in the main plan; may be empty
    const std::function<void(int, int)>& progress;
    std::uint64_t seed = 0;
    Recorder* recorder = nullptr;    // null: not profiled
    std::int64_t origin_ns = 0;      // profile time zero
    RecordedTypes* types = nullptr;  // filled while profiling
    // the threads that walk the plan report to it; null: not profiled
    const MemoryObserver* memory = nullptr;
    // sums the host's time to queue steps of devices; null: not profiled
    std::atomic<std::int64_t>* launch_ns = nullptr;
    // in sequential runs: checks that no step writes into another live value
    bool check_writes = false;
    StepObserver* observer = nullptr;  // of sequential runs without a memory plan; null: none
    CancellableThreads kernel_threads{threads, cancel};  // what kernels use
};

}  // namespace lapidary
