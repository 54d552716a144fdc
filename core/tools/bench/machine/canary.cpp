// SPDX-License-Identifier: Apache-2.0
#include "bench/machine/canary.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include <lapidary/bench/bench.h>

#include "base/threads/wait_for_change.h"
#include "kernels/vector/peak.h"

namespace lapidary {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto burst_length = std::chrono::microseconds(30);
constexpr int addition_rounds = 6000;  // of 16: some 10 microseconds
constexpr int most_looks = 4;          // one may be hit by an interrupt, a neighbour hits them all
constexpr auto pause = std::chrono::microseconds(500);
constexpr int most_patience = 64;  // pauses

}  // namespace

double core_peak_gflops() { return Canary(1).best(); }

double float_burst() {
    alignas(64) thread_local float workspace[peak_workspace_floats] = {};
    const PeakKernels& kernels = peak_kernels();
    kernels.float_product(workspace, 4);  // wakes wide vector units
    std::int64_t operations = 0;
    const auto start = Clock::now();
    auto now = start;
    for (; now - start < burst_length; now = Clock::now())
        operations += kernels.float_product(workspace, 16);
    return static_cast<double>(operations) /
           std::chrono::duration<double, std::nano>(now - start).count();
}

double addition_burst() {
    std::uint64_t a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
    const auto start = Clock::now();
    for (int round = 0; round < addition_rounds; ++round) {
        ++a, ++b, ++c, ++d, ++e, ++f, ++g, ++h;
        // each of them is done
        asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f), "+r"(g), "+r"(h));
        ++a, ++b, ++c, ++d, ++e, ++f, ++g, ++h;
        asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f), "+r"(g), "+r"(h));
    }
    return addition_rounds * 16 /
           std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

Canary::Reading Canary::burst() { return {float_burst(), addition_burst()}; }

Canary::Canary(int threads)
    : readings_(static_cast<std::size_t>(std::max(threads, 1))), patience_(most_patience),
      helpers_([this] { quit(); }) {
    helpers_.start(static_cast<int>(readings_.size()) - 1, "threads to watch the machine",
                   [this](int helper) { serve(static_cast<std::size_t>(helper) + 1); });
    for (const auto end = Clock::now() + std::chrono::milliseconds(20); Clock::now() < end;) read();
}

void Canary::quit() {
    quit_.store(true);
    round_.fetch_add(1);
    wake_waiters(round_);
}

void Canary::serve(std::size_t helper) {
    for (std::uint32_t seen = 0;;) {
        wait_for_change(round_, seen);
        seen = round_.load();
        if (quit_.load()) return;
        readings_[helper] = burst();
        answered_.fetch_add(1);
        wake_waiters(answered_);
    }
}

Canary::Reading Canary::read() {
    answered_.store(0);
    round_.fetch_add(1);
    wake_waiters(round_);
    readings_[0] = burst();
    for (std::uint32_t n = answered_.load(); n < readings_.size() - 1; n = answered_.load())
        wait_for_change(answered_, n);
    Reading least = readings_[0];
    for (const Reading& r : readings_) {
        best_ = {std::max(best_.product, r.product), std::max(best_.additions, r.additions)};
        least = {std::min(least.product, r.product), std::min(least.additions, r.additions)};
    }
    return least;
}

double Canary::share_of(const Reading& reading) const {
    return std::min(reading.product / best_.product, reading.additions / best_.additions);
}

double Canary::speed() { return share_of(read()); }

Canary::Reading Canary::look() {
    Reading found = read();
    for (int more = 1; more < most_looks && !is_full_speed(found); ++more)
        if (const Reading next = read(); share_of(next) > share_of(found)) found = next;
    return found;
}

Canary::Reading Canary::wait() {
    Reading found = look();
    for (int waited = 0; waited < patience_ && !is_full_speed(found); ++waited) {
        std::this_thread::sleep_for(pause);
        found = look();
    }
    patience_ =
        is_full_speed(found) ? std::min(2 * patience_, most_patience) : std::max(patience_ / 2, 1);
    return found;
}

}  // namespace lapidary
