// SPDX-License-Identifier: Apache-2.0
// What a series of times says, when two differ, how candidates are measured in turn, and all of it
// as JSON.
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include <lapidary/bench/bench.h>
#include <lapidary/base/error.h>
#include <lapidary/bench/measurement_json.h>
#include <lapidary/inputs/samples.h>

#include "bench/statistics/median.h"
#include "bench/statistics/series.h"

namespace lapidary {
namespace {

void expect_failure(const std::function<void()>& action, ErrorCode code,
                    const std::vector<std::string>& words) {
    try {
        action();
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), code) << error.what();
        for (const std::string& word : words)
            EXPECT_NE(std::string(error.what()).find(word), std::string::npos)
                << word << " in " << error.what();
    }
}

/// Times of a machine that a neighbour slows down by `slow` for phases of some `phase` samples.
std::vector<double> phased_times(std::mt19937_64& random, std::size_t n, double slow,
                                 double phase) {
    std::normal_distribution<double> noise(1, 0.01);
    std::bernoulli_distribution turn(1 / phase);
    std::vector<double> times;
    bool is_slow = random() % 2;
    for (std::size_t i = 0; i < n; ++i) {
        if (turn(random)) is_slow = !is_slow;
        times.push_back(noise(random) * (is_slow ? 1 + slow : 1));
    }
    return times;
}

// ---- series

TEST(MeasurementSeries, IndependentSamplesCountInFull) {
    std::mt19937_64 random(1);
    std::vector<double> worth;
    for (int trial = 0; trial < 200; ++trial)
        worth.push_back(independent_samples(phased_times(random, 200, 0, 10)));
    // the greatest of several variances is a little more than theirs
    EXPECT_GT(median_of(worth), 80);
    EXPECT_LE(*std::ranges::max_element(worth), 200);
}

TEST(MeasurementSeries, SamplesOfSlowPhasesCountLess) {
    std::mt19937_64 random(1);
    std::vector<double> worth;
    for (int trial = 0; trial < 100; ++trial)
        worth.push_back(independent_samples(phased_times(random, 200, 0.1, 20)));
    EXPECT_LT(median_of(worth), 40);
    std::vector<double> ramp(60);
    std::iota(ramp.begin(), ramp.end(), 1);
    EXPECT_LT(independent_samples(ramp), 15);
}

TEST(MeasurementSeries, IntervalHoldsTheTrueMedianOfPhasesToo) {
    std::mt19937_64 random(3);
    int held = 0, naively = 0;
    constexpr int trials = 400;
    for (int trial = 0; trial < trials; ++trial) {
        // Half of the time 4 % slower: the true median lies between.
        const std::vector<double> times = phased_times(random, 240, 0.04, 8);
        const MedianEstimate e = estimate_median_of_series(times), plain = estimate_median(times);
        held += e.low <= 1.02 && 1.02 <= e.high;
        naively += plain.low <= 1.02 && 1.02 <= plain.high;
    }
    EXPECT_GE(held, trials * 90 / 100);
    EXPECT_LT(naively, trials * 85 / 100) << "these series do not distinguish the two methods";
}

// Successive times on a machine are correlated.
TEST(MeasurementSeries, IntervalHoldsTheTrueMedianOfAutocorrelatedTimes) {
    constexpr double rho = 0.6;
    constexpr int trials = 600;
    for (const std::size_t samples : {16, 24, 40, 100, 300}) {
        std::mt19937_64 random(5);
        std::normal_distribution<double> noise;
        int held = 0, naively = 0;
        for (int trial = 0; trial < trials; ++trial) {
            std::vector<double> times;
            double state = noise(random);
            for (std::size_t i = 0; i < samples; ++i) {
                times.push_back(std::exp(0.1 * state));
                state = rho * state + std::sqrt(1 - rho * rho) * noise(random);
            }
            const MedianEstimate e = estimate_median_of_series(times),
                                 plain = estimate_median(times);
            held += e.low <= 1 && 1 <= e.high;
            naively += plain.low <= 1 && 1 <= plain.high;
        }
        EXPECT_GE(held, trials * 93 / 100) << samples;
        EXPECT_LT(naively, trials * 90 / 100) << samples;
    }
}

