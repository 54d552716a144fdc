// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <vector>

#include <lapidary/cost/roofline.h>

#include "base/cpu_features.h"
#include "base/memory/page_memory.h"
#include "base/threads/session_threads.h"
#include "kernels/vector/peak.h"
#include "kernels/vector/product/split_tiles.h"

namespace lapidary {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto burst_length = std::chrono::microseconds(400);
// at least so many tries, however slow the machine is
constexpr int least_goes = 8, least_passes = 3;
// then no further go, or pass over memory
constexpr auto long_enough = std::chrono::milliseconds(80);
constexpr std::size_t least_memory = std::size_t{64} << 20, most_memory = std::size_t{256} << 20;

/// The best total rate of all threads over several tries, 1e9 per second, since other programs can
/// only slow a try down. Uses the time of the whole try, so that more threads than cores do not
/// count twice.
template <typename Work>
double best_rate(SessionThreads& threads, const CancelToken& cancel, const Work& work) {
    double best = 0;
    // a line of the cache each
    std::vector<double> amounts(static_cast<std::size_t>(threads.threads()) * 8);
    threads.execute([&] {
        const auto first = Clock::now();
        for (int go = 0; go < least_goes || Clock::now() - first < long_enough; ++go) {
            cancel.throw_if_cancelled();
            std::ranges::fill(amounts, 0.0);
            const auto start = Clock::now();
            threads.parallel_tasks(threads.threads(), [&](std::int64_t task, int) {
                double& amount = amounts[static_cast<std::size_t>(task) * 8];
                for (const auto begin = Clock::now(); Clock::now() - begin < burst_length;)
                    amount += static_cast<double>(work());
            });
            const double elapsed =
                std::chrono::duration<double, std::nano>(Clock::now() - start).count();
            best = std::max(best, std::accumulate(amounts.begin(), amounts.end(), 0.0) / elapsed);
        }
    });
    return best;
}

std::int64_t float_burst() {
    alignas(64) thread_local float workspace[peak_workspace_floats] = {};
    return peak_kernels().float_product(workspace, 16);
}

std::int64_t integer_burst() { return integer_peak_kernels().integer_product(2000); }

double reading_rate(SessionThreads& threads, std::size_t bytes, const CancelToken& cancel) {
    const auto pieces = static_cast<std::int64_t>(threads.threads()) * 8;
    const std::int64_t piece = static_cast<std::int64_t>(bytes / sizeof(float)) / pieces;
    const std::unique_ptr<float, decltype(&free_block)> memory(
        static_cast<float*>(
            allocate_block(static_cast<std::size_t>(piece * pieces) * sizeof(float), Pages::large)),
        &free_block);
    if (!memory) return 0;
    std::vector<float> sums(static_cast<std::size_t>(pieces) * 16);
    double best = 0;
    threads.execute([&] {
        threads.parallel_tasks(pieces, [&](std::int64_t task, int) {
            std::fill_n(memory.get() + task * piece, piece, 1.0f);
        });
        const auto first = Clock::now();
        for (int pass = 0; pass < least_passes || Clock::now() - first < long_enough; ++pass) {
            cancel.throw_if_cancelled();
            const auto start = Clock::now();
            threads.parallel_tasks(pieces, [&](std::int64_t task, int) {
                sums[static_cast<std::size_t>(task) * 16] =
                    peak_kernels().sum(memory.get() + task * piece, piece);
            });
            best = std::max(
                best, static_cast<double>(piece * pieces) * sizeof(float) /
                          std::chrono::duration<double, std::nano>(Clock::now() - start).count());
        }
    });
    return best;
}

}  // namespace

double reading_gb_per_s(int threads, std::uint64_t bytes, const CancelToken& cancel) {
    constexpr std::uint64_t least = 1 << 16, most = std::uint64_t{512} << 20;
    const auto pool = make_session_threads(threads);
    return reading_rate(*pool, static_cast<std::size_t>(std::clamp(bytes, least, most)), cancel);
}

MachinePeak machine_peak(int threads, const CancelToken& cancel) {
    static std::mutex mutex;
    static std::map<int, MachinePeak> known;
    const std::lock_guard lock(mutex);
    const auto pool = make_session_threads(threads);
    const auto found = known.find(pool->threads());
    if (found != known.end()) return found->second;
    MachinePeak peak;
    peak.threads = pool->threads();
    peak.gflops = best_rate(*pool, cancel, float_burst);
    if (const SplitTileKernels* const tiles = split_tile_kernels())
        peak.gflops =
            std::max(peak.gflops, best_rate(*pool, cancel, [&] { return tiles->peak(2000); }));
    peak.int8_gops =
        integer_peak_kernels().integer_product(1) > 0 ? best_rate(*pool, cancel, integer_burst) : 0;
    peak.gb_per_s =
        reading_rate(*pool, std::clamp(2 * cache_sizes().l3, least_memory, most_memory), cancel);
    return known.emplace(peak.threads, peak).first->second;
}

}  // namespace lapidary
