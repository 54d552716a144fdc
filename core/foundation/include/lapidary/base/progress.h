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
    /// A new flag, not yet cancelled.
    CancelToken() : flag_(std::make_shared<std::atomic<bool>>(false)) {}
    /// From any thread; copies of the token share it.
    void cancel() const { flag_->store(true, std::memory_order_relaxed); }
    bool is_cancelled() const { return flag_->load(std::memory_order_relaxed); }  // from any thread
    /// Throws Error{cancelled} once cancel() was called.
    void throw_if_cancelled() const;

private:
    std::shared_ptr<std::atomic<bool>> flag_;
};

/// How a long task reports to its caller, and how the caller stops it. `report` is called on the
/// task's thread with a stage name and a fraction in [0, 1] (negative: unknown).
struct Progress {
    CancelToken cancel;  // looked at while working
    /// fraction 0..1, negative: not known
    std::function<void(std::string_view stage, double fraction)> report;

    /// Throws cancelled, then reports.
    void step(std::string_view stage, double fraction = -1) const {
        cancel.throw_if_cancelled();
        if (report) report(stage, fraction);
    }
    /// For work that completes a result which existed before the task was cancelled: that
    /// cancellation no longer stops it.
    Progress to_complete() const {
        return cancel.is_cancelled() ? Progress{CancelToken(), report} : *this;
    }
};

}  // namespace lapidary
