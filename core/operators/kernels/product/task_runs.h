// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace lapidary {

/// Gives each worker a run of consecutive tasks, in order, so that it can prefetch the next one. A
/// worker that has finished takes tasks from the end of another's run. As many calls of take() as
/// there are tasks return each task once. Tasks are `chunks` per group, a group's one after the
/// other: task / chunks is the group.
class TaskRuns {
public:
    static constexpr int most_workers = 256;

    TaskRuns(std::int64_t groups, std::int64_t chunks, int workers)
        : workers_(std::min(workers, most_workers)) {
        for (int w = 0; w < workers_; ++w)
            runs_[w].store(
                run_of(groups * w / workers_ * chunks, groups * (w + 1) / workers_ * chunks),
                std::memory_order_relaxed);
    }

    std::int64_t take(int worker) {
        for (int i = 0;; ++i) {
            std::atomic<std::uint64_t>& run = runs_[(worker + i) % workers_];
            std::uint64_t now = run.load(std::memory_order_relaxed);
            while (first(now) < last(now)) {
                const std::int64_t task = i == 0 ? first(now) : last(now) - 1;
                const std::uint64_t rest =
                    i == 0 ? run_of(first(now) + 1, last(now)) : run_of(first(now), last(now) - 1);
                if (run.compare_exchange_weak(now, rest, std::memory_order_relaxed)) return task;
            }
        }
    }

private:
    static std::uint64_t run_of(std::int64_t first, std::int64_t last) {
        return static_cast<std::uint64_t>(first) << 32 | static_cast<std::uint64_t>(last);
    }
    static std::int64_t first(std::uint64_t run) { return static_cast<std::int64_t>(run >> 32); }
    static std::int64_t last(std::uint64_t run) {
        return static_cast<std::int64_t>(run & 0xffffffff);
    }

    int workers_;
    std::atomic<std::uint64_t> runs_[most_workers];
};

}  // namespace lapidary
