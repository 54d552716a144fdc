// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/machine_peak.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "base/cpu_features.h"
#include "bench/machine/canary.h"
#include "base/threads/session_threads.h"
#include "kernels/vector/peak.h"

namespace lapidary::bench {
namespace {

using Clock = std::chrono::steady_clock;

template <typename F>
double best_rate(int attempts, const F& work) {
    double best = 0;
    for (int i = 0; i < attempts; ++i) {
        const auto start = Clock::now();
        const double amount = work();
        best = std::max(
            best, amount / std::chrono::duration<double, std::nano>(Clock::now() - start).count());
    }
    return best;
}

double read_rate(const std::vector<float>& memory, int threads) {
    const auto pool = make_session_threads(threads);
    const auto pieces = static_cast<std::int64_t>(threads) * 8;
    const std::int64_t piece = static_cast<std::int64_t>(memory.size()) / pieces;
    std::vector<float> sums(static_cast<std::size_t>(pieces) * 16);
    return best_rate(5, [&] {
        pool->execute([&] {
            pool->parallel_tasks(pieces, [&](std::int64_t task, int) {
                sums[static_cast<std::size_t>(task) * 16] =
                    peak_kernels().sum(memory.data() + task * piece, piece);
            });
        });
        return static_cast<double>(pieces * piece) * sizeof(float);
    });
}

MachinePeak measure() {
    MachinePeak peak;
    peak.threads = default_thread_count();
    for (int i = 0; i < 500; ++i) peak.float_gflops = std::max(peak.float_gflops, float_burst());
    peak.integer_gops = best_rate(
        500, [] { return static_cast<double>(integer_peak_kernels().integer_product(2000)); });
    const std::size_t bytes = std::max<std::size_t>(4 * cache_sizes().l3, 64u << 20);
    const std::vector<float> memory(bytes / sizeof(float), 1.0f);
    peak.memory_gbs[0] = read_rate(memory, 1);
    peak.memory_gbs[1] = read_rate(memory, peak.threads);
    return peak;
}

}  // namespace

const MachinePeak& machine_peak() {
    static const MachinePeak peak = measure();
    return peak;
}

}  // namespace lapidary::bench
