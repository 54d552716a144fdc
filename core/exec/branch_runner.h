// SPDX-License-Identifier: Apache-2.0
// Runs branches of a graph at the same time: every step as soon as what it reads is there, on the next free thread.
// Each thread has its share of the session's threads for the inside of a step. Memory comes from the arena or the heap,
// since the order of the steps, which a plan would go by, differs from run to run; results do not.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include <lapidary/joined_threads.h>

#include "exec/frame.h"

namespace lapidary {

class BranchRunner {
public:
    /// At most `at_a_time` steps at once (the calling thread runs one of them), `share` threads inside of each.
    /// Throws limit_exceeded with both numbers when the system refuses a thread.
    BranchRunner(const Plan& plan, int at_a_time, int share, bool spin,
                 const std::shared_ptr<const ThreadSetup>& setup);
    BranchRunner(const BranchRunner&) = delete;
    BranchRunner& operator=(const BranchRunner&) = delete;

    int at_a_time() const { return static_cast<int>(pools_.size()); }
    /// Runs all steps of the frame, whose inputs are set. Rethrows the first error once all threads have stopped.
    void run(Frame& frame, RunState& state);

private:
    /// What one step waits for and gives.
    struct Links {
        std::vector<std::uint32_t> followers;  // steps that read what it writes
        std::vector<std::uint32_t> reads;      // values to let go of once all their readers are done
        std::vector<std::uint32_t> unread;     // values it writes for nobody
        int waits_for = 0;
    };
    void serve(int worker);
    void quit();
    void work(int worker);
    void finish(std::uint32_t step, Frame& frame);

    const Plan& plan_;
    std::vector<Links> links_;
    std::vector<int> readers_;  // by ValueId::index; 0: stays until the end
    std::vector<std::unique_ptr<SessionThreads>> pools_;

    std::mutex mutex_;
    std::condition_variable changed_;
    std::uint64_t run_ = 0;
    bool quits_ = false;
    int active_ = 0;
    Frame* frame_ = nullptr;
    RunState* state_ = nullptr;
    std::deque<std::uint32_t> ready_;
    std::vector<int> waits_for_, unread_by_;
    std::size_t left_ = 0;
    std::exception_ptr error_;
    JoinedThreads threads_;  // last: they use the rest
};

}  // namespace lapidary