TEST(MeasurementSeries, IntervalsOfTwoMeasurementsOfTheSameOverlap) {
    std::mt19937_64 random(4);
    std::normal_distribution<double> placement(1, 0.003);
    int mutual = 0;
    constexpr int trials = 300;
    for (int trial = 0; trial < trials; ++trial) {
        SampleSummary pair[2];
        for (SampleSummary& s : pair) {
            std::vector<double> times = phased_times(random, 100, 0.02, 5);
            const double where = placement(random);
            for (double& t : times) t *= where;
            s = summarize_samples(times);
        }
        const auto holds = [](const SampleSummary& a, const SampleSummary& b) {
            return a.median.low <= b.median.median && b.median.median <= a.median.high;
        };
        mutual += holds(pair[0], pair[1]) && holds(pair[1], pair[0]);
    }
    EXPECT_GE(mutual, trials * 95 / 100);
}

TEST(MeasurementSummary, PercentilesAreThoseOfSingleRunsByNearestRank) {
    std::vector<double> singles(1000);
    std::iota(singles.begin(), singles.end(), 1);
    const SampleSummary s =
        summarize_samples(std::vector<double>{5, 5, 5, 5, 5, 5, 5}, 0.02, singles);
    EXPECT_EQ(s.median.median, 5);
    EXPECT_EQ(s.p50, 500);
    EXPECT_EQ(s.p90, 900);
    EXPECT_EQ(s.p95, 950);
    EXPECT_EQ(s.p99, 990);
    EXPECT_EQ(s.p999, 999);
    EXPECT_EQ(s.minimum, 1);
    EXPECT_EQ(s.maximum, 1000);
    EXPECT_DOUBLE_EQ(s.mean, 500.5);
    EXPECT_EQ(s.runs, 1000u);
    EXPECT_FALSE(s.noisy);
    EXPECT_TRUE(s.note.empty()) << s.note;
}

TEST(MeasurementSummary, ReportsNoiseAndDrift) {
    std::mt19937_64 random(5);
    std::normal_distribution<double> noise(1, 0.005), wild(1, 0.3);
    std::vector<double> drifting, noisy;
    for (int i = 0; i < 90; ++i)
        drifting.push_back(noise(random) * (1 + 0.1 * i / 90)),
            noisy.push_back(std::abs(wild(random)) + 0.1);
    const SampleSummary d = summarize_samples(drifting), n = summarize_samples(noisy);
    EXPECT_TRUE(d.drifts);
    EXPECT_NEAR(d.drift, 0.066, 0.02);
    EXPECT_NE(d.note.find("slower than the first"), std::string::npos) << d.note;
    EXPECT_TRUE(n.noisy);
    EXPECT_FALSE(n.drifts);
    EXPECT_NE(n.note.find("noisy"), std::string::npos) << n.note;
    EXPECT_TRUE(summarize_samples(std::vector<double>{1, 1}).noisy);
    EXPECT_TRUE(std::isnan(summarize_samples({}).p50));
}

// ---- differences

Measurement measured(std::vector<double> ms, RunConfiguration configuration = {},
                     int first_round = 0) {
    Measurement m;
    m.configuration = configuration;
    for (std::size_t i = 0; i < ms.size(); ++i)
        m.rounds.push_back(first_round + static_cast<int>(i));
    m.wall = summarize_samples(ms);
    m.per_second = 1e3 * static_cast<double>(std::max<std::int64_t>(configuration.batch, 1)) /
                   m.wall.median.median;
    m.samples_ms = std::move(ms);
    return m;
}

