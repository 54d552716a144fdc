// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/threads/thread_pool.h"

namespace lapidary {

/// The calling thread alone.
class SerialThreads final : public ThreadPool {
public:
    int threads() const override { return 1; }
    void parallel_for(std::int64_t count, std::int64_t, const RangeBody& body) override {
        if (count > 0) body(0, count);
    }
    void parallel_tasks(std::int64_t count, const TaskBody& body) override {
        for (std::int64_t task = 0; task < count; ++task) body(task, 0);
    }
};

}  // namespace lapidary
