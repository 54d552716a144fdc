// SPDX-License-Identifier: Apache-2.0
#include "bench/canary.h"

#include <algorithm>
#include <chrono>

#include <lapidary/bench.h>

#include "kernels/vector/peak.h"

namespace lapidary {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto burst_length = std::chrono::microseconds(30);

}  // namespace

double core_peak_gflops() { return Canary(1).best(); }

double float_burst() {
    alignas(64) thread_local float workspace[peak_workspace_floats] = {};
    const PeakKernels& kernels = peak_kernels();
    kernels.float_product(workspace, 4);  // wakes wide vector units
    std::int64_t operations = 0;
    const auto start = Clock::now();
    auto now = start;
    for (; now - start < burst_length; now = Clock::now()) operations += kernels.float_product(workspace, 16);
    return static_cast<double>(operations) / std::chrono::duration<double, std::nano>(now - start).count();
}

Canary::Canary(int threads) : speeds_(static_cast<std::size_t>(std::max(threads, 1))) {
    for (std::size_t helper = 1; helper < speeds_.size(); ++helper) helpers_.emplace_back([this, helper] { serve(helper); });
    for (const auto end = Clock::now() + std::chrono::milliseconds(20); Clock::now() < end;) speed();
}

Canary::~Canary() {
    quit_.store(true);
    round_.fetch_add(1);
    round_.notify_all();
    for (std::thread& helper : helpers_) helper.join();
}

void Canary::serve(std::size_t helper) {
    for (std::uint32_t seen = 0;;) {
        round_.wait(seen);
        seen = round_.load();
        if (quit_.load()) return;
        speeds_[helper] = float_burst();
        answered_.fetch_add(1);
        answered_.notify_one();
    }
}

double Canary::speed() {
    answered_.store(0);
    round_.fetch_add(1);
    round_.notify_all();
    speeds_[0] = float_burst();
    for (std::uint32_t n = answered_.load(); n < helpers_.size(); n = answered_.load()) answered_.wait(n);
    best_ = std::max(best_, *std::ranges::max_element(speeds_));
    return *std::ranges::min_element(speeds_) / best_;
}

}  // namespace lapidary
