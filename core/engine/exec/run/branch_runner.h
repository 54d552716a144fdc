// SPDX-License-Identifier: Apache-2.0
// Runs branches of a graph at the same time: every step as soon as what it reads is there. Steps
// and the parts of their kernels share the session's threads: a thread without a step of its own
// helps inside of another. Memory comes from the arena or the heap, since the order of the steps,
// which a plan would go by, differs from run to run; results do not.
#pragma once

#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/threads/task_threads.h"
#include "exec/run/frame.h"

namespace lapidary {

class BranchRunner {
public:
    /// At most `at_a_time` steps at once, `width` threads inside of each, on as many threads as the
    /// larger of both. Throws limit_exceeded with both numbers when the system refuses a thread.
    BranchRunner(const Plan& plan, int at_a_time, int width,
                 std::shared_ptr<const ThreadSetup> setup);
    BranchRunner(const BranchRunner&) = delete;
    BranchRunner& operator=(const BranchRunner&) = delete;

    int at_a_time() const { return at_a_time_; }
    /// Runs all steps of the frame, whose inputs are set. Rethrows the first error once all threads
    /// have stopped.
    void run(Frame& frame, RunState& state);

private:
    /// What one step waits for and gives.
    struct Links {
        std::vector<std::uint32_t> followers;  // steps that read what it writes
        // values to let go of once all their readers are done
        std::vector<std::uint32_t> reads;
        std::vector<std::uint32_t> unread;  // values it writes for nobody
        int waits_for = 0;
    };
    void begin(Frame& frame, RunState& state);
    void spawn_walkers();
    /// Runs the step and then, one after the other, what is ready when it ends.
    void walk(int lane, std::uint32_t step);
    /// The next step of this walker; nothing: it ends.
    std::optional<std::uint32_t> finish(std::uint32_t step, int lane);

    const Plan& plan_;
    const int at_a_time_;
    std::vector<Links> links_;
    std::vector<int> readers_;  // by ValueId::index; 0: stays until the end

    // Of one run, under the mutex but for the first two.
    Frame* frame_ = nullptr;
    RunState* state_ = nullptr;
    std::mutex mutex_;
    std::deque<std::uint32_t> ready_;  // no walker has them
    std::vector<int> free_lanes_;      // recording lanes that no walker has: as many more may start
    std::vector<int> waits_for_, unread_by_;
    std::size_t left_ = 0;
    std::exception_ptr error_;
    TaskThreads threads_;  // last: they use the rest
};

}  // namespace lapidary
