// SPDX-License-Identifier: Apache-2.0
// Hands tasks to workers that wait by spinning, so that parallel_for is cheap enough to be called
// hundreds of times in a run of a few milliseconds. Independent of thread libraries: any thread
// becomes a worker by calling serve().
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>

#include "base/threads/thread_pool.h"

namespace lapidary {

/// One owner opens regions, one at a time; workers 1 to size - 1 help. An owner never waits for a
/// worker that has not come: it works itself and waits only for those that took a task. Workers of
/// even numbers take tasks from the front, the others from the back, until they meet: kernels that
/// cut their work in the same order find much of what they read in the cache of the worker that
/// wrote it.
class WorkerRegion {
public:
    /// `spin`: workers stay hot between the regions of one run; else they sleep in the kernel
    /// between regions.
    WorkerRegion(int size, bool spin)
        : size_(size), spin_(spin),
          present_(std::make_unique<std::atomic<bool>[]>(static_cast<std::size_t>(size))) {}

    /// Begins a run. `launch(worker)` is called for each absent worker and must let a thread call
    /// serve().
    void begin_run(const std::function<void(int worker)>& launch);
    void end_run() { running_.store(false); }
    /// The loop of one worker's thread: ends some time after end_run(), at once when it `is_wanted`
    /// elsewhere then, or at quit().
    void serve(int worker, const std::function<bool()>& is_wanted);
    /// Workers leave as soon as they see it; nothing may be opened afterwards.
    void quit();

    /// Runs body(task, worker) for all tasks with the help of the workers that are present;
    /// rethrows the first exception. Inside of a task (inside_task.h) everything runs on the
    /// calling thread. `observer`: called on each worker that ran tasks, with the time from its
    /// first to its last; null: no observation.
    void run(std::int64_t count, const TaskBody& body, const RangeObserver* observer = nullptr);

private:
    void work(std::int64_t count, const TaskBody& body, const RangeObserver* observer, int worker);
    /// Takes one of `count` tasks; negative: all are taken.
    std::int64_t take_task(std::int64_t count, int worker);
    void wake();

    const int size_;
    const bool spin_;
    std::unique_ptr<std::atomic<bool>[]> present_;
    std::atomic<bool> running_{false}, quit_{false};
    std::mutex error_mutex_;
    std::exception_ptr error_;
    const TaskBody* body_ = nullptr;
    const RangeObserver* observer_ = nullptr;
    std::int64_t count_ = 0;
    alignas(64) std::atomic<std::uint64_t> generation_{0};  // odd while a region is open
    // from the front, and from the back in units of 2^32
    alignas(64) std::atomic<std::uint64_t> taken_{0};
    alignas(64) std::atomic<int> active_{0};
};

}  // namespace lapidary
