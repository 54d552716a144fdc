// SPDX-License-Identifier: Apache-2.0
// Threads that share tasks by stealing: for branches of a graph, whose kernels spread over the same
// threads, and for work around runs. A parallel call costs a few microseconds; kernels of a run
// that goes step by step have the quicker SessionThreads of make_session_threads().
#pragma once

#include <functional>
#include <memory>

#include "base/threads/session_threads.h"

namespace lapidary {

class TaskThreads final : public SessionThreads {
public:
    /// `count` <= 0: one per core of this process' affinity mask; at most 256. `width`: how many of
    /// them one parallel call uses, and threads() says; 0: all. `setup` as in
    /// make_session_threads(). Throws limit_exceeded with both numbers when the system refuses a
    /// thread.
    explicit TaskThreads(int count, int width = 0,
                         std::shared_ptr<const ThreadSetup> setup = nullptr);
    ~TaskThreads() override;

    int threads() const override;
    /// The helpers come at the first parallel call or task and stay until the body returns. For one
    /// thread at a time.
    void execute(const std::function<void()>& body) override;
    void call_late() override {}
    void observe(const RangeObserver*) override {}
    // Outside of execute() they run on the calling thread alone.
    void parallel_for(std::int64_t count, std::int64_t grain, const RangeBody& body) override;
    void parallel_tasks(std::int64_t count, const TaskBody& body) override;

    /// Runs body() soon on one of the threads; it may make parallel calls and spawn more. Inside of
    /// execute() only.
    void spawn(std::function<void()> body);
    /// Returns when everything that was spawned has ended; the calling thread helps. Rethrows the
    /// first exception; bodies that had not begun by then are dropped.
    void wait_for_spawned();

private:
    struct Team;
    void call_helpers();
    std::unique_ptr<Team> team_;
};

/// One thread per core, for work that can also do without. Null: the system refused a thread.
std::unique_ptr<TaskThreads> task_threads_if_any();

}  // namespace lapidary
