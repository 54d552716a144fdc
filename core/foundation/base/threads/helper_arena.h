// SPDX-License-Identifier: Apache-2.0
// One set of threads: an arena of oneTBB, the thread that uses it, and threads of the bank that
// help there. All slots of the arena are reserved for them, so oneTBB starts no threads itself. If
// the system refuses a thread, this throws an error, where oneTBB would end the process.
#pragma once

#include <functional>
#include <memory>

#include <oneapi/tbb/task_arena.h>

#include "base/threads/thread_bank.h"
#include "base/threads/thread_setup.h"

namespace lapidary {

class HelperArena final : private ThreadUser {
public:
    /// `help(worker)` is what workers 1 to threads - 1 run inside of the arena until they should
    /// leave; it must not throw. `setup`: applied to the workers; not null. Throws limit_exceeded
    /// with both numbers when the system refuses a thread.
    HelperArena(int threads, std::shared_ptr<const ThreadSetup> setup,
                std::function<void(int worker)> help);
    HelperArena(const HelperArena&) = delete;
    HelperArena& operator=(const HelperArena&) = delete;
    /// No worker may be inside.
    ~HelperArena() = default;

    int threads() const { return threads_; }
    /// Calls the worker in on the next free thread.
    void call(int worker) { bank_->acquire(*this, worker); }
    /// Waits for the workers, which must have been asked to leave. Workers that had not begun do
    /// not come any more.
    void wait_until_left() { bank_->release(*this); }
    /// Whether somebody else waits for threads: workers without work should leave.
    bool is_short_of_threads() const { return bank_->is_short(); }
    /// Runs body() on the calling thread, inside of the arena.
    template <typename F>
    void execute(const F& body) {
        arena_.execute(body);
    }

private:
    void use_thread(int worker) override;

    const int threads_;
    std::shared_ptr<const ThreadSetup> setup_;
    std::function<void(int)> help_;
    oneapi::tbb::task_arena arena_;
    std::shared_ptr<ThreadBank> bank_;
};

}  // namespace lapidary
