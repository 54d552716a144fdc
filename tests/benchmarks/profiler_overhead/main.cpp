// SPDX-License-Identifier: Apache-2.0
// What profiling costs. Profiled and plain runs of one session alternate, so that both see the same
// machine. A fixed piece of work is timed around each pair, and pairs during which the machine was
// slowed down are left out. Prints, per sample model, the median of the ratios of neighbours and
// the interval that holds it with 95 % confidence. Run it on an idle machine:
//
//   profiler_overhead [--rounds 400] [sample ...]        (squeezenet and gpt2-small when none is
//   named)
//
// Fails when the whole interval of a model lies above 1 %.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/exec/session.h>

#include "bench/machine/canary.h"

namespace {

using namespace lapidary;

struct Overhead {
    double low = 0, median = 0, high = 0;
    std::size_t pairs = 0;
    bool busy = false;  // the machine, nearly all the time: all pairs count
};

struct Pair {
    double ratio = 0;
    Canary::Reading before, between, after;
};

/// Of the wall time of runs, which a profile reports itself and a plain run's caller measures
/// around the run alone.
double seconds_of(Session& session, const NamedValues& inputs, bool profiled, int repetitions) {
    RunOptions run;
    run.profile = profiled;
    run.repetitions = repetitions;
    if (profiled) {
        const RunResult result = session.run(inputs, run);
        double sum = 0;
        for (const Span& span : result.profile->run_spans)
            sum += static_cast<double>(span.duration_ns()) / 1e9;
        return sum;
    }
    const auto start = std::chrono::steady_clock::now();
    session.run(inputs, run);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Overhead overhead_of(Session& session, const NamedValues& inputs, int rounds) {
    // Runs of some 20 ms, so that what surrounds them is little.
    const double once =
        std::min(seconds_of(session, inputs, false, 1), seconds_of(session, inputs, false, 1));
    const int repetitions = std::clamp(static_cast<int>(0.02 / std::max(once, 1e-6)), 1, 2000);
    for (int i = 0; i < 5; ++i) seconds_of(session, inputs, i % 2 != 0, repetitions);
    Canary canary(session.threads());
    std::vector<Pair> pairs;
    for (int round = 0; round < rounds; ++round) {
        const bool profiled_first = round % 2 != 0;
        Pair pair;
        pair.before = canary.wait();
        const double first = seconds_of(session, inputs, profiled_first, repetitions);
        pair.between = canary.look();
        const double second = seconds_of(session, inputs, !profiled_first, repetitions);
        pair.after = canary.look();
        pair.ratio = profiled_first ? first / second : second / first;
        pairs.push_back(pair);
    }
    const auto is_quiet = [&](const Pair& pair) {
        return canary.is_full_speed(pair.before) && canary.is_full_speed(pair.between) &&
               canary.is_full_speed(pair.after);
    };
    constexpr int least_quiet = 5;  // pairs; with fewer, all count
    const bool busy = std::ranges::count_if(pairs, is_quiet) < std::max(rounds / 10, least_quiet);
    std::vector<double> ratios;
    for (const Pair& pair : pairs)
        if (busy || is_quiet(pair)) ratios.push_back(pair.ratio);
    std::ranges::sort(ratios);
    // Order statistics around the median.
    const double n = static_cast<double>(ratios.size()), half = 0.98 * std::sqrt(n);
    const auto at = [&](double index) {
        return ratios[static_cast<std::size_t>(std::clamp(index, 0.0, n - 1))] - 1;
    };
    return {at(n / 2 - half), at(n / 2), at(n / 2 + half), ratios.size(), busy};
}

}  // namespace

int main(int count, char** words) {
    int rounds = 400;
    std::vector<std::string> samples;
    for (int i = 1; i < count; ++i) {
        const std::string word = words[i];
        if (word == "--rounds" && i + 1 < count) rounds = std::max(8, std::atoi(words[++i]));
        else samples.push_back(word);
    }
    if (samples.empty()) samples = {"squeezenet", "gpt2-small"};
    bool exceeded = false;
    try {
        for (const std::string& sample : samples) {
            const auto model = std::make_shared<const Model>(
                optimize(build_sample(sample), {.level = Level::all}).model);
            Session session = Session::compile(model, {.enable_profiling = true});
            const Overhead found = overhead_of(session, generate_inputs(*model), rounds);
            std::printf("%-12s %+.2f %%  (%+.2f to %+.2f %%, %d rounds, %zu counted%s)\n",
                        sample.c_str(), 100 * found.median, 100 * found.low, 100 * found.high,
                        rounds, found.pairs, found.busy ? ", the machine was busy" : "");
            exceeded = exceeded || found.low > 0.01;
        }
    } catch (const Error& error) {
        std::fprintf(stderr, "profiler_overhead: %s\n", error.what());
        return 2;
    }
    return exceeded ? 1 : 0;
}
