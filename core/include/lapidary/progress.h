// SPDX-License-Identifier: Apache-2.0
// Cancellation and progress of long tasks. Both are cheap to copy and safe to use from any thread.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string_view>

namespace lapidary {

/// Cooperative cancellation. Copies share one flag; a default-made token can be cancelled too.
class CancelToken {
public:
    CancelToken() : flag_(std::make_shared<std::atomic<bool>>(false)) {}
    void cancel() const { flag_->store(true, std::memory_order_relaxed); }
    bool is_cancelled() const { return flag_->load(std::memory_order_relaxed); }
    /// Throws Error{cancelled} once cancel() was called.
    void throw_if_cancelled() const;

private:
    std::shared_ptr<std::atomic<bool>> flag_;
};

/// What a long task tells its caller, and how the caller stops it. `report` is called from the task's
/// thread with a stage name and a fraction in [0, 1] (negative: unknown).
struct Progress {
    CancelToken cancel;
    std::function<void(std::string_view stage, double fraction)> report;

    void step(std::string_view stage, double fraction = -1) const {
        cancel.throw_if_cancelled();
        if (report) report(stage, fraction);
    }
};

}  // namespace lapidary
