// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <ostream>
#include <string>
#include <string_view>

#include <lapidary/internal/joined_threads.h>

namespace lapidary::cli {

/// A progress line at the bottom of a terminal for work that takes more than a second. It shows the
/// stage, the time so far and, if known, about how much is left. All functions may be called from
/// any thread.
class ProgressLine {
public:
    /// `terminal`: is written to from a separate thread until this object is destroyed. Throws
    /// limit_exceeded if the system refuses that thread.
    explicit ProgressLine(std::ostream& terminal);
    ~ProgressLine();

    /// `fraction`: the part of the stage that is done, in [0, 1]; negative: unknown.
    void update(std::string_view stage, double fraction);
    /// Clears the line for other text. It is drawn again after a second.
    void erase();

private:
    using Clock = std::chrono::steady_clock;
    void draw_again();
    void stop();
    std::string text(Clock::time_point now) const;

    std::ostream& terminal_;
    std::mutex mutex_;
    std::condition_variable stop_;
    bool stopped_ = false, shown_ = false;
    std::string stage_;
    double fraction_ = -1;
    Clock::time_point begin_ = Clock::now(), stage_begin_ = begin_, quiet_until_;
    JoinedThreads thread_;
};

}  // namespace lapidary::cli
