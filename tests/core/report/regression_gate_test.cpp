// SPDX-License-Identifier: Apache-2.0
// The gate on synthetic measurements whose truth is known: how often it passes a slower model, how
// often it stops one that is not slower, and whether it says so if it cannot decide.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <thread>

#include <lapidary/bench/regression_gate.h>

namespace lapidary {
namespace {

// deviation of one start of a program from the next
constexpr double start_share = repeat_share / 2;

/// Times of one start of a program: its own offset, noise that is never negative, neighbours alike.
class Program {
public:
    Program(double ms, double noise, std::mt19937_64& random)
        : random_(random), noise_(noise), ms_(ms * std::exp(start_share * normal_(random))) {}

    double operator()() {
        drift_ = 0.3 * drift_ + noise_ * normal_(random_);
        return ms_ * std::exp(drift_);
    }

private:
    std::mt19937_64& random_;
    std::normal_distribution<double> normal_;
    double noise_, ms_, drift_ = 0;
};

Measurement measured(const std::vector<double>& ms) {
    Measurement m;
    m.samples_ms = ms;
    for (std::size_t i = 0; i < ms.size(); ++i) m.rounds.push_back(static_cast<int>(i));
    m.wall = summarize_samples(ms);
    return m;
}

struct Counts {
    int passes = 0, fails = 0, unresolved = 0;
    int all() const { return passes + fails + unresolved; }
};

/// A gate of 5 % over many seeds. It looks again after twice as many samples, as
/// measure_interleaved() does.
Counts gate_over_seeds(double change_per_cent, double noise, std::size_t baseline_samples,
                       int seeds = 250) {
    Counts counts;
    for (int seed = 0; seed < seeds; ++seed) {
        std::mt19937_64 random(static_cast<std::uint64_t>(seed) * 7919 + 1);
        Program before(10, noise, random), after(10 * (1 + change_per_cent / 100), noise, random);
        std::vector<double> then, now;
        for (std::size_t i = 0; i < baseline_samples; ++i) then.push_back(before());
        const Measurement baseline = measured(then);
        GateResult gate;
        for (std::size_t samples = 24; samples <= 384; samples *= 2) {
            while (now.size() < samples) now.push_back(after());
            gate = hold_to_limit(baseline, measured(now), false, 5);
            if (gate.verdict != GateVerdict::unresolved || gate.is_final) break;
        }
        const bool is_reported = gate.sentence.find("cannot be resolved") != std::string::npos;
        EXPECT_EQ(gate.verdict == GateVerdict::unresolved, is_reported) << gate.sentence;
        ++(gate.verdict == GateVerdict::passes  ? counts.passes
           : gate.verdict == GateVerdict::fails ? counts.fails
                                                : counts.unresolved);
    }
    return counts;
}

TEST(RegressionGate, SeldomPassesWhatIsSlower) {
    for (const double noise : {0.01, 0.05, 0.3})
        for (const double change : {5.5, 8.0, 13.0, 30.0})
            for (const std::size_t baseline : {12u, 48u}) {
                const Counts counts = gate_over_seeds(change, noise, baseline);
                EXPECT_LE(counts.passes, counts.all() * 5 / 100)
                    << change << " % slower, noise " << noise << ", " << baseline << " samples";
            }
}

TEST(RegressionGate, SeldomStopsWhatIsNotSlower) {
    for (const double noise : {0.01, 0.05, 0.3})
        for (const double change : {-20.0, 0.0, 3.0, 4.5})
            for (const std::size_t baseline : {12u, 48u}) {
                const Counts counts = gate_over_seeds(change, noise, baseline);
                EXPECT_LE(counts.fails, counts.all() * 5 / 100)
                    << change << " % slower, noise " << noise << ", " << baseline << " samples";
            }
}

TEST(RegressionGate, ReportsWhatCanBeDecided) {
    const Counts slower = gate_over_seeds(30, 0.02, 48), faster = gate_over_seeds(-20, 0.02, 48);
    EXPECT_GE(slower.fails, slower.all() * 95 / 100);
    EXPECT_GE(faster.passes, faster.all() * 95 / 100);
    const Counts unclear = gate_over_seeds(5, 0.02, 48);
    EXPECT_GE(unclear.unresolved, unclear.all() * 9 / 10) << "exactly the limit";
}

Measurement known_within(double ms, double share) {
    Measurement m = measured({ms, ms, ms, ms, ms, ms, ms, ms});
    m.wall.median = {ms, ms * (1 - share), ms * (1 + share), 40};
    return m;
}

TEST(RegressionGate, ABaselineThatIsNotKnownIsReportedWhateverIsMeasured) {
    const GateResult gate =
        hold_to_limit(known_within(10, 0.18), known_within(11.3, 0.03), false, 5);
    EXPECT_EQ(gate.verdict, GateVerdict::unresolved);
    EXPECT_TRUE(gate.is_final) << "no time makes the baseline better known";
    EXPECT_NE(gate.sentence.find("+13.0 % ["), std::string::npos) << gate.sentence;
    EXPECT_NE(gate.sentence.find("the baseline is known to 18.0 %"), std::string::npos)
        << gate.sentence;
    Measurement few = known_within(10, 0.03);
    few.wall.median.samples = 3;
    EXPECT_NE(
        hold_to_limit(few, known_within(20, 0.03), false, 5).sentence.find("rests on 3 samples"),
        std::string::npos);
    const GateResult noisy =
        hold_to_limit(known_within(10, 0.03), known_within(12.5, 0.25), false, 5);
    EXPECT_EQ(noisy.verdict, GateVerdict::unresolved);
    EXPECT_FALSE(noisy.is_final) << "more samples may decide";
}

TEST(RegressionGate, TooFewSamplesAreNamed) {
    const Measurement few = measured({1500, 1500, 1500}), then = measured({10, 10, 10});
    const GateResult now = hold_to_limit(known_within(10, 0.03), few, false, 5),
                     in_turn = hold_to_limit(then, few, true, 5);
    for (const GateResult* gate : {&now, &in_turn}) {
        EXPECT_EQ(gate->verdict, GateVerdict::unresolved);
        EXPECT_FALSE(gate->is_final) << "more samples may decide";
        EXPECT_NE(gate->sentence.find("it rests on 3 samples, too few for an interval"),
                  std::string::npos)
            << gate->sentence;
    }
}

TEST(RegressionGate, WhatWasNotMeasuredIsUnresolved) {
    Measurement broken;
    broken.error = "the input went away";
    const GateResult gate = hold_to_limit(known_within(10, 0.03), broken, true, 5);
    EXPECT_EQ(gate.verdict, GateVerdict::unresolved);
    EXPECT_TRUE(gate.is_final);
    EXPECT_NE(gate.sentence.find("the input went away"), std::string::npos);
    EXPECT_EQ(judge_regression({1, 1, 1, 5}, 5), GateVerdict::unresolved)
        << "five samples have no interval";
    EXPECT_EQ(judge_regression({1, 0.9, 1.05, 6}, 5), GateVerdict::passes);
    EXPECT_EQ(judge_regression({1.1, 1.06, 1.2, 6}, 5), GateVerdict::fails);
}

/// Takes as long as it says, nearly no time of the processor.
class SteadyEngine final : public BenchEngine {
public:
    Times burst(int, int) override {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return {10, 1, 0};
    }
    NamedValues outputs() override { return {}; }
    double load_ms() const override { return 1; }
    double peak_mb() const override { return 1; }
};

TEST(MeasuringOn, GoesOnUntilItIsEnoughOrTheBudgetIsSpent) {
    SteadyEngine engine;
    const Candidate candidates[] = {{{}, &engine}};
    const auto samples = [&](int looks_wanted, double budget) {
        MeasureOptions options;
        options.seconds = 0.05;
        options.budget_seconds = budget;
        int looks = 0;
        options.is_enough = [&](const std::vector<Measurement>& state) {
            EXPECT_EQ(state.size(), 1u);
            return ++looks > looks_wanted;
        };
        const Measurement m = measure_interleaved(candidates, options).at(0);
        EXPECT_GE(looks, looks_wanted > 0 && budget > 0.05 ? 1 : 0);
        return m.samples_ms.size() + m.dropped;
    };
    const std::size_t once = samples(0, 1);
    EXPECT_GT(samples(2, 1), once) << "two looks at what was not enough";
    EXPECT_LT(samples(1000, 0.2), 2000u) << "never enough, but the budget ends";
}

}  // namespace
}  // namespace lapidary
