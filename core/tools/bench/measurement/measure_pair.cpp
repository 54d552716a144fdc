// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

#include <lapidary/bench/bench.h>
#include <lapidary/base/error.h>

#include "bench/machine/canary.h"
#include "bench/machine/handover.h"
#include "bench/statistics/median.h"
#include "bench/process/process_load.h"
#include "bench/statistics/series.h"

namespace lapidary {
namespace {

using Clock = std::chrono::steady_clock;

// of measured runs: far above the clock's and the scheduler's grain
constexpr double pair_burst_ms = 8;
// shorter runs follow an unmeasured one, with caches and workers warm
constexpr double pair_led_below_ms = 25;
constexpr double pair_most_waiting = 0.02;    // of the wall time
constexpr std::size_t least_quiet_pairs = 5;  // with fewer, those of a busy machine count too
// and this share of the time: looking often finds a narrow interval by chance
constexpr std::size_t enough_pairs = 16;
constexpr double pair_enough_time = 0.15;
constexpr std::size_t most_pairs = 400;

struct Sample {
    BenchEngine::Times times;
    Canary::Reading before, after;

    bool is_quiet(const Canary& canary) const {
        return canary.is_full_speed(before) && canary.is_full_speed(after) &&
               times.waited_ms <= pair_most_waiting * times.wall_ms;
    }
};

/// One engine with how often it runs per sample.
struct Contender {
    BenchEngine* engine = nullptr;
    EngineFigures figures;
    int lead = 0, runs = 1;
    std::vector<Sample> samples;

    void warm_up(double seconds) {
        const BenchEngine::Times first = engine->burst(0, 1);
        figures.first_ms = first.wall_ms;
        figures.load_ms = engine->load_ms();
        double run_ms = first.wall_ms;
        // Plans and buffers of these shapes come with the first run, clocks and page tables with
        // some more.
        for (int i = 0; i < 2 && run_ms < seconds * 1e3 / 8; ++i)
            run_ms = engine->burst(0, 1).wall_ms;
        if (run_ms < 1)
            run_ms = engine->burst(1, static_cast<int>(2 / std::max(run_ms, 1e-3)) + 1).wall_ms;
        lead = run_ms < pair_led_below_ms ? 1 : 0;
        runs = std::clamp(static_cast<int>(pair_burst_ms / std::max(run_ms, 1e-4)), 1, 100'000);
    }

    void take(Canary& canary) {
        Sample sample;
        sample.before = canary.wait();
        sample.times = engine->burst(lead, runs);
        sample.after = canary.look();
        samples.push_back(sample);
    }

    void finish(const Canary& canary, bool quiet_only) {
        std::vector<double> wall, cpu;
        for (const Sample& s : samples) {
            const bool is_quiet = s.is_quiet(canary);
            if (!is_quiet) ++figures.dropped;
            if (quiet_only && !is_quiet) continue;
            wall.push_back(s.times.wall_ms);
            cpu.push_back(s.times.cpu_ms);
        }
        figures.wall_ms = estimate_median_of_series(wall);
        figures.cpu_ms = estimate_median_of_series(cpu);
    }
};

struct Ratios {
    std::vector<double> wall, cpu;
};

Ratios ratios_of(const Contender& ours, const Contender& theirs, const Canary& canary,
                 bool quiet_only) {
    Ratios ratios;
    for (std::size_t i = 0; i < std::min(ours.samples.size(), theirs.samples.size()); ++i) {
        const Sample &a = ours.samples[i], &b = theirs.samples[i];
        if (quiet_only && !(a.is_quiet(canary) && b.is_quiet(canary))) continue;
        ratios.wall.push_back(b.times.wall_ms / a.times.wall_ms);
        ratios.cpu.push_back(b.times.cpu_ms / std::max(a.times.cpu_ms, 1e-6));
    }
    return ratios;
}

std::vector<double> quiet_wall(const Contender& contender, const Canary& canary) {
    std::vector<double> wall;
    for (const Sample& s : contender.samples)
        if (s.is_quiet(canary)) wall.push_back(s.times.wall_ms);
    return wall;
}

}  // namespace

BenchFigures measure_pair(const BenchPair& pair, int threads, const BenchOptions& options,
                          const Progress& progress) {
    Contender ours{pair.ours, {}, 0, 1, {}}, theirs{pair.theirs, {}, 0, 1, {}};
    const bool paired = pair.theirs != nullptr;
    ours.warm_up(options.seconds);
    if (paired) theirs.warm_up(options.seconds);
    Canary canary(threads);
    const double handover_before = threads > 1 ? core_handover_ns() : 0;
    std::mt19937_64 order(options.seed);
    const auto start = Clock::now();
    const auto elapsed = [&] {
        return std::chrono::duration<double>(Clock::now() - start).count();
    };
    for (std::size_t n = 0; n < most_pairs && (n == 0 || elapsed() < options.seconds); ++n) {
        progress.step("measure", std::min(1.0, elapsed() / options.seconds));
        const bool ours_first = !paired || order() % 2 == 0;
        if (ours_first) ours.take(canary);
        if (paired) theirs.take(canary);
        if (!ours_first) ours.take(canary);
        if (n % 4 != 3 || elapsed() < pair_enough_time * options.seconds) continue;
        const MedianEstimate known = estimate_median_of_series(
            paired ? ratios_of(ours, theirs, canary, true).wall : quiet_wall(ours, canary));
        if (known.samples >= enough_pairs && relative_half_width(known) < options.precision) break;
    }
    BenchFigures result;
    result.peak_gflops = canary.best();
    result.handover_ns[0] = handover_before;
    result.handover_ns[1] = threads > 1 ? core_handover_ns() : 0;
    const std::size_t quiet = paired ? ratios_of(ours, theirs, canary, true).wall.size()
                                     : quiet_wall(ours, canary).size();
    result.quiet = quiet >= std::min(least_quiet_pairs, (ours.samples.size() + 1) / 2);
    ours.finish(canary, result.quiet);
    result.ours = ours.figures;
    if (paired) {
        theirs.finish(canary, result.quiet);
        result.theirs = theirs.figures;
        const Ratios ratios = ratios_of(ours, theirs, canary, result.quiet);
        result.ratio = estimate_median_of_series(ratios.wall);
        result.cpu_ratio = estimate_median_of_series(ratios.cpu);
    }
    return result;
}

}  // namespace lapidary
