// SPDX-License-Identifier: Apache-2.0
// What runs have to do about the weights they share: are mapped ones still those of the file, and
// is it time for large pages.
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

/// For runs on any thread.
class WeightWatch {
public:
    /// Pages that wait for the second run. Before any run.
    void set_usual_pages(const std::shared_ptr<LargePages>& pages) { usual_pages_ = pages; }
    /// A session that runs again goes on to do so, one that ran once may have been made for that:
    /// the second run has the pages of weights collapsed in the background.
    void begin_run() {
        if (runs_begun_.load(std::memory_order_relaxed) < 2 && runs_begun_.fetch_add(1) == 1)
            collapse();
    }
    /// Weights are mapped: a program that truncates their file turns them into zeros under the
    /// session. Throws io_failure.
    void require_whole(const std::vector<const Plan*>& plans);

private:
    void collapse();

    // of MappingGuard, when all weights were last found whole
    std::atomic<std::uint64_t> damage_seen_{0};
    std::atomic<int> runs_begun_{0};  // counted to 2 and a little further
    std::weak_ptr<LargePages> usual_pages_;
    std::stop_source stop_;
    JoinedThreads collapsing_{[this] { stop_.request_stop(); }};
};

}  // namespace lapidary
