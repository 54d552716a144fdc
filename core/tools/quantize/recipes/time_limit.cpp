// SPDX-License-Identifier: Apache-2.0
#include "quantize/recipes/time_limit.h"

namespace lapidary {
namespace {

constexpr std::chrono::milliseconds looks_every(20);

}  // namespace

TimeLimit::TimeLimit(double seconds, CancelToken caller)
    : seconds_(seconds), caller_(std::move(caller)), token_(seconds > 0 ? CancelToken() : caller_) {
    if (seconds_ > 0) thread_.start(1, "threads that watch the time", [this](int) { watch(); });
}

TimeLimit::~TimeLimit() = default;

bool TimeLimit::is_over() const {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
    return seconds_ > 0 && passed.count() + reserved_.load(std::memory_order_relaxed) >= seconds_;
}

void TimeLimit::watch() {
    std::unique_lock lock(mutex_);
    while (!is_stopped_ && !is_over() && !caller_.is_cancelled()) wake_.wait_for(lock, looks_every);
    if (!is_stopped_) token_.cancel();
}

void TimeLimit::stop() {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
    wake_.notify_all();
}

}  // namespace lapidary
