// SPDX-License-Identifier: Apache-2.0
// Cares for the weights that runs share: checks that mapped files are still whole, and moves
// weights to large pages in time.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include <lapidary/internal/joined_threads.h>

#include "base/memory/large_pages.h"
#include "exec/plan/plan.h"

namespace lapidary {

/// Safe to use from any thread.
class WeightWatch {
public:
    /// Pages that wait for the second run. Call before any run.
    void set_usual_pages(const std::shared_ptr<LargePages>& pages) { usual_pages_ = pages; }
    /// The second run of a session starts to collapse the pages of weights in the background. A
    /// session that runs twice will probably run on; one that runs once may never run again.
    void begin_run() {
        if (runs_begun_.load(std::memory_order_relaxed) < 2 && runs_begun_.fetch_add(1) == 1)
            collapse();
    }
    /// A program that truncates a mapped weight file turns its weights into zeros under the
    /// session. Throws io_failure if that happened.
    void require_files_unchanged(const std::vector<const Plan*>& plans);

private:
    void collapse();

    // MappingGuard's count when all weights were last found whole
    std::atomic<std::uint64_t> damage_seen_{0};
    std::atomic<int> runs_begun_{0};  // stops at 2 or a little above
    std::weak_ptr<LargePages> usual_pages_;
    std::stop_source stop_;
    JoinedThreads collapsing_{[this] { stop_.request_stop(); }};
};

}  // namespace lapidary
