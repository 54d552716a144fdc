// SPDX-License-Identifier: Apache-2.0
// A thread that does what is queued, in order, as a stream of a device does. Device memory is open
// to it while it works.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace lapidary::cuda::emulated {

using Work = std::function<void()>;

class WorkThread {
public:
    WorkThread();
    ~WorkThread();  // does what is queued
    /// Work that throws makes wait() throw, and what comes behind it until then is left out.
    void push(Work work) { push({std::move(work), false}); }
    /// Done whatever failed before.
    void push_always(Work work) { push({std::move(work), true}); }
    /// Until nothing is queued. Throws DeviceError with what failed.
    void wait();

private:
    struct Piece {
        Work work;
        bool is_always;
    };
    void push(Piece piece);
    void run_first(std::unique_lock<std::mutex>& lock);
    void serve();

    std::mutex mutex_;
    std::condition_variable wake_, idle_, lingers_;
    std::deque<Piece> work_;
    std::string failure_;
    int waiting_ = 0;
    bool is_busy_ = false, ends_ = false;
    std::thread thread_;
};

/// What one thread sets and another waits for.
class WorkEvent {
public:
    void set();
    void wait();

private:
    std::mutex mutex_;
    std::condition_variable is_set_condition_;
    bool is_set_ = false;
};

}  // namespace lapidary::cuda::emulated
