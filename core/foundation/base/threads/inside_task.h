// SPDX-License-Identifier: Apache-2.0
// Records which task of a parallel call the calling thread is in. A parallel call inside of a task
// runs on that thread alone.
#pragma once

namespace lapidary {

/// Marks the calling thread until destruction.
class InsideTask {
public:
    /// `owner`: the object whose parallel call it is; `worker`: the thread's number there.
    InsideTask(const void* owner, int worker) : before_(current) { current = {owner, worker}; }
    InsideTask(const InsideTask&) = delete;
    InsideTask& operator=(const InsideTask&) = delete;
    ~InsideTask() { current = before_; }

    static bool is_any() { return current.owner != nullptr; }
    /// The calling thread's worker number in a task of `owner`; 0 outside of its tasks.
    static int worker_of(const void* owner) { return current.owner == owner ? current.worker : 0; }

private:
    struct Current {
        const void* owner;
        int worker;
    };
    inline static thread_local Current current{nullptr, 0};
    Current before_;
};

}  // namespace lapidary
