// SPDX-License-Identifier: Apache-2.0
// The interface by which kernels use threads. base/threads/session_threads.cpp implements it.
#pragma once

#include <cstdint>
#include <functional>

namespace lapidary {

/// A borrowed callable, valid during the call only (no allocation).
class RangeBody {
public:
    template <typename F>
    RangeBody(const F& f)
        : object_(&f), call_([](const void* o, std::int64_t b, std::int64_t e) {
              (*static_cast<const F*>(o))(b, e);
          }) {}
    void operator()(std::int64_t begin, std::int64_t end) const { call_(object_, begin, end); }

private:
    const void* object_;
    void (*call_)(const void*, std::int64_t, std::int64_t);
};

/// A borrowed callable body(task, worker).
class TaskBody {
public:
    template <typename F>
    TaskBody(const F& f)
        : object_(&f), call_([](const void* o, std::int64_t task, int worker) {
              (*static_cast<const F*>(o))(task, worker);
          }) {}
    void operator()(std::int64_t task, int worker) const { call_(object_, task, worker); }

private:
    const void* object_;
    void (*call_)(const void*, std::int64_t, int);
};

/// Is called, for each parallel call, for every worker that took part: with its index, and when it
/// began its first task and ended its last, on the steady clock in ns.
using RangeObserver = std::function<void(int thread, std::int64_t begin_ns, std::int64_t end_ns)>;

class ThreadPool {
public:
    virtual ~ThreadPool() = default;
    virtual int threads() const = 0;
    /// Calls body(begin, end) over disjoint sub-ranges that cover [0, count), each at least `grain`
    /// long (but for the last), possibly at the same time. An exception thrown by body reaches the
    /// caller. With a fixed thread count the split is the same each time.
    virtual void parallel_for(std::int64_t count, std::int64_t grain, const RangeBody& body) = 0;
    /// Calls body(task, worker) once for each task of [0, count), each handed to whichever worker
    /// is free, from both ends inwards: for tasks of unequal cost (tiles, panels, heads). `worker`
    /// is in [0, threads()) and no two tasks run on one worker at the same time, so it may index
    /// per-thread workspace. Exceptions as above. A call costs well under a microsecond per worker,
    /// a task some tens of nanoseconds; work under about 3 microseconds is better done by the
    /// caller.
    virtual void parallel_tasks(std::int64_t count, const TaskBody& body) = 0;
};

}  // namespace lapidary
