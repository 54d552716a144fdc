// SPDX-License-Identifier: Apache-2.0
// Latency against throughput: the frontier, the latency cap, other sweeps, the program beneath.
#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

#include <lapidary/inputs/samples.h>

#include "fake_sweep_engine.h"
#include "tune/trade_off.h"
#include "tune/trade_off_panel.h"
#include "workbench/tuning/engine_beside.h"
#include "workbench/tuning/tuning.h"
#include "workbench/workbench.h"

namespace lapidary::views {
namespace {

constexpr int long_enough = 60'000;  // ms

/// A cell that takes `ms` with these threads and this batch.
SweepCell measured(int threads, std::int64_t batch, double ms) {
    SweepCell cell;
    cell.state = CellState::done;
    cell.configuration.resources.threads = threads;
    cell.configuration.batch = batch;
    cell.measurement.wall = summarize_samples(std::vector<double>{ms, ms, ms});
    cell.measurement.per_second = double(batch) * 1e3 / ms;
    return cell;
}

SweepResult sweepOf(std::vector<SweepCell> cells, std::ptrdiff_t recommended) {
    SweepResult result;
    result.cells = std::move(cells);
    result.recommendation.cell = recommended;
    result.machine.cores = 4;
    return result;
}

TEST(TradeOff, MarksWhatNoOtherSettingBeats) {
    SweepCell waiting;
    waiting.configuration.resources.threads = 8;
    const SweepResult result = sweepOf({measured(1, 1, 16), measured(4, 1, 4), measured(1, 4, 64),
                                        measured(4, 4, 8), waiting, measured(2, 4, 8)},
                                       1);
    const TradeOff all = tradeOffOf(result, QStringLiteral("All"), {}, {});
    ASSERT_EQ(all.points.size(), 5u) << "what is not measured is no point";
    ASSERT_EQ(all.series, QStringList{QStringLiteral("All")});
    std::vector<std::ptrdiff_t> frontier;
    for (const TradeOffPoint& point : all.points)
        if (point.isOnFrontier) frontier.push_back(point.cell);
    EXPECT_EQ(frontier, (std::vector<std::ptrdiff_t>{1, 3})) << "of two that are equal the first";
    EXPECT_EQ(all.onFrontier(), 2u);
    EXPECT_TRUE(all.points[1].isRecommended);
    EXPECT_FALSE(all.points[3].isRecommended);
    EXPECT_DOUBLE_EQ(all.points[3].perSecond, 500);
    ASSERT_TRUE(all.fastest());
    EXPECT_EQ(all.fastest()->cell, 1);
    EXPECT_EQ(all.bestWithin(3), nullptr);
    ASSERT_TRUE(all.bestWithin(4));
    EXPECT_EQ(all.bestWithin(4)->cell, 1);
    ASSERT_TRUE(all.bestWithin(100));
    EXPECT_EQ(all.bestWithin(100)->cell, 3);
}

TEST(TradeOff, EnginesAndMachinesAreSeriesOfTheirOwn) {
    const SweepResult result = sweepOf({measured(1, 1, 16), measured(4, 1, 4)}, 1);
    app::EngineBeside::Found beside;
    beside.theirs.median = 2;
    beside.theirs.low = 1.9;
    beside.theirs.high = 2.1;
    beside.theirs.samples = 9;
    const auto other =
        std::make_shared<const SweepResult>(sweepOf({measured(1, 1, 1), measured(2, 1, 32)}, 0));
    const TradeOff all =
        tradeOffOf(result, QStringLiteral("All"), beside, {{QStringLiteral("All on cuda"), other}});
    ASSERT_EQ(all.series.size(), 3);
    EXPECT_EQ(all.series[0], QStringLiteral("All"));
    EXPECT_EQ(all.series[2], QStringLiteral("All on cuda"));
    ASSERT_EQ(all.points.size(), 5u);
    EXPECT_EQ(all.points[2].series, 1);
    EXPECT_EQ(all.points[2].cell, -1) << "of no cell of the heat map";
    EXPECT_DOUBLE_EQ(all.points[2].perSecond, 500) << "twice as fast as 250 per second";
    EXPECT_EQ(all.points[3].series, 2);
    EXPECT_TRUE(all.points[3].isOnFrontier);
    EXPECT_EQ(all.onFrontier(), 1u) << "the other device beats all";
    EXPECT_FALSE(all.points[3].isRecommended) << "recommended in a sweep that is not shown";
}

TEST(TradeOff, HasNothingBeforeAnythingIsMeasured) {
    const TradeOff all = tradeOffOf(sweepOf({SweepCell()}, -1), QStringLiteral("All"), {}, {});
    EXPECT_TRUE(all.points.empty());
    EXPECT_TRUE(all.series.isEmpty());
    EXPECT_EQ(all.fastest(), nullptr);
    EXPECT_EQ(all.bestWithin(1e9), nullptr);
}

class TradeOffPanelTest : public testing::Test {
protected:
    void SetUp() override {
        auto engine = std::make_unique<app::FakeSweepEngine>();
        workbench_ = std::make_unique<app::Workbench>(std::move(engine));
        workbench_->adopt(std::make_shared<const Model>(build_sample("mlp")),
                          QStringLiteral("mlp"));
        SweepSpace space;
        space.intra = {1, 2, 4};
        space.batches = {1, 4};
        tuning().setSpace(space);
        beside_ = std::make_unique<app::EngineBeside>(workbench_->model(), tuning(),
                                                      workbench_->jobs(), workbench_->engine());
        panel_ = std::make_unique<TradeOffPanel>(*workbench_, *beside_);
        panel_->resize(600, 700);
        panel_->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(panel_.get(), long_enough));
    }
    void TearDown() override {
        panel_.reset();
        beside_.reset();
        workbench_.reset();
    }
    void measure() {
        tuning().start();
        ASSERT_TRUE(QTest::qWaitFor([this] { return !tuning().isRunning(); }, long_enough));
        ASSERT_TRUE(QTest::qWaitFor([this] { return !panel_->isWriting(); }, long_enough));
    }
    app::Tuning& tuning() { return workbench_->tuning(); }
    std::unique_ptr<app::Workbench> workbench_;
    std::unique_ptr<app::EngineBeside> beside_;
    std::unique_ptr<TradeOffPanel> panel_;
};

TEST_F(TradeOffPanelTest, ShowsEachSettingAndTheProgramOfTheRecommendedOne) {
    EXPECT_TRUE(panel_->shown().points.empty());
    EXPECT_TRUE(panel_->code().isEmpty());
    EXPECT_TRUE(panel_->sentence().contains(QStringLiteral("Start")))
        << panel_->sentence().toStdString();
    measure();
    EXPECT_EQ(panel_->shown().points.size(), 6u);
    EXPECT_TRUE(panel_->sentence().contains(QStringLiteral("of 6 settings")))
        << panel_->sentence().toStdString();
    EXPECT_TRUE(panel_->code().contains(QStringLiteral("intra_op_num_threads = 4")))
        << panel_->code().toStdString();
    const auto* plot = panel_->findChild<ScatterPlot*>(QStringLiteral("tradeOffPlot"));
    ASSERT_TRUE(plot);
    QSignalSpy picked(panel_.get(), &TradeOffPanel::cellPicked);
    emit const_cast<ScatterPlot*>(plot)->pointPicked(2);
    ASSERT_EQ(picked.count(), 1);
    EXPECT_EQ(picked[0][0].value<std::ptrdiff_t>(), panel_->shown().points[2].cell);
}

TEST_F(TradeOffPanelTest, TheLatencyCapIsATarget) {
    measure();
    SweepOptions options = tuning().options();
    options.latency_cap_ms = 9;  // 4 threads take 4 ms, 2 threads 8 ms, each with batch 1
    tuning().setOptions(options);
    EXPECT_TRUE(panel_->sentence().contains(QStringLiteral("Within 9.00 ms")))
        << panel_->sentence().toStdString();
    EXPECT_TRUE(panel_->sentence().contains(QStringLiteral("4 threads, batch 1")))
        << panel_->sentence().toStdString();
    options.latency_cap_ms = 0.5;
    tuning().setOptions(options);
    EXPECT_TRUE(panel_->sentence().contains(QStringLiteral("None takes at most")))
        << panel_->sentence().toStdString();
}

TEST_F(TradeOffPanelTest, SweepsOfOtherVariantsStayAsSeries) {
    measure();
    EXPECT_TRUE(tuning().otherSweeps().empty());
    app::RunSettings settings = workbench_->runSettings();
    settings.resources.threads = 2;  // no condition of a sweep
    workbench_->setRunSettings(settings);
    EXPECT_TRUE(tuning().otherSweeps().empty());
    app::Recipe basic;
    basic.level = Level::basic;
    app::TuneChoice choice = tuning().choice();
    choice.shown = basic;
    tuning().setChoice(choice);
    ASSERT_TRUE(QTest::qWaitFor([this] { return !tuning().otherSweeps().empty(); }, long_enough));
    ASSERT_EQ(tuning().otherSweeps().size(), 1u);
    EXPECT_EQ(tuning().otherSweeps()[0].result->cells.size(), 6u);
    EXPECT_EQ(panel_->shown().points.size(), 6u) << "the new variant has none yet";
    EXPECT_EQ(panel_->shown().series.size(), 1);
    EXPECT_EQ(panel_->shown().points[0].cell, -1);
}

}  // namespace
}  // namespace lapidary::views
