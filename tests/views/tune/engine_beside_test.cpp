// SPDX-License-Identifier: Apache-2.0
// The user's own ONNX Runtime beside what a sweep recommends, on the Tune page: measured in turn
// where there is one, and why not where there is none.
#include <gtest/gtest.h>

#include <QLabel>

#include <lapidary/engines/onnxruntime_engine.h>

#include "fake_sweep_engine.h"
#include "tune/tune_page.h"
#include "views/window_fixture.h"
#include "workbench/tuning/engine_beside.h"
#include "workbench/text/recipe.h"
#include "workbench/project/settings.h"
#include "workbench/tuning/tuning.h"
#include "worker/jobs/measure_job.h"

namespace lapidary::views {
namespace {

/// Sweeps of known figures. Measurements beside them are scripted too, unless they should be real.
class PairEngine : public app::FakeSweepEngine {
public:
    std::atomic<bool> isReal{false};
    std::atomic<int> measured{0};
    std::atomic<bool> hold{false};  // measuring goes on until it is cancelled
    double factor = 2;              // time of the second against the first
    // by which every other round of the second is off, as a share
    double noise = 0;
    std::string fails;  // the second with this message
    app::MeasureJob lastJob;

    PairEngine() {
        answer<app::MeasureJob>(
            [this](const test::Asked<app::MeasureJob>& asked) { return measure(asked); });
    }

private:
    std::vector<Measurement> measure(const test::Asked<app::MeasureJob>& asked) {
        lastJob = asked.job;
        ++measured;
        if (isReal) return real(asked);
        while (hold) {
            asked.progress.cancel.throw_if_cancelled();
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        std::vector<Measurement> both(2);
        for (int round = 0; round < 40; ++round)
            for (const std::size_t i : {std::size_t(0), std::size_t(1)}) {
                const double off = i == 0 ? 0.001 * (round % 3) : noise * double(round % 2);
                both[i].samples_ms.push_back(4 * (i == 0 ? 1 : factor) * (1 + off));
                both[i].rounds.push_back(round);
            }
        for (Measurement& side : both) side.wall = summarize_samples(side.samples_ms);
        if (!fails.empty()) {
            both[1] = {};
            both[1].error = fails;
        }
        return both;
    }
};

class EngineBesideTest : public testing::Test {
protected:
    void SetUp() override {
        QSettings().clear();
        app::saveTriesLevels(true);
        auto engine = std::make_unique<PairEngine>();
        engine_ = engine.get();
        workbench_ = std::make_unique<app::Workbench>(std::move(engine));
        window_ = std::make_unique<MainWindow>(*workbench_);
        window_->resize(1500, 950);
        window_->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(window_.get(), patience_ms));
        open("mlp");
    }
    void TearDown() override {
        window_.reset();
        workbench_.reset();
        qunsetenv("LAPIDARY_ONNXRUNTIME");
    }
    void open(const char* sample) {
        workbench_->adopt(std::make_shared<const Model>(build_sample(sample)),
                          QString::fromLatin1(sample));
        window_->showPage(QStringLiteral("tune"));
    }
    app::EngineBeside& beside() const {
        return *window_->page(QStringLiteral("tune"))->findChild<app::EngineBeside*>();
    }
    QString reported() const {
        return window_->page(QStringLiteral("tune"))
            ->findChild<QLabel*>(QStringLiteral("tuneReasons"))
            ->text();
    }
    bool reportsOf(const char* words) const {
        return reported().contains(QString::fromUtf8(words));
    }
    static SweepSpace spaceOf(std::vector<int> threads) {
        SweepSpace space;
        space.intra = std::move(threads);
        space.batches = {0};
        return space;
    }
    void sweep(std::vector<int> threads = {1, 2}) {
        workbench_->tuning().setSpace(spaceOf(std::move(threads)));
        workbench_->tuning().start();
        ASSERT_TRUE(
            QTest::qWaitFor([&] { return !workbench_->tuning().isRunning(); }, patience_ms));
        ASSERT_GE(workbench_->tuning().result()->recommendation.cell, 0);
    }
    bool ended() {
        return QTest::qWaitFor(
            [&] { return !beside().isRunning() && workbench_->jobs().jobs().isEmpty(); },
            patience_ms);
    }
    void sweepAndMeasure() {
        ASSERT_NO_FATAL_FAILURE(sweep());
        ASSERT_TRUE(ended());
    }

