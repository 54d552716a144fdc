// SPDX-License-Identifier: Apache-2.0
// A thread that finishes the queued work, in order, as a stream of a device does. Device memory is
// open to it while it works.
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
    /// If work throws, the next wait() throws it, and work queued after it until then is skipped.
    void push(Work work) { push({std::move(work), false}); }
    /// Queues work that is done even if earlier work failed.
    void push_always(Work work) { push({std::move(work), true}); }
    /// Waits until nothing is queued. Throws DeviceError with what failed.
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

/// An event that one thread sets and another one waits for.
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
