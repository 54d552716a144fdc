// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

#include <chrono>
#include <thread>

#include <lapidary/bench/measurement_json.h>
#include <lapidary/inputs/samples.h>

#include <lapidary/bench/measurement_json.h>

#include "fake_sweep_engine.h"
#include "workbench/tuning/tune_export.h"
#include "workbench/tuning/tuning.h"
#include "workbench/workbench.h"

namespace lapidary::app {
namespace {

class TuningTest : public testing::Test {
protected:
    void SetUp() override {
        auto engine = std::make_unique<FakeSweepEngine>();
        engine_ = engine.get();
        workbench_ = std::make_unique<Workbench>(std::move(engine));
        workbench_->adopt(std::make_shared<const Model>(build_sample("mlp")),
                          QStringLiteral("mlp"));
        SweepSpace space;
        space.intra = {1, 2, 4};
        space.batches = {1, 4};
        tuning().setSpace(space);
    }
    Tuning& tuning() { return workbench_->tuning(); }
    std::size_t count(CellState state) {
        return std::size_t(std::ranges::count(tuning().result()->cells, state, &SweepCell::state));
    }
    std::size_t cell(int threads, std::int64_t batch) {
        for (std::size_t i = 0; i < tuning().result()->cells.size(); ++i)
            if (const auto& c = tuning().result()->cells[i].configuration;
                c.resources.threads == threads && c.batch == batch)
                return i;
        ADD_FAILURE() << "no cell";
        return 0;
    }
    bool idle() {
        return QTest::qWaitFor([this] { return !tuning().isRunning(); }, 60'000);
    }
    FakeSweepEngine* engine_ = nullptr;
    std::unique_ptr<Workbench> workbench_;
};

TEST_F(TuningTest, MeasuresEveryCellOnceAndRecommends) {
    ASSERT_EQ(tuning().result()->cells.size(), 6u);
    EXPECT_EQ(count(CellState::waiting), 6u);
    EXPECT_GT(tuning().secondsOfTheRest(), 0);
    const QSignalSpy spy(&tuning(), &Tuning::changed);
    tuning().start();
    EXPECT_TRUE(tuning().isRunning());
    ASSERT_TRUE(idle());
    EXPECT_EQ(count(CellState::done), 6u);
    EXPECT_TRUE(tuning().result()->complete);
    EXPECT_EQ(engine_->jobs().size(), 2u) << "one per batch: threads are measured in turn";
    EXPECT_GE(spy.count(), 3);
    const auto& recommendation = tuning().result()->recommendation;
    ASSERT_GE(recommendation.cell, 0);
    EXPECT_EQ(std::size_t(recommendation.cell), cell(4, 1));
    EXPECT_FALSE(recommendation.sentence.empty());
    ASSERT_NE(tuning().scalingOf(cell(1, 4)), nullptr);
    EXPECT_EQ(tuning().scalingOf(cell(1, 4))->front().op, "Gemm batch 4");
    EXPECT_EQ(tuning().scalingOf(cell(1, 1))->front().op, "Gemm batch 1");

    SweepOptions options = tuning().options();
    options.goal = SweepGoal::throughput;
    options.latency_cap_ms = 9;  // 4 threads take 4 at batch 1, 16 at batch 4
    tuning().setOptions(options);
    EXPECT_EQ(std::size_t(tuning().result()->recommendation.cell), cell(4, 1));
    options.latency_cap_ms = 0.5;
    tuning().setOptions(options);
    EXPECT_EQ(tuning().result()->recommendation.cell, -1) << "nothing is under the cap";
}

// What a project file keeps has no samples; the answer is still there when it is opened again.
TEST_F(TuningTest, SavedFiguresGiveARecommendation) {
    tuning().start();
    ASSERT_TRUE(idle());
    const SweepResult before = *tuning().result();
    const auto kept = from_json<SweepResult>(to_json(before, false));
    for (const SweepCell& each : kept.cells) ASSERT_TRUE(each.measurement.samples_ms.empty());
    tuning().forget();
    ASSERT_EQ(tuning().result()->recommendation.cell, -1);
    tuning().adopt(kept);
    const SweepRecommendation& after = tuning().result()->recommendation;
    EXPECT_EQ(after.cell, before.recommendation.cell);
    EXPECT_EQ(after.equals, before.recommendation.equals);
    EXPECT_NE(after.sentence.find("times as fast as 1 thread"), std::string::npos)
        << after.sentence;
    EXPECT_EQ(count(CellState::done), 6u);
}

TEST_F(TuningTest, TheQueueIsMeasuredInItsOrderAndNothingElse) {
    tuning().enqueue({cell(2, 1)});
    tuning().enqueue({cell(4, 4), cell(1, 4)});
    tuning().enqueue({cell(1, 1)});
    ASSERT_EQ(tuning().queue().size(), 2u) << "cells alike but for threads are one entry";
    EXPECT_EQ(tuning().queue()[0].size(), 2u);
    tuning().moveInQueue(1, 0);
    tuning().dequeue({cell(4, 4)});
    EXPECT_TRUE(tuning().isQueued(cell(1, 4)));
    EXPECT_FALSE(tuning().isQueued(cell(4, 4)));
    EXPECT_GT(tuning().secondsLeft(), 0);
    tuning().start();
    ASSERT_TRUE(idle());
    ASSERT_EQ(engine_->jobs().size(), 2u);
    EXPECT_EQ(engine_->jobs()[0].space.batches, std::vector<std::int64_t>{4});
    EXPECT_EQ(engine_->jobs()[0].space.intra, std::vector<int>{1});
    EXPECT_EQ(engine_->jobs()[1].space.intra, (std::vector<int>{1, 2}));
    EXPECT_EQ(count(CellState::done), 3u);
    EXPECT_EQ(count(CellState::waiting), 3u);
    EXPECT_FALSE(tuning().result()->complete);
    tuning().start();  // the rest
    ASSERT_TRUE(idle());
    EXPECT_EQ(count(CellState::done), 6u);
}

TEST_F(TuningTest, CancelKeepsWhatWasMeasured) {
    engine_->hold_after = 2;  // cells of a job, then it waits to be cancelled
    tuning().start();
    ASSERT_TRUE(QTest::qWaitFor([this] { return count(CellState::done) == 2; }, 60'000));
    EXPECT_EQ(count(CellState::running), 1u);
    tuning().cancel();
    ASSERT_TRUE(idle());
    EXPECT_EQ(count(CellState::done), 2u);
    EXPECT_EQ(count(CellState::running), 0u);
    EXPECT_EQ(count(CellState::waiting), 4u);
    EXPECT_TRUE(tuning().queue().empty());
    EXPECT_FALSE(tuning().notice().isEmpty());
    EXPECT_GE(tuning().result()->recommendation.cell, 0) << "from what is there";
}

TEST_F(TuningTest, PauseReachesTheEngine) {
    engine_->cell_ms = 30;
    tuning().start();
    tuning().setPaused(true);
    EXPECT_TRUE(tuning().isPaused());
    ASSERT_TRUE(QTest::qWaitFor([this] { return engine_->was_paused.load(); }, 60'000));
    const std::size_t before = count(CellState::done);
    QTest::qWait(200);
    EXPECT_EQ(count(CellState::done), before);
    tuning().setPaused(false);
    ASSERT_TRUE(idle());
    EXPECT_EQ(count(CellState::done), 6u);
}

TEST_F(TuningTest, FailuresAreReportedAndTheOthersGoOn) {
    engine_->fail_batch = 4;
    tuning().start();
    ASSERT_TRUE(idle());
    EXPECT_EQ(count(CellState::done), 3u);
    EXPECT_EQ(count(CellState::failed), 3u);
    EXPECT_NE(tuning().result()->cells[cell(1, 4)].reason.find("no such batch"), std::string::npos);
    EXPECT_TRUE(tuning().notice().contains(QStringLiteral("no such batch")));
    engine_->fail_batch = 0;
    tuning().start();  // failed ones again
    ASSERT_TRUE(idle());
    EXPECT_EQ(count(CellState::done), 6u);
}

TEST_F(TuningTest, WhenNothingCanBeMeasuredThatIsAFailure) {
    SweepSpace space;
    space.batches = {4};
    tuning().setSpace(space);
    engine_->fail_batch = 4;
    QSignalSpy spy(&tuning(), &Tuning::failed);
    tuning().start();
    ASSERT_TRUE(idle());
    ASSERT_EQ(spy.count(), 1);
    EXPECT_TRUE(spy.first().first().toString().contains(QStringLiteral("no such batch")));
}

TEST_F(TuningTest, TheBudgetEndsTheQueue) {
    engine_->cell_ms = 40;
    SweepOptions options = tuning().options();
    options.budget_seconds = 0.02;
    tuning().setOptions(options);
    tuning().start();
    ASSERT_TRUE(idle());
    EXPECT_EQ(engine_->jobs().size(), 1u);
    EXPECT_EQ(count(CellState::waiting), 3u);
    EXPECT_TRUE(tuning().notice().contains(QStringLiteral("budget")));
}

TEST_F(TuningTest, VerifyMeasuresTheBestInOneJob) {
    tuning().verifyBest();
    EXPECT_FALSE(tuning().isRunning());
    EXPECT_FALSE(tuning().notice().isEmpty()) << "nothing is measured yet";
    tuning().start();
    ASSERT_TRUE(idle());
    tuning().verifyBest(3);
    EXPECT_TRUE(tuning().isVerifying());
    ASSERT_TRUE(idle());
    const SweepJob job = engine_->jobs().back();
    ASSERT_EQ(job.verify.size(), 3u);
    EXPECT_EQ(job.verify.front(), cell(4, 1));
    EXPECT_LE(job.options.measuring.precision, 0.01);
    EXPECT_EQ(tuning().verified().size(), 3u);
    tuning().enqueue({cell(4, 1)});
    tuning().start();  // measured anew: it is no longer as verified
    ASSERT_TRUE(idle());
    EXPECT_EQ(tuning().verified().size(), 2u);
}

TEST_F(TuningTest, EstimatesFollowWhatWasMeasured) {
    const double before = tuning().result()->cells[cell(1, 4)].estimate_seconds;
    engine_->base_ms = 4000;  // of a run at batch 1 on one thread
    tuning().enqueue({cell(1, 1)});
    tuning().start();
    ASSERT_TRUE(idle());
    const double after = tuning().result()->cells[cell(1, 4)].estimate_seconds;
    EXPECT_GT(after, before * 5);
    EXPECT_LT(tuning().result()->cells[cell(4, 4)].estimate_seconds, after)
        << "more threads are expected to be faster";
}

TEST_F(TuningTest, ResultsStayWithTheirModel) {
    tuning().start();
    ASSERT_TRUE(idle());
    const ModelPtr first = workbench_->opened()->model;
    workbench_->adopt(std::make_shared<const Model>(build_sample("lenet")),
                      QStringLiteral("lenet"));
    EXPECT_EQ(count(CellState::done), 0u);
    workbench_->adopt(first, QStringLiteral("mlp"));
    EXPECT_EQ(count(CellState::done), 6u);
    tuning().forget();
    EXPECT_EQ(count(CellState::done), 0u);
}

TEST_F(TuningTest, OpeningAnotherModelWhileMeasuringDropsTheJob) {
    engine_->hold_after = 1;
    tuning().start();
    ASSERT_TRUE(QTest::qWaitFor([this] { return count(CellState::done) == 1; }, 60'000));
    workbench_->adopt(std::make_shared<const Model>(build_sample("lenet")),
                      QStringLiteral("lenet"));
    EXPECT_FALSE(tuning().isRunning());
    ASSERT_TRUE(QTest::qWaitFor([this] { return workbench_->jobs().jobs().isEmpty(); }, 60'000));
    EXPECT_EQ(count(CellState::done), 0u);
    EXPECT_EQ(count(CellState::running), 0u);
}

TEST_F(TuningTest, TheSpaceMayChangeWhileMeasuring) {
    engine_->cell_ms = 30;
    tuning().start();
    SweepSpace space = tuning().space();
    space.intra = {1, 2};
    space.batches = {1, 4, 8};
    tuning().setSpace(space);
    ASSERT_EQ(tuning().result()->cells.size(), 6u);
    ASSERT_TRUE(idle());
    EXPECT_EQ(count(CellState::done), 4u)
        << "what was left out of the space is forgotten, what is new was not asked for";
    EXPECT_EQ(tuning().result()->cells[cell(1, 8)].state, CellState::waiting);
}

// What is shown is what is measured; a level beside it is asked for, and what was measured of
// another variant comes back with it.
TEST_F(TuningTest, MeasuresTheVariantThatIsShown) {
    const auto show = [this](const Recipe& recipe) {
        TuneChoice choice = tuning().choice();
        choice.shown = recipe;
        tuning().setChoice(choice);
        ASSERT_TRUE(QTest::qWaitFor(
            [&] {
                const VariantPtr shown = workbench_->document()->variant;
                return recipe.isOriginal() ? !shown || shown->isOriginal()
                                           : shown && shown->recipe == recipe;
            },
            60'000));
    };
    workbench_->openSample(QStringLiteral("mlp"));
    ASSERT_TRUE(QTest::qWaitFor([this] { return !workbench_->isOpening(); }, 60'000));
    EXPECT_EQ(tuning().space().levels, std::vector{Level::all}) << "as every session runs a model";
    EXPECT_EQ(tuning().measuredName(), nameOf(Level::all));
    Recipe basic;
    basic.level = Level::basic;
    show(basic);
    EXPECT_EQ(tuning().space().levels, std::vector{Level::basic});
    tuning().start();
    ASSERT_TRUE(idle());
    const std::size_t measured = count(CellState::done);
    EXPECT_GT(measured, 0u);
    EXPECT_EQ(engine_->jobs().back().space.levels, std::vector{Level::basic});

    Recipe switched = basic;
    switched.level = Level::all;
    switched.disabled_passes = {"eliminate_identity"};
    show(switched);
    EXPECT_EQ(tuning().measuredName(), nameOf(switched));
    EXPECT_EQ(count(CellState::done), 0u) << "of this variant nothing is known";
    tuning().start();
    ASSERT_TRUE(idle());
    EXPECT_EQ(engine_->jobs().back().recipe, switched);
    EXPECT_EQ(tuning().choiceOf(0).shown, switched) << "applying keeps the passes";
    EXPECT_TRUE(
        tuning().commandLine().contains(QStringLiteral("--disable-pass eliminate_identity")))
        << tuning().commandLine().toStdString();

    show(basic);
    EXPECT_EQ(count(CellState::done), measured) << "what was measured of it";
    SweepSpace both = tuning().space();
    both.levels = {Level::basic, Level::extended};
    tuning().setSpace(both);
    Recipe extended;
    extended.level = Level::extended;
    show(extended);
    EXPECT_EQ(tuning().space().levels, both.levels)
        << "a sweep over levels stays while one of them is shown";
    EXPECT_EQ(count(CellState::done), measured);
}

TEST_F(TuningTest, ApplyingIsUndoneByTheOldChoice) {
    tuning().start();
    ASSERT_TRUE(idle());
    const TuneChoice before = tuning().choice();
    tuning().setChoice(tuning().choiceOf(cell(2, 4)));
    EXPECT_EQ(workbench_->runSettings().resources.threads, 2);
    ASSERT_TRUE(tuning().applied());
    EXPECT_EQ(tuning().applied()->batch, 4);
    ASSERT_TRUE(
        QTest::qWaitFor([this] { return workbench_->document()->variant != nullptr; }, 60'000))
        << "level all is shown";
    EXPECT_EQ(workbench_->document()->variant->recipe.level, Level::all);
    tuning().setChoice(before);
    EXPECT_EQ(workbench_->runSettings().resources.threads, before.run.resources.threads);
    EXPECT_FALSE(tuning().applied());
    EXPECT_EQ(workbench_->document()->variant, nullptr);
}

TEST_F(TuningTest, ExportsAndCommand) {
    tuning().start();
    ASSERT_TRUE(idle());
    const std::string csv = sweepCsv(*tuning().result());
    EXPECT_EQ(std::ranges::count(csv, '\n'), 7);
    EXPECT_EQ(csv.substr(0, 23), "level,intra,inter,execu");
    const std::string header = csv.substr(0, csv.find('\n'));
    // as many fields everywhere
    for (std::size_t at = 0; at != std::string::npos && at < csv.size();) {
        const std::size_t end = csv.find('\n', at);
        EXPECT_EQ(std::ranges::count(csv.substr(at, end - at), ','),
                  std::ranges::count(header, ','));
        at = end == std::string::npos ? end : end + 1;
    }
    const auto again = from_json<SweepResult>(to_json(*tuning().result()));
    EXPECT_EQ(again.cells.size(), 6u);
    tuning().forget();
    tuning().adopt(again);
    EXPECT_EQ(count(CellState::done), 6u);
    EXPECT_EQ(tuning().space().intra, (std::vector<int>{1, 2, 4}));
    const QString command = tuning().commandLine();
    EXPECT_TRUE(command.contains(QStringLiteral("sweep"))) << command.toStdString();
    EXPECT_TRUE(
        command.contains(QStringLiteral("--intra 1 --intra 2 --intra 4 --batch 1 --batch 4")))
        << command.toStdString();
}

TEST(TunePlan, PartsHoldNothingButTheirCells) {
    SweepSpace space;
    space.intra = {1, 2};
    space.spinning = {true, false};
    const std::vector<SweepCell> cells = cellsOf(space, {});
    std::vector<std::size_t> all(cells.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    ASSERT_EQ(groupsOf(cells, all).size(), 1u) << "threads and spinning are measured in turn";
    EXPECT_EQ(partsOf(cells, groupsOf(cells, all).front()).size(), 1u);
    for (std::size_t left = 0; left < cells.size(); ++left) {
        CellGroup some = groupsOf(cells, all).front();
        std::erase(some, left);
        std::size_t held = 0;
        for (const CellGroup& part : partsOf(cells, some)) {
            EXPECT_EQ(configurations(spaceOf(cells, part)).size(), part.size());
            held += part.size();
        }
        EXPECT_EQ(held, some.size());
    }
}

TEST(TunePlan, RunTimesAreGuessedFromTheNearest) {
    RunConfiguration one, four;
    four.batch = 4;
    const std::vector<KnownRun> known{{one, 10}};
    EXPECT_DOUBLE_EQ(estimatedRunMs(one, known, 2), 10);
    EXPECT_DOUBLE_EQ(estimatedRunMs(four, known, 2), 40);
    RunConfiguration two = one;
    two.resources.threads = 2;
    EXPECT_LT(estimatedRunMs(two, known, 2), 10);
    EXPECT_GE(estimatedRunMs(two, known, 2), 5);
    EXPECT_DOUBLE_EQ(estimatedRunMs(two, known, 1), 10) << "one core: threads do not help";
    EXPECT_EQ(estimatedRunMs(one, {}, 2), 0);
    EXPECT_GT(estimatedSeconds(5000, MeasureOptions{}), 30)
        << "slow runs take longer than the time given";
}

TEST(TunePlan, FixedBatchesAreRefusedWithTheReason) {
    const Model fixed = build_sample("lenet");
    const ModelSummary summary = summarize(fixed);
    const std::string reason = batchRefusal(fixed, summary);
    if (batch_dimensions(fixed).empty()) EXPECT_FALSE(reason.empty());
    else EXPECT_TRUE(reason.empty());
}

}  // namespace
}  // namespace lapidary::app
