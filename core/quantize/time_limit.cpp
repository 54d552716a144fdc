// SPDX-License-Identifier: Apache-2.0
#include "quantize/time_limit.h"

namespace lapidary {
namespace {

constexpr std::chrono::milliseconds looks_every(20);

}  // namespace

TimeLimit::TimeLimit(double seconds, CancelToken caller)
    : seconds_(seconds),
      caller_(std::move(caller)),
      token_(seconds > 0 ? CancelToken() : caller_) {
    if (seconds_ > 0) thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

TimeLimit::~TimeLimit() = default;

bool TimeLimit::is_over() const {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
    return seconds_ > 0 && passed.count() + reserved_.load(std::memory_order_relaxed) >= seconds_;
}

void TimeLimit::watch(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested() && !is_over() && !caller_.is_cancelled())
        wake_.wait_for(lock, stop, looks_every, [] { return false; });
    if (!stop.stop_requested()) token_.cancel();
}

}  // namespace lapidary
