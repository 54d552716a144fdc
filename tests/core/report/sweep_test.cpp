// SPDX-License-Identifier: Apache-2.0
// Sweeps: which cells there are, what is recommended and why, budgets, pauses, failures, verifying.
#include <atomic>
#include <chrono>
#include <functional>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/bench/measurement_json.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/bench/sweep.h>

#include "bench/sweep/operator_scaling.h"

namespace lapidary {
namespace {

constexpr ExecutionMode sequential = ExecutionMode::sequential, parallel = ExecutionMode::parallel;

ModelPtr mlp() {
    static const auto model = std::make_shared<const Model>(build_sample("mlp"));
    return model;
}

SweepOptions quick() {
    SweepOptions options;
    options.measuring.seconds = 0.15;
    options.measuring.precision = 0.5;
    return options;
}

// ---- the space

TEST(SweepSpace, EveryCombinationOnce) {
    SweepSpace space;
    space.levels = {Level::disabled, Level::all};
    space.intra = {1, 2};
    space.batches = {1, 4, 4};
    EXPECT_EQ(configurations(space).size(), 2u * 2 * 2);
}

TEST(SweepSpace, LeavesOutEquivalentSettings) {
    SweepSpace space;
    space.intra = {1, 2};
    space.inter = {1, 2};
    space.modes = {sequential, parallel};
    space.spinning = {true, false};
    const std::vector<RunConfiguration> all = configurations(space);
    for (const RunConfiguration& c : all) {
        EXPECT_TRUE(c.resources.mode == parallel || c.resources.inter_threads == 1) << name_of(c);
        EXPECT_FALSE(c.resources.mode == parallel && c.resources.inter_threads == 1) << name_of(c);
        EXPECT_FALSE(c.resources.mode == sequential && c.resources.threads == 1 &&
                     !c.resources.spinning)
            << name_of(c);
    }
    // 1, 2, 2 without spinning; parallel with 2 at a time: 1 and 2 threads, spinning or not
    EXPECT_EQ(all.size(), 3u + 4u);
}

TEST(SweepSpace, ThreadChoicesEndWithAllCores) {
    const std::vector<int> choices = thread_choices();
    ASSERT_FALSE(choices.empty());
    EXPECT_EQ(choices.front(), 1);
    EXPECT_EQ(choices.back(), machine_info().cores);
    EXPECT_TRUE(std::ranges::is_sorted(choices));
}

TEST(SweepSpace, EstimatesGrowWithTheBatch) {
    SweepSpace space;
    space.batches = {1, 64};
    SweepOptions options;
    options.measuring.seconds = 1;
    const std::vector<SweepCell> cells = planned_cells(space, options, 100, 50);
    ASSERT_EQ(cells.size(), 2u);
    EXPECT_GT(cells[0].estimate_seconds, 0.5);
    EXPECT_GT(cells[1].estimate_seconds, 20) << "warming up alone takes 3 runs of 6.4 s";
    EXPECT_GT(planned_cells(space, options)[0].estimate_seconds, 0);
}

// ---- the recommendation

SweepCell cell(RunConfiguration configuration, double ms, int first_round = 0) {
    SweepCell c;
    c.configuration = c.measurement.configuration = configuration;
    c.state = CellState::done;
    for (int i = 0; i < 20; ++i) {
        c.measurement.samples_ms.push_back(ms * (1 + 0.004 * (i % 3)));
        c.measurement.rounds.push_back(first_round + i);
    }
    c.measurement.wall = summarize_samples(c.measurement.samples_ms);
    c.measurement.per_second = 1e3 *
                               static_cast<double>(std::max<std::int64_t>(configuration.batch, 1)) /
                               c.measurement.wall.median.median;
    return c;
}

TEST(SweepRecommendation, TheFastestWithTheReason) {
    const SweepRecommendation r = recommend(
        {cell({.resources = fixed_resources(1)}, 15), cell({.resources = fixed_resources(2)}, 8)},
        SweepGoal::latency);
    EXPECT_EQ(r.cell, 1);
    EXPECT_TRUE(r.equals.empty());
    EXPECT_NE(r.sentence.find("2 threads: 8.03 ms"), std::string::npos) << r.sentence;
    EXPECT_NE(r.sentence.find("1.88 times as fast as 1 thread [1.8"), std::string::npos)
        << r.sentence;
}

TEST(SweepRecommendation, TheCheapestAmongEquals) {
    const SweepRecommendation r = recommend({cell({.resources = {2, 1, sequential, true}}, 8),
                                             cell({.resources = fixed_resources(1)}, 8.02),
                                             cell({.resources = {2, 1, sequential, false}}, 7.99)},
                                            SweepGoal::latency);
    EXPECT_EQ(r.cell, 1) << "one thread does as well";
    EXPECT_EQ(r.equals.size(), 2u);
    EXPECT_NE(r.sentence.find("the number of threads makes no difference beyond noise"),
              std::string::npos)
        << r.sentence;
}

TEST(SweepRecommendation, SaysThatSpinningMakesNoDifference) {
    const SweepRecommendation r = recommend({cell({.resources = fixed_resources(1)}, 15),
                                             cell({.resources = {2, 1, sequential, true}}, 8),
                                             cell({.resources = {2, 1, sequential, false}}, 8.01)},
                                            SweepGoal::latency);
    EXPECT_EQ(r.cell, 2);
    EXPECT_EQ(r.equals, std::vector<std::size_t>{1});
    EXPECT_NE(r.sentence.find("spinning makes no difference beyond noise"), std::string::npos)
        << r.sentence;
}

TEST(SweepRecommendation, ThroughputWantsBatchesUnlessTheyTakeTooLong) {
    const std::vector<SweepCell> cells{cell({.resources = fixed_resources(1), .batch = 1}, 4),
                                       cell({.resources = fixed_resources(1), .batch = 8}, 16),
                                       cell({.resources = fixed_resources(1), .batch = 32}, 50)};
    EXPECT_EQ(recommend(cells, SweepGoal::latency).cell, 0);
    const SweepRecommendation most = recommend(cells, SweepGoal::throughput);
    EXPECT_EQ(most.cell, 2);
    EXPECT_NE(most.sentence.find("inferences per second"), std::string::npos) << most.sentence;
    EXPECT_NE(most.sentence.find("as many inferences per second as batch 1 ["), std::string::npos)
        << most.sentence;
    EXPECT_EQ(recommend(cells, SweepGoal::throughput, 20).cell, 1);
    const SweepRecommendation none = recommend(cells, SweepGoal::throughput, 1);
    EXPECT_EQ(none.cell, -1);
    EXPECT_NE(none.sentence.find("No setting stays under 1 ms"), std::string::npos)
        << none.sentence;
}

// As a project file keeps them: medians with intervals, without the samples.
TEST(SweepRecommendation, NeedsNoSamplesWhereIntervalsAreKnown) {
    std::vector<SweepCell> cells{cell({.resources = fixed_resources(1)}, 15),
                                 cell({.resources = {2, 1, sequential, true}}, 8),
                                 cell({.resources = {2, 1, sequential, false}}, 8.01)};
    const SweepRecommendation measured = recommend(cells, SweepGoal::latency);
    for (SweepCell& each : cells)
        each.measurement.samples_ms.clear(), each.measurement.rounds.clear();
    const SweepRecommendation kept = recommend(cells, SweepGoal::latency);
    EXPECT_EQ(kept.cell, measured.cell);
    EXPECT_EQ(kept.equals, measured.equals);
    EXPECT_NE(kept.sentence.find("2 threads, no spinning: 8."), std::string::npos) << kept.sentence;
}

TEST(SweepRecommendation, TimesHaveTheUnitThatSuitsThem) {
    EXPECT_NE(recommend({cell({.resources = fixed_resources(1)}, 0.25)}, SweepGoal::latency)
                  .sentence.find(": 251 µs"),
              std::string::npos)
        << recommend({cell({.resources = fixed_resources(1)}, 0.25)}, SweepGoal::latency).sentence;
    EXPECT_NE(recommend({cell({.resources = fixed_resources(1)}, 2500)}, SweepGoal::latency)
                  .sentence.find(": 2.51 s"),
              std::string::npos);
}

/// On a machine with noisy neighbours a real sweep may rightly recommend nothing.
bool recommends_or_declines(const SweepRecommendation& r) {
    return r.cell >= 0 || r.sentence.starts_with("No recommendation");
}

SweepCell unsteady_cell(RunConfiguration configuration, double ms) {
    SweepCell c = cell(configuration, ms);
    c.measurement.wall.median = {ms, 0.1 * ms, 7 * ms, 5};
    c.measurement.wall.noisy = true;
    return c;
}

TEST(SweepRecommendation, DeclinesInsideNoise) {
    const SweepRecommendation none =
        recommend({unsteady_cell({.resources = fixed_resources(1)}, 19.06),
                   cell({.resources = fixed_resources(2)}, 25)},
                  SweepGoal::latency);
    EXPECT_EQ(none.cell, -1);
    for (const char* part :
         {"No recommendation", "1 thread", "±345 %", "measure each setting for longer"})
        EXPECT_NE(none.sentence.find(part), std::string::npos) << part << " in " << none.sentence;
    // A setting with a wide interval does not count as equally fast, even if it needs fewer
    // threads.
    const SweepRecommendation known =
        recommend({unsteady_cell({.resources = fixed_resources(1)}, 12),
                   cell({.resources = fixed_resources(2)}, 8)},
                  SweepGoal::latency);
    EXPECT_EQ(known.cell, 1);
    EXPECT_TRUE(known.equals.empty());
}

TEST(SweepConfidence, SpeaksOfNoiseDriftAndVerification) {
    SweepResult result;
    result.cells = {cell({.resources = fixed_resources(1)}, 15),
                    cell({.resources = fixed_resources(2)}, 8)};
    result.recommendation = recommend(result.cells, SweepGoal::latency);
    using Degree = SweepConfidence::Degree;
    EXPECT_EQ(confidence_of(result).degree, Degree::medium);
    EXPECT_EQ(confidence_of(result, {0, 1}).degree, Degree::high);
    EXPECT_NE(to_string(confidence_of(result, {0, 1})).find("2 settings in all"),
              std::string::npos);
    result.cells[1].measurement.wall.drifts = true;
    result.cells[1].measurement.wall.drift = 0.2;
    EXPECT_EQ(confidence_of(result, {0, 1}).degree, Degree::low);
    EXPECT_NE(to_string(confidence_of(result)).find("drifted by 20.0 %"), std::string::npos);
    result.recommendation.cell = -1;
    EXPECT_EQ(confidence_of(result).degree, Degree::none);
    EXPECT_EQ(to_string(confidence_of(result)), "");
}

TEST(SweepRecommendation, WithoutCellsThereIsNone) {
    EXPECT_EQ(recommend({}, SweepGoal::latency).cell, -1);
    SweepCell failed;
    failed.state = CellState::failed;
    EXPECT_EQ(recommend({failed}, SweepGoal::latency).cell, -1);
}

// ---- operators

Profile profile_of(double scaling_ms, double serial_ms) {
    Profile profile;
    for (const auto& [op, ms] : {std::pair{"Gemm", scaling_ms}, std::pair{"Relu", serial_ms}}) {
        Span span;
        span.label = profile.labels.add({.op = op});
        span.end_ns = static_cast<std::int64_t>(ms * 1e6);
        profile.kernels.push_back(span);
    }
    return profile;
}

TEST(SweepOperators, SaysWhichStopScaling) {
    OperatorTimes times;
    for (int run = 0; run < 3; ++run) {
        times.add(1, profile_of(8, 2));
        times.add(2, profile_of(4, 1.98));
        times.add(4, profile_of(3.95, 1.97));
    }
    const std::vector<OperatorScaling> scaling = times.scaling();
    ASSERT_EQ(scaling.size(), 2u);
    EXPECT_EQ(scaling[0].op, "Gemm");
    EXPECT_EQ(scaling[0].stops_at, 2);
    EXPECT_NEAR(scaling[0].efficiency, 8 / 3.95 / 4, 1e-6);
    EXPECT_EQ(scaling[1].stops_at, 1);
    EXPECT_EQ(scaling[0].ms, (std::vector<std::pair<int, double>>{{1, 8}, {2, 4}, {4, 3.95}}));
    OperatorTimes one;
    one.add(1, profile_of(8, 2));
    EXPECT_TRUE(one.scaling().empty());
}

// ---- sweeping

TEST(Sweep, MeasuresEveryCellAndRecommends) {
    SweepSpace space;
    space.intra = {1, 2};
    space.batches = {1, 16};
    space.spinning = {true, false};
    std::vector<CellState> seen;
    std::size_t changes = 0;
    const SweepResult result =
        sweep(mlp(), space, quick(), {}, nullptr, [&](const SweepResult& state) {
            ++changes;
            for (const SweepCell& c : state.cells) seen.push_back(c.state);
        });
    EXPECT_TRUE(result.complete);
    ASSERT_EQ(result.cells.size(), 6u);
    std::map<int, std::set<std::int64_t>> batches;  // by the group that was measured in turn
    for (const SweepCell& c : result.cells) {
        EXPECT_EQ(c.state, CellState::done) << c.reason;
        EXPECT_EQ(c.measurement.configuration, c.configuration);
        EXPECT_GT(c.measurement.per_second, 0);
        EXPECT_GT(c.estimate_seconds, 0);
        batches[c.measurement.rounds.front() / 10'000].insert(c.configuration.batch);
    }
    // On a busy machine some of a batch size are measured once more, in turn too.
    EXPECT_GE(batches.size(), 2u);
    EXPECT_LE(batches.size(), 4u);
    for (const auto& [group, sizes] : batches)
        EXPECT_EQ(sizes.size(), 1u) << "those of another batch size are measured at another time";
    EXPECT_TRUE(recommends_or_declines(result.recommendation)) << result.recommendation.sentence;
    EXPECT_FALSE(result.recommendation.sentence.empty());
    EXPECT_FALSE(result.scaling.empty());
    EXPECT_GE(changes, 4u);
    for (const CellState state : {CellState::waiting, CellState::running, CellState::done})
        EXPECT_NE(std::ranges::find(seen, state), seen.end());
    EXPECT_EQ(to_json(from_json<SweepResult>(to_json(result))), to_json(result));
    EXPECT_EQ(to_json(from_json<SweepSpace>(to_json(space))), to_json(space));
}

TEST(Sweep, CellsThatCannotBeOpenedFailAlone) {
    Model fixed;
    fixed.ir_version = 8;
    fixed.opset_imports[""] = 17;
    fixed.graph = parse_graph("(x: f32[2,3]) -> (y)\n y = Relu(x)");
    SweepSpace space;
    space.batches = {0, 4};
    const SweepResult result =
        sweep(std::make_shared<const Model>(std::move(fixed)), space, quick());
    EXPECT_EQ(result.cells[0].state, CellState::done);
    EXPECT_EQ(result.cells[1].state, CellState::failed);
    EXPECT_NE(result.cells[1].reason.find("no free batch dimension"), std::string::npos)
        << result.cells[1].reason;
    EXPECT_TRUE(recommends_or_declines(result.recommendation)) << result.recommendation.sentence;
    EXPECT_LT(result.recommendation.cell, 1);
    EXPECT_TRUE(result.complete);
}

TEST(Sweep, SkipsWhatTheBudgetDoesNotReach) {
    SweepSpace space;
    space.batches = {1, 2, 3, 4, 5, 6};
    SweepOptions options = quick();
    options.measuring.seconds = 100;
    options.measuring.precision = 0;
    options.budget_seconds = 0.4;
    const auto start = std::chrono::steady_clock::now();
    const SweepResult result = sweep(mlp(), space, options);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
    EXPECT_TRUE(std::ranges::any_of(result.cells,
                                    [](const SweepCell& c) { return c.state == CellState::done; }));
    for (const SweepCell& c : result.cells)
        if (c.state != CellState::done) {
            EXPECT_EQ(c.state, CellState::skipped);
            EXPECT_NE(c.reason.find("budget"), std::string::npos) << c.reason;
            EXPECT_FALSE(result.complete);
        }
}

TEST(Sweep, KeepsWhatIsDoneWhenCancelled) {
    SweepSpace space;
    space.batches = {1, 2, 3};
    Progress progress;
    SweepResult last;
    try {
        sweep(mlp(), space, quick(), progress, nullptr, [&](const SweepResult& state) {
            last = state;
            if (std::ranges::any_of(state.cells,
                                    [](const SweepCell& c) { return c.state == CellState::done; }))
                progress.cancel.cancel();
        });
        FAIL() << "no error";
    } catch (const Error& error) { EXPECT_EQ(error.code(), ErrorCode::cancelled); }
    ASSERT_EQ(last.cells.size(), 3u);
    EXPECT_TRUE(std::ranges::any_of(last.cells,
                                    [](const SweepCell& c) { return c.state == CellState::done; }));
    EXPECT_TRUE(std::ranges::none_of(
        last.cells, [](const SweepCell& c) { return c.state == CellState::running; }));
    EXPECT_FALSE(last.complete);
    EXPECT_TRUE(recommends_or_declines(last.recommendation)) << last.recommendation.sentence;
}

TEST(Sweep, WaitsWhilePaused) {
    SweepControl control;
    control.paused = true;
    std::atomic<bool> done{false};
    std::thread worker([&] {
        sweep(mlp(), {}, quick(), {}, &control);
        done = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    EXPECT_FALSE(done.load());
    control.paused = false;
    worker.join();
    EXPECT_TRUE(done.load());
}

/// Runs nothing and reports random times between 0.5 and 1.5 ms.
class UnsteadyEngine : public BenchEngine {
public:
    explicit UnsteadyEngine(unsigned seed) : random_(seed) {}
    Times burst(int, int) override {
        const double ms = std::uniform_real_distribution<double>(0.5, 1.5)(random_);
        return {ms, ms, 0};
    }
    NamedValues outputs() override { return {}; }
    double load_ms() const override { return 0; }
    double peak_mb() const override { return 0; }

private:
    std::mt19937 random_;
};

TEST(Sweep, MeasuresOnUntilCellsDifferOrSaysThatTheyDoNot) {
    SweepSpace space;
    space.intra = {1, 2};
    SweepOptions options = quick();
    options.operators = false;
    // too few to distinguish two of such engines, or that they are the same
    options.measuring.runs = 12;
    options.open = [](const RunConfiguration& configuration, const NamedValues&, const Progress&) {
        return std::make_unique<UnsteadyEngine>(unsigned(configuration.resources.threads));
    };
    const auto runs = [&](int rounds) {
        options.settle_rounds = rounds;
        const SweepResult result = sweep(mlp(), space, options);
        const SweepRecommendation& found = result.recommendation;
        if (!cells_to_settle(result.cells, found, SweepGoal::latency).empty())
            EXPECT_TRUE(found.sentence.find("not known of") != std::string::npos ||
                        found.sentence.starts_with("No recommendation"))
                << found.sentence;
        return result.cells[0].measurement.samples_ms.size() + result.cells[0].measurement.dropped;
    };
    const std::size_t once = runs(0);
    EXPECT_GT(runs(2), once) << "it was measured once more, for longer";
}

TEST(Sweep, VerifiesCellsSideBySide) {
    SweepSpace space;
    space.batches = {1, 2, 4};
    const SweepResult found = sweep(mlp(), space, quick());
    const SweepResult verified = verify(mlp(), found, {0, 2}, quick());
    ASSERT_EQ(verified.cells.size(), 3u);
    EXPECT_EQ(verified.cells[1].measurement.samples_ms, found.cells[1].measurement.samples_ms);
    EXPECT_NE(verified.cells[0].measurement.samples_ms, found.cells[0].measurement.samples_ms);
    EXPECT_EQ(verified.cells[0].measurement.rounds.front() / 10'000,
              verified.cells[2].measurement.rounds.front() / 10'000);
    EXPECT_NE(verified.recommendation.cell, 1);
    EXPECT_TRUE(recommends_or_declines(verified.recommendation))
        << verified.recommendation.sentence;
    try {
        verify(mlp(), found, {7}, quick());
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("cell 7"), std::string::npos);
    }
}

}  // namespace
}  // namespace lapidary
