// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include <lapidary/internal/joined_threads.h>
#include <lapidary/base/progress.h>

namespace lapidary {

/// Cancels its token when the time is over or the caller's token is cancelled. Work that checks the
/// token ends within the limit, however long it was expected to take.
class TimeLimit {
public:
    /// Starts now and ends after `seconds`; 0: no limit. Throws limit_exceeded if the system
    /// refuses a thread.
    TimeLimit(double seconds, CancelToken caller);
    ~TimeLimit();
    TimeLimit(const TimeLimit&) = delete;
    TimeLimit& operator=(const TimeLimit&) = delete;

    const CancelToken& token() const { return token_; }
    /// Ends the time earlier by `seconds`, for work that comes after it.
    void reserve(double seconds) { reserved_.store(seconds, std::memory_order_relaxed); }
    /// True if the time is over, whatever the caller's token says.
    bool is_over() const;

private:
    void watch();
    void stop();

    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    double seconds_;
    CancelToken caller_, token_;
    std::atomic<double> reserved_ = 0;
    std::mutex mutex_;
    std::condition_variable wake_;
    bool is_stopped_ = false;                   // under mutex_
    JoinedThreads thread_{[this] { stop(); }};  // the last member: it reads the others
};

}  // namespace lapidary
