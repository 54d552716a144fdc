// SPDX-License-Identifier: Apache-2.0
// What all frames of one run share.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/threads/cancellable_threads.h"
#include "exec/memory/budget.h"
#include "base/threads/session_threads.h"
#include "exec/run/seen_types.h"
#include "profile/recorder.h"

namespace lapidary {

/// The recorder's buffer of the calling thread: 0, but for threads that run other branches of a
/// graph.
inline thread_local int recording_lane = 0;

struct RunState {
    SessionThreads& threads;
    const std::shared_ptr<Budget>& budget;
    const CancelToken& cancel;
    const Limits& limits;
    // of the main plan: steps done, of how many; may be empty
    const std::function<void(int, int)>& progress;
    std::uint64_t seed = 0;
    Recorder* recorder = nullptr;  // null: not profiled
    std::int64_t origin_ns = 0;    // profile time zero
    SeenTypes* types = nullptr;    // filled while profiling
    // told by the threads that walk the plan; null: not profiled
    const MemoryObserver* memory = nullptr;
    // takes what queueing steps of devices took the host; likewise
    std::atomic<std::int64_t>* launch_ns = nullptr;
    // of sequential runs: no step writes into another live value
    bool check_writes = false;
    CancellableThreads kernel_threads{threads, cancel};  // what kernels get
};

}  // namespace lapidary