TEST(MeasurementDifference, PairsRemoveWhatSlowsBothDown) {
    std::mt19937_64 random(6);
    std::normal_distribution<double> noise(1, 0.01);
    std::vector<double> first, second;
    for (const double phase : phased_times(random, 100, 0.5, 6))
        first.push_back(10 * phase * noise(random)), second.push_back(10.5 * phase * noise(random));
    const Difference pairs = difference_between(
        measured(first), measured(second, {Level::all, fixed_resources(2)}), true);
    EXPECT_TRUE(pairs.significant);
    EXPECT_NEAR(pairs.ratio.median, 1.05, 0.01);
    EXPECT_NE(pairs.sentence.find("2 threads is 0.95 times as fast [0.9"), std::string::npos)
        << pairs.sentence;
    const Difference apart = difference_between(
        measured(first), measured(second, {Level::all, fixed_resources(2)}, 1000), true);
    EXPECT_FALSE(apart.significant) << "no round is common: " << apart.sentence;
    EXPECT_GT(apart.ratio.high - apart.ratio.low, 3 * (pairs.ratio.high - pairs.ratio.low));
    EXPECT_EQ(apart.sentence, "no difference beyond noise");
    EXPECT_EQ(difference_between(measured(first), measured(second), true, "variant B")
                  .sentence.find("variant B is"),
              0u);
}

TEST(MeasurementDifference, OfTheSameIsFoundOnceInTwentyAtMost) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> noise(1, 0.02), placement(1, 0.003);
    int found = 0, planted = 0;
    constexpr int trials = 400;
    for (int trial = 0; trial < trials; ++trial) {
        std::vector<double> a, b, slower;
        const double where = placement(random);
        for (const double phase : phased_times(random, 40, 0.3, 5)) {
            a.push_back(phase * noise(random));
            b.push_back(phase * where * noise(random));
            slower.push_back(1.05 * phase * where * noise(random));
        }
        found += difference_between(measured(a), measured(b), true).significant;
        planted += difference_between(measured(a), measured(slower), true).significant;
    }
    EXPECT_LE(found, trials / 20);
    EXPECT_GE(planted, trials * 95 / 100);
}

TEST(MeasurementDifference, BatchesAreComparedPerInference) {
    const Difference d = difference_between(
        measured(std::vector<double>(10, 2.0), {Level::all, fixed_resources(1)}),
        measured(std::vector<double>(10, 4.0), {.resources = fixed_resources(1), .batch = 4}),
        true);
    EXPECT_NEAR(d.ratio.median, 0.5, 1e-9);
    EXPECT_NE(d.sentence.find("batch 4 is 2.00 times as fast"), std::string::npos) << d.sentence;
    EXPECT_NE(d.sentence.find("per inference"), std::string::npos);
}

TEST(MeasurementDifference, TooFewOrFailedSayNothing) {
    EXPECT_FALSE(difference_between(measured({1, 1}), measured({2, 2}), true).significant);
    Measurement failed;
    failed.error = "out of memory";
    const Difference d = difference_between(failed, measured({1, 1}), true);
    EXPECT_FALSE(d.significant);
    EXPECT_NE(d.sentence.find("out of memory"), std::string::npos);
}

TEST(MeasurementNames, SayWhatDiffers) {
    EXPECT_EQ(name_of(RunConfiguration{}), "1 thread");
    EXPECT_EQ(name_of({Level::extended, fixed_resources(2), 4}), "2 threads, batch 4, extended");
    EXPECT_EQ(name_of({.resources = {2, 2, ExecutionMode::parallel, false}}),
              "2 threads, parallel with 2 at a time, no spinning");
    EXPECT_EQ(name_of({.resources = fixed_resources(0)}), "a thread per core");
}

// ---- in turn

/// Reports times as it is asked to; sleeps for a hundredth of them.
class ScriptedEngine final : public BenchEngine {
public:
    explicit ScriptedEngine(std::function<double(int run)> ms) : ms_(std::move(ms)) {}
    Times burst(int lead, int runs) override {
        std::vector<double> unused;
        return burst_of_singles(lead, runs, unused);
    }
    Times burst_of_singles(int lead, int runs, std::vector<double>& singles) override {
        std::this_thread::sleep_for(std::chrono::microseconds(300));
        runs_ += lead;
        double sum = 0;
        for (int i = 0; i < runs; ++i) sum += singles.emplace_back(ms_(runs_++));
        return {sum / runs, sum / runs, 0};
    }
    NamedValues outputs() override { return {}; }
    double load_ms() const override { return 11; }
    double peak_mb() const override { return 22; }
    int runs_ = 0;

private:
    std::function<double(int)> ms_;
};

