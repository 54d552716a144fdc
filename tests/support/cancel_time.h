// SPDX-License-Identifier: Apache-2.0
// Measures how long a job computes after a cancel. Uses CPU time of this process, which does not
// depend on other programs.
#pragma once

#include <atomic>
#include <chrono>
#include <ctime>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/base/progress.h>

#include "support/time_budget.h"

namespace lapidary {

inline double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct CancelledJob {
    std::string name;
    std::function<void(const Progress&)> run;  // throws cancelled, unless it ends before
    std::vector<double> cancelled_at;  // CPU seconds after the start at which it is cancelled
};

/// CPU seconds from the cancel to the return; negative: the job ended before.
inline double seconds_after_cancel(const CancelledJob& job, double at) {
    const Progress progress;
    std::atomic<double> cancelled{-1};
    std::atomic<bool> is_done{false};
    const double begin = cpu_seconds();
    std::thread canceller([&] {
        while (!is_done && cpu_seconds() < begin + at)
            std::this_thread::sleep_for(std::chrono::microseconds(500));
        if (is_done) return;
        cancelled = cpu_seconds();
        progress.cancel.cancel();
    });
    try {
        job.run(progress);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::cancelled) << job.name << ": " << error.what();
    }
    const double end = cpu_seconds();
    is_done = true;
    canceller.join();
    return cancelled < 0 ? -1 : end - cancelled;
}

/// Checks that the job ends soon after each cancel: within 0.1 s of CPU time where LAPIDARY_TIMED
/// is set, else within five times as much, since the system's share of that time depends on the
/// machine. A job that ends before it is cancelled, on a fast machine, must itself be shorter than
/// that.
inline void expect_prompt(const CancelledJob& job) {
    const double most = 0.1 * wall_factor;
    bool was_cancelled = false, is_short = false;
    for (const double at : job.cancelled_at) {
        const double begin = cpu_seconds(), took = seconds_after_cancel(job, at);
        was_cancelled = was_cancelled || took >= 0;
        is_short = is_short || (took < 0 && cpu_seconds() - begin < most);
        EXPECT_LT(took, most) << job.name << ", cancelled after " << at << " s of CPU time";
    }
    EXPECT_TRUE(was_cancelled || is_short)
        << job.name << " is over before it can be cancelled: its work is too small for this test";
}

}  // namespace lapidary
