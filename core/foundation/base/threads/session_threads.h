// SPDX-License-Identifier: Apache-2.0
// The threads that work inside of a session's kernels.
#pragma once

#include <functional>
#include <memory>

#include "base/threads/thread_pool.h"
#include "base/threads/thread_setup.h"

namespace lapidary {

/// For one run at a time.
class SessionThreads : public ThreadPool {
public:
    /// Runs `body` on the calling thread while workers stand by, so that parallel calls inside of
    /// it are cheap. Outside of it they run on the calling thread alone.
    virtual void execute(const std::function<void()>& body) = 0;
    /// Lets workers come at a run's first parallel call, not when the run begins: for runs that
    /// mostly execute on a device, during which waiting workers would keep all cores busy. Set only
    /// between runs.
    virtual void call_late() = 0;
    /// Null: no observation. Set only between runs.
    virtual void observe(const RangeObserver* observer) = 0;
};

/// `threads` <= 0: one per core of this process' affinity mask; at most 256. `spin`: workers spin
/// while they wait for the next parallel call of a run (ORT session.intra_op.allow_spinning); they
/// never do so for long between runs. `setup`: applied to the workers, and to the calling thread
/// inside of execute(); null: none. Workers come from the threads that all sessions share
/// (thread_bank.h). Throws limit_exceeded with both numbers when the system refuses one.
std::unique_ptr<SessionThreads> make_session_threads(
    int threads, bool spin = true, std::shared_ptr<const ThreadSetup> setup = nullptr);
/// One per core of this process' affinity mask.
int default_thread_count();
/// The number of threads for a request of `asked`: the default for <= 0; at most 256.
int usable_thread_count(int asked);

}  // namespace lapidary