TEST(MeasurementInterleaved, StopsWhenPreciseAndDistinguishesThem) {
    ScriptedEngine fast([](int run) { return 2 + 0.01 * (run % 3); }),
        slow([](int run) { return 5 + 0.01 * (run % 5); });
    const Candidate candidates[] = {{{.resources = fixed_resources(2)}, &fast},
                                    {{.resources = fixed_resources(1), .batch = 8}, &slow}};
    MeasureOptions options;
    options.seconds = 1;
    int states = 0;
    const std::vector<Measurement> all = measure_interleaved(
        candidates, options, {},
        [&](const std::vector<Measurement>& state) { states += state.size() == 2; });
    ASSERT_EQ(all.size(), 2u);
    EXPECT_GE(states, 1);
    EXPECT_NEAR(all[0].wall.median.median, 2.01, 0.02);
    EXPECT_NEAR(all[1].wall.median.median, 5.02, 0.03);
    EXPECT_NEAR(all[1].per_second, 8 / 5.02e-3, 10);
    EXPECT_EQ(all[0].load_ms, 11);
    EXPECT_GE(all[0].wall.runs, all[0].samples_ms.size()) << "bursts of several runs";
    EXPECT_EQ(all[0].rounds.size(), all[0].samples_ms.size());
    EXPECT_EQ(all[0].configuration.resources.threads, 2);
    EXPECT_TRUE(difference_between(all[0], all[1], true).significant);
}

TEST(MeasurementInterleaved, MakesExactlyTheRunsAskedFor) {
    ScriptedEngine engine([](int) { return 1.0; }), slow([](int) { return 30.0; });
    const Candidate candidates[] = {{{}, &engine}, {{}, &slow}};
    MeasureOptions options;
    options.runs = 100;
    const std::vector<Measurement> all = measure_interleaved(candidates, options);
    for (const Measurement& m : all) EXPECT_LE(m.wall.runs, 100u);
    for (const Measurement& m : all) {
        if (m.dropped == 0) { EXPECT_EQ(m.wall.runs, 100u); }
    }
}

TEST(MeasurementInterleaved, LeavesOutCandidatesThatFail) {
    ScriptedEngine good([](int) { return 2.0; }), bad([](int run) -> double {
        if (run > 6) fail_input("the input went away");
        return 1;
    });
    const Candidate candidates[] = {{{}, &bad}, {{}, &good}, {{}, nullptr}};
    MeasureOptions options;
    options.seconds = 0.2;
    const std::vector<Measurement> all = measure_interleaved(candidates, options);
    EXPECT_NE(all[0].error.find("the input went away"), std::string::npos);
    EXPECT_TRUE(all[1].error.empty());
    EXPECT_FALSE(all[1].samples_ms.empty());
    EXPECT_FALSE(all[2].error.empty());
}

TEST(MeasurementInterleaved, CanBeCancelled) {
    ScriptedEngine engine([](int) { return 2.0; });
    const Candidate candidates[] = {{{}, &engine}};
    Progress progress;
    MeasureOptions options;
    options.seconds = 1000;
    options.precision = 0;
    std::vector<Measurement> last;
    expect_failure(
        [&] {
            measure_interleaved(candidates, options, progress,
                                [&](const std::vector<Measurement>& state) {
                                    last = state;
                                    progress.cancel.cancel();
                                });
        },
        ErrorCode::cancelled, {});
    ASSERT_EQ(last.size(), 1u);
    EXPECT_FALSE(last[0].samples_ms.empty());
}

// ---- this engine

TEST(MeasurementEngine, RunsAModelInMemoryAsTheConfigurationSays) {
    const auto model = std::make_shared<const Model>(build_sample("mlp"));
    EXPECT_EQ(batch_dimensions(*model), std::vector<std::string>{"batch"});
    const RunConfiguration configuration{.resources = fixed_resources(2), .batch = 3};
    const NamedValues inputs = inputs_for(*model, configuration);
    ASSERT_FALSE(inputs.empty());
    EXPECT_EQ(inputs[0].second.tensor().dim(0), 3);
    const NamedValues scalar{{inputs[0].first, Tensor::of<float>({}, {1})}};
    EXPECT_THROW(inputs_for(*model, configuration, {}, 1, scalar), Error) << "no rows to take";
    const auto engine = open_engine(model, configuration, inputs);
    EXPECT_EQ(engine->outputs()[0].second.tensor().dim(0), 3);
    EXPECT_GT(engine->load_ms(), 0);
    std::vector<double> singles;
    const BenchEngine::Times times = engine->burst_of_singles(1, 10, singles);
    ASSERT_EQ(singles.size(), 10u);
    EXPECT_NEAR(std::accumulate(singles.begin(), singles.end(), 0.0) / 10, times.wall_ms, 1e-6);
    for (const double ms : singles) EXPECT_GT(ms, 0);
}

