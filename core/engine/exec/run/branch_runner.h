// SPDX-License-Identifier: Apache-2.0
// Runs branches of a graph at the same time: each step starts as soon as its inputs are there.
// Steps and the parts of their kernels share the session's threads; a thread without a step helps
// with another thread's step. Memory comes from the arena or the heap and not from a plan, since
// the order of steps differs from run to run. Results do not differ.
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
    /// Runs at most `at_a_time` steps at once with `width` threads inside each, on as many threads
    /// as the larger of the two. Throws limit_exceeded with both numbers if the system refuses a
    /// thread.
    BranchRunner(const Plan& plan, int at_a_time, int width,
                 std::shared_ptr<const ThreadSetup> setup);
    BranchRunner(const BranchRunner&) = delete;
    BranchRunner& operator=(const BranchRunner&) = delete;

    int at_a_time() const { return at_a_time_; }
    /// Runs all steps of the frame, whose inputs are set. Rethrows the first error after all
    /// threads have stopped.
    void run(Frame& frame, RunState& state);

private:
    /// What one step waits for and makes.
    struct Links {
        std::vector<std::uint32_t> followers;  // steps that read what it writes
        // values to release once all their readers are done
        std::vector<std::uint32_t> reads;
        std::vector<std::uint32_t> unread;  // values it writes that no step reads
        int waits_for = 0;
    };
    void begin(Frame& frame, RunState& state);
    void spawn_walkers();
    /// Runs the step and then, one after the other, steps that became ready.
    void walk(int lane, std::uint32_t step);
    /// The next step of this walker; empty: it ends.
    std::optional<std::uint32_t> finish(std::uint32_t step, int lane);

    const Plan& plan_;
    const int at_a_time_;
    std::vector<Links> links_;
    std::vector<int> readers_;  // by ValueId::index; 0: kept until the end

    // State of one run. The mutex guards all but the first two.
    Frame* frame_ = nullptr;
    RunState* state_ = nullptr;
    std::mutex mutex_;
    std::deque<std::uint32_t> ready_;  // not yet taken by a walker
    std::vector<int> free_lanes_;      // recording lanes without a walker: as many more may start
    std::vector<int> waits_for_, unread_by_;
    std::size_t left_ = 0;
    std::exception_ptr error_;
    TaskThreads threads_;  // last, so that they end before the members they use
};

}  // namespace lapidary
