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

/// The last line of a terminal while something takes more than a second: what is done, for how
/// long, and about how much longer where that is known. All functions may be called from any
/// thread.
class ProgressLine {
public:
    /// `terminal`: written to from a thread of its own until the end of this object. Throws
    /// limit_exceeded where the system refuses that thread.
    explicit ProgressLine(std::ostream& terminal);
    ~ProgressLine();

    /// `fraction` in [0, 1] of the stage; negative: unknown.
    void update(std::string_view stage, double fraction);
    /// Clears the line for other text; it comes back after a second.
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