// ---- JSON

Measurement sample_measurement() {
    Measurement m = measured({1.25, 1.0 / 3, 2e-308, 7},
                             {Level::extended, {4, 2, ExecutionMode::parallel, false}, 16}, 5);
    m.wall.p99 = std::numeric_limits<double>::quiet_NaN();
    m.per_second = std::numeric_limits<double>::infinity();
    m.peak_mb = 12.5;
    m.wall.note = "noisy \"quoted\" \n line";
    m.dropped = 3;
    m.busy = true;
    return m;
}

TEST(MeasurementJson, ComesBackAsItWas) {
    const Measurement m = sample_measurement();
    const std::string text = to_json(m);
    const auto back = from_json<Measurement>(text);
    EXPECT_EQ(to_json(back), text);
    EXPECT_EQ(back.configuration, m.configuration);
    EXPECT_EQ(back.samples_ms, m.samples_ms);
    EXPECT_EQ(back.rounds, m.rounds);
    EXPECT_EQ(back.peak_mb, m.peak_mb);
    EXPECT_TRUE(std::isnan(back.wall.p99));
    EXPECT_TRUE(std::isinf(back.per_second));
    EXPECT_EQ(to_json(m, false).find("samples_ms"), std::string::npos);
    EXPECT_EQ(text.find('\n'), std::string::npos) << "one line";
    EXPECT_EQ(from_json<std::vector<Measurement>>(to_json(std::vector<Measurement>{m, m})).size(),
              2u);
    const MeasureOptions options{0.1, 0.3, 7, 9, std::numeric_limits<std::uint64_t>::max()};
    EXPECT_EQ(to_json(from_json<MeasureOptions>(to_json(options))), to_json(options));
    const MachineInfo machine = machine_info();
    EXPECT_EQ(to_json(from_json<MachineInfo>(to_json(machine))), to_json(machine));
    const Difference d = difference_between(m, m, true);
    EXPECT_EQ(to_json(from_json<Difference>(to_json(d))), to_json(d));
}

TEST(MeasurementJson, MissingMembersHaveTheirDefaults) {
    const auto c = from_json<RunConfiguration>(R"({"intra": 4})");
    EXPECT_EQ(c, (RunConfiguration{.resources = fixed_resources(4)}));
}

TEST(MeasurementJson, RefusesWhatDoesNotFitByName) {
    const auto refuses = [](const std::string& text, const std::vector<std::string>& words) {
        expect_failure([&] { from_json<Measurement>(text); }, ErrorCode::invalid_input, words);
    };
    refuses("{", {"JSON"});
    refuses("[]", {"an object", "[]"});
    refuses(R"({"nonsense": 1})", {"nonsense", "samples_ms"});
    refuses(R"({"configuration": {"threads": 1}})", {"configuration", "threads", "intra"});
    refuses(R"({"configuration": {"intra": 1.5}})", {"configuration.intra", "whole number", "1.5"});
    refuses(R"({"configuration": {"intra": 99999999999}})", {"configuration.intra", "99999999999"});
    refuses(R"({"configuration": {"level": "best"}})", {"configuration.level", "extended", "best"});
    refuses(R"({"samples_ms": [1, "x"]})", {"samples_ms[1]", "a number"});
    refuses(R"({"dropped": -1})", {"dropped", "-1"});
    expect_failure([] { from_json<std::vector<Measurement>>("{}"); }, ErrorCode::invalid_input,
                   {"a list"});
}

}  // namespace
}  // namespace lapidary
