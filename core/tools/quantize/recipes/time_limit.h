// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include <lapidary/internal/joined_threads.h>
#include <lapidary/base/progress.h>

namespace lapidary {

/// Cancels a token of its own when the time is over, or when the caller's is cancelled: work that
/// looks at the token ends within the limit by the clock, however long it was expected to take.
class TimeLimit {
public:
    /// `seconds` from now on; 0: none. Throws limit_exceeded where the system refuses a thread.
    TimeLimit(double seconds, CancelToken caller);
    ~TimeLimit();
    TimeLimit(const TimeLimit&) = delete;
    TimeLimit& operator=(const TimeLimit&) = delete;

    const CancelToken& token() const { return token_; }
    /// So much earlier, for what is to be done after it.
    void reserve(double seconds) { reserved_.store(seconds, std::memory_order_relaxed); }
    /// That the time was over, whatever the caller did.
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