    PairEngine* engine_ = nullptr;
    std::unique_ptr<app::Workbench> workbench_;
    std::unique_ptr<MainWindow> window_;
};

TEST_F(EngineBesideTest, BothRunWithTheSettingsThatAreRecommended) {
    app::RunSettings settings = workbench_->runSettings();
    settings.seed = 7;
    workbench_->setRunSettings(settings);
    ASSERT_NO_FATAL_FAILURE(sweepAndMeasure());
    ASSERT_EQ(engine_->measured, 1);
    const auto& candidates = engine_->lastJob.candidates;
    ASSERT_EQ(candidates.size(), 2u);
    EXPECT_EQ(engine_->lastJob.seed, 7u);
    EXPECT_FALSE(candidates[0].model.recipe);
    ASSERT_TRUE(candidates[1].model.recipe);
    EXPECT_TRUE(candidates[1].model.recipe->runsInOtherEngine());
    const auto result = workbench_->tuning().result();
    const RunConfiguration& best =
        result->cells[std::size_t(result->recommendation.cell)].configuration;
    for (const auto& candidate : candidates) {
        EXPECT_EQ(candidate.configuration.resources.threads, best.resources.threads);
        EXPECT_EQ(candidate.configuration.level, best.level);
    }
    ASSERT_TRUE(beside().found().isKnown());
    EXPECT_TRUE(reportsOf("Your ONNX Runtime with the same settings, in turn: 8.00 ms"))
        << reported().toStdString();
    EXPECT_TRUE(reportsOf("2.00 times as long")) << reported().toStdString();
}

TEST_F(EngineBesideTest, NoDifferenceAndAnUnclearOneAreReported) {
    engine_->factor = 1;
    ASSERT_NO_FATAL_FAILURE(sweepAndMeasure());
    EXPECT_TRUE(reportsOf("no difference beyond noise")) << reported().toStdString();
    open("lenet");
    engine_->noise = 6;  // every other round takes seven times as long
    ASSERT_NO_FATAL_FAILURE(sweepAndMeasure());
    EXPECT_TRUE(reportsOf("too much else ran to compare them")) << reported().toStdString();
    EXPECT_FALSE(reportsOf("times as long"));
}

TEST_F(EngineBesideTest, IsMeasuredOnceForARecommendationAndForgottenWithTheModel) {
    ASSERT_NO_FATAL_FAILURE(sweepAndMeasure());
    window_->showPage(QStringLiteral("run"));
    window_->showPage(QStringLiteral("tune"));
    ASSERT_TRUE(ended());
    EXPECT_EQ(engine_->measured, 1);
    open("lenet");
    EXPECT_FALSE(beside().found().isKnown());
    EXPECT_FALSE(reportsOf("ONNX Runtime")) << reported().toStdString();
}

TEST_F(EngineBesideTest, GivesWayToTheNextSweep) {
    engine_->hold = true;
    ASSERT_NO_FATAL_FAILURE(sweep());
    ASSERT_TRUE(QTest::qWaitFor([&] { return beside().isRunning(); }, patience_ms));
    EXPECT_TRUE(reportsOf("Measuring your ONNX Runtime beside it")) << reported().toStdString();
    workbench_->tuning().setSpace(spaceOf({1, 2, 4}));
    workbench_->tuning().start();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !beside().isRunning(); }, patience_ms));
    engine_->hold = false;
    ASSERT_TRUE(QTest::qWaitFor([&] { return !workbench_->tuning().isRunning(); }, patience_ms));
    ASSERT_TRUE(ended());
    EXPECT_TRUE(beside().found().isKnown()) << "measured after the sweep";
}

TEST_F(EngineBesideTest, NothingIsMeasuredUnaskedWhereTheSettingSaysNo) {
    app::saveTriesLevels(false);
    ASSERT_NO_FATAL_FAILURE(sweepAndMeasure());
    EXPECT_EQ(engine_->measured, 0);
    EXPECT_FALSE(reportsOf("ONNX Runtime")) << reported().toStdString();
}

TEST_F(EngineBesideTest, AModelThatItRefusesIsReportedWithItsReason) {
    engine_->fails = "node \"odd\": no such operator";
    ASSERT_NO_FATAL_FAILURE(sweepAndMeasure());
    EXPECT_FALSE(beside().found().isKnown());
    EXPECT_TRUE(reportsOf("ONNX Runtime beside it: node \"odd\": no such operator."))
        << reported().toStdString();
}

TEST_F(EngineBesideTest, WhereThereIsNoneTheReasonIsReported) {
    qputenv("LAPIDARY_ONNXRUNTIME", "/no/such/place");
    engine_->isReal = true;
    ASSERT_NO_FATAL_FAILURE(sweepAndMeasure());
    EXPECT_FALSE(beside().found().isKnown());
    EXPECT_TRUE(reportsOf("ONNX Runtime beside it: /no/such/place: there is no libonnxruntime.so"))
        << reported().toStdString();
}

TEST_F(EngineBesideTest, AnOnnxRuntimeOfThisMachineIsMeasured) {
    const OnnxRuntimeInfo machine = describe_onnxruntime({});
    if (!machine.unusable.empty()) GTEST_SKIP() << "no ONNX Runtime: " << machine.unusable;
    engine_->isReal = true;
    ASSERT_NO_FATAL_FAILURE(sweepAndMeasure());
    ASSERT_TRUE(beside().found().failure.isEmpty()) << beside().found().failure.toStdString();
    ASSERT_TRUE(beside().found().isKnown());
    EXPECT_GT(beside().found().theirs.median, 0);
    ASSERT_TRUE(beside().found().ratio);
    EXPECT_TRUE(reportsOf("Your ONNX Runtime")) << reported().toStdString();
}

}  // namespace
}  // namespace lapidary::views
