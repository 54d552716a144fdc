// SPDX-License-Identifier: Apache-2.0
// The threads of one run, which stop parallel work of kernels soon after the run is cancelled.
#pragma once

#include <algorithm>

#include <lapidary/base/progress.h>

#include "base/threads/thread_pool.h"

namespace lapidary {

/// Checks the token before each task, and between pieces of each range. A piece is a sixty-fourth
/// of a thread's range, but at least eight times the grain, so that checking costs nothing. Threads
/// and token must outlive this.
class CancellableThreads final : public ThreadPool {
public:
    CancellableThreads(ThreadPool& pool, const CancelToken& cancel)
        : pool_(pool), cancel_(cancel) {}
    int threads() const override { return pool_.threads(); }
    void parallel_for(std::int64_t count, std::int64_t grain, const RangeBody& body) override {
        pool_.parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
            const std::int64_t length = end - begin,
                               least = std::clamp<std::int64_t>(grain, 1, length / 8 + 1) * 8;
            const std::int64_t piece = std::max(length / 64 + 1, least);
            for (std::int64_t at = begin; at < end; at += std::min(piece, end - at)) {
                cancel_.throw_if_cancelled();
                body(at, at + std::min(piece, end - at));
            }
        });
    }
    void parallel_tasks(std::int64_t count, const TaskBody& body) override {
        pool_.parallel_tasks(count, [&](std::int64_t task, int worker) {
            cancel_.throw_if_cancelled();
            body(task, worker);
        });
    }

private:
    ThreadPool& pool_;
    const CancelToken& cancel_;
};

}  // namespace lapidary
