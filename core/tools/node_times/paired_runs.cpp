// SPDX-License-Identifier: Apache-2.0
#include "node_times/paired_runs.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <random>
#include <thread>

#include "bench/process/process_load.h"

namespace lapidary {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int warm_up_runs = 2;
constexpr std::size_t fewest_pairs = 20;            // enough for intervals of many nodes
constexpr double events_of_recording = 8e5;         // of the million that ONNX Runtime keeps
constexpr double events_of_node = 3;                // at most, in older releases
constexpr double short_seconds = 0.1;               // of a run
constexpr std::chrono::milliseconds spin_time{20};  // of threads in another process

double seconds_of(RecordedEngine& engine, bool is_measured) {
    const auto begin = Clock::now();
    engine.run(is_measured);
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

void rest(const RecordedEngine& engine) {
    if (engine.is_in_other_process()) std::this_thread::sleep_for(spin_time);
    else wait_for_rest();
}

}  // namespace

std::size_t most_pairs(std::size_t nodes) {
    // Of two runs for each pair one may be unmeasured.
    const double events = 2 * (events_of_node * static_cast<double>(nodes) + 8);
    return std::max(fewest_pairs, static_cast<std::size_t>(events_of_recording / events));
}

std::size_t run_in_pairs(RecordedEngine& a, RecordedEngine& b, std::size_t most,
                         const NodeComparisonOptions& options, const Progress& progress) {
    const std::array<RecordedEngine*, 2> engines{&a, &b};
    std::array<double, 2> run_seconds{};
    progress.step("warm up");
    for (std::size_t side = 0; side < 2; ++side) {
        for (int i = 0; i < warm_up_runs; ++i)
            run_seconds[side] = seconds_of(*engines[side], false);
        rest(*engines[side]);
    }
    std::mt19937_64 random(options.seed);
    const auto wanted = static_cast<std::size_t>(std::max(options.pairs, 0));
    const double allowed = 2 * options.seconds;
    const auto begin = Clock::now();
    double used = 0;
    std::size_t pairs = 0;
    const auto goes_on = [&] {
        if (wanted > 0) return pairs < std::min(wanted, most);
        return pairs < fewest_pairs || (used < allowed && pairs < most);
    };
    while (goes_on()) {
        progress.step("run in pairs", wanted > 0
                                          ? static_cast<double>(pairs) / static_cast<double>(wanted)
                                          : std::min(1.0, used / allowed));
        const std::size_t first = random() & 1u;
        for (const std::size_t side : {first, 1 - first}) {
            if (run_seconds[side] < short_seconds) engines[side]->run(false);
            engines[side]->run(true);
            rest(*engines[side]);
        }
        ++pairs;
        used = std::chrono::duration<double>(Clock::now() - begin).count();
    }
    return pairs;
}

}  // namespace lapidary
