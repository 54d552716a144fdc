// SPDX-License-Identifier: Apache-2.0
// Which recipe is the best by a goal, and the sentence about it.
#include <gtest/gtest.h>

#include <vector>

#include "quantize/accuracy_slider.h"
#include "quantize/node_choices.h"
#include "quantize/pareto_panel.h"
#include "quantize/quantize_texts.h"
#include "widgets/plot/plot_scatter.h"
#include "worker/protocol/quantize_record.h"

namespace lapidary::views {
namespace {

TEST(QuantizeVerdict, SaysWhatWasGainedAndLost) {
    app::QuantizeRecord record;
    EXPECT_TRUE(verdictOf(record).isEmpty());
    app::QuantizeTrial trial;
    trial.sqnr_db = 38.4;
    trial.bytes = 1000;
    trial.rows = 1000;
    trial.flips = 2;
    trial.ratio = MedianEstimate{0.5, 0.48, 0.52, 20};
    record.trials = {trial};
    record.best = 0;
    record.original_bytes = 3900;
    record.evaluation_samples = 64;
    EXPECT_EQ(
        verdictOf(record),
        QStringLiteral("3.9× smaller, 2.0× faster, SQNR 38.4 dB, good, 2 of 1,000 answers changed: "
                       "0.2 % (0.1 – 0.7) on 64 samples"));
    record.trials[0].ratio = MedianEstimate{1.01, 0.9, 1.1, 20};
    EXPECT_TRUE(verdictOf(record).contains(QStringLiteral("no faster beyond noise")))
        << verdictOf(record).toStdString();
    record.trials[0].ratio = MedianEstimate{2, 1.9, 2.1, 20};
    EXPECT_TRUE(verdictOf(record).contains(QStringLiteral("2.0× slower")))
        << verdictOf(record).toStdString();
}

TEST(QuantizeVerdict, CallsPoorWhatIsPoor) {
    app::QuantizeRecord record;
    app::QuantizeTrial trial;
    trial.sqnr_db = 3.7;
    trial.low_db = 1.2;
    trial.high_db = 6.2;
    trial.bytes = 1000;
    record.trials = {trial};
    record.best = 0;
    record.original_bytes = 3900;
    record.evaluation_samples = 64;
    record.usable = false;
    record.warnings = {"outputs are far off: SQNR 3.7 dB (1.2 to 6.2) is below 20 dB"};
    const QString sentence = verdictOf(record);
    EXPECT_TRUE(sentence.startsWith(QStringLiteral("not fit for use: "))) << sentence.toStdString();
    EXPECT_TRUE(sentence.contains(QStringLiteral("SQNR 3.7 dB (1.2 – 6.2), poor")))
        << sentence.toStdString();
    EXPECT_EQ(reportOf(record, QStringLiteral("m")).notes, record.warnings)
        << "the page says it too";
}

TEST(NodeChoices, TypesOfNodesStandInFrontOfPatterns) {
    const std::vector<std::string> entries{"Gemm=s4", "conv1=u8"};
    EXPECT_EQ(ownTypeOf(entries, "conv1"), "u8");
    EXPECT_EQ(ownTypeOf(entries, "conv"), "");
    EXPECT_EQ(withOwnTypes(entries, {"fc"}, "s8"),
              (std::vector<std::string>{"fc=s8", "Gemm=s4", "conv1=u8"}));
    EXPECT_EQ(withOwnTypes(entries, {"conv1"}, "s4"),
              (std::vector<std::string>{"conv1=s4", "Gemm=s4"}));
    EXPECT_EQ(withOwnTypes(entries, {"conv1", "fc"}, "s8"),
              (std::vector<std::string>{"conv1=s8", "fc=s8", "Gemm=s4"}));
    EXPECT_EQ(withOwnTypes(entries, {"conv1"}, ""), (std::vector<std::string>{"Gemm=s4"}));
    EXPECT_TRUE(canBeNamed("/layer.0/MatMul"));
    EXPECT_FALSE(canBeNamed("a,b"));
    EXPECT_FALSE(canBeNamed(""));
}

TEST(AccuracyLadder, RisesFromTheSmallestToTheMostAccurate) {
    const auto trial = [](double db, std::uint64_t bytes) {
        app::QuantizeTrial t;
        t.sqnr_db = db;
        t.bytes = bytes;
        return t;
    };
    std::vector<app::QuantizeTrial> trials{trial(45, 300), trial(30, 200), trial(20, 100),
                                           trial(25, 100), trial(28, 250), trial(60, 150)};
    EXPECT_EQ(accuracyLadder(trials), (std::vector<std::size_t>{3, 5}))
        << "the sixth is smaller than others and more accurate";
    trials[5].failure = "no";
    EXPECT_EQ(accuracyLadder(trials), (std::vector<std::size_t>{3, 1, 0}));
    EXPECT_TRUE(accuracyLadder({}).empty());
}

/// The result need not be a step: its figures stand beneath the step that beats it.
TEST(AccuracySlider, StandsWhereTheShownRecipeIs) {
    const auto trial = [](double db, std::uint64_t bytes) {
        app::QuantizeTrial t;
        t.sqnr_db = db;
        t.low_db = t.high_db = db;
        t.bytes = bytes;
        return t;
    };
    app::QuantizeRecord record;
    record.trials = {trial(20, 100), trial(46, 200), trial(43, 210), trial(60, 300)};
    record.original_bytes = 1000;
    record.best = 2;
    AccuracySlider slider;
    slider.setRecord(record);
    ASSERT_EQ(slider.steps(), (std::vector<std::size_t>{0, 1, 3}));
    const auto* steps = slider.findChild<QSlider*>(QStringLiteral("accuracySlider"));
    const auto* figures = slider.findChild<QLabel*>(QStringLiteral("accuracyFigures"));
    ASSERT_TRUE(steps && figures);
    EXPECT_EQ(steps->value(), 1) << "46 dB in fewer bytes than the 43 dB of the result";
    EXPECT_TRUE(figures->text().contains(QStringLiteral("43.0 dB")))
        << figures->text().toStdString();
    EXPECT_TRUE(figures->text().contains(QStringLiteral("not on the slider")))
        << figures->text().toStdString();
    slider.setCurrentTrial(3);
    EXPECT_EQ(steps->value(), 2);
    EXPECT_FALSE(figures->text().contains(QStringLiteral("not on the slider")))
        << figures->text().toStdString();
}

TEST(QuantizeVerdict, SaysWhyTheMostAccurateLost) {
    using app::QuantizeGoal;
    const auto trial = [](double db, std::uint64_t bytes) {
        app::QuantizeTrial t;
        t.sqnr_db = db;
        t.low_db = db - 8;
        t.high_db = db + 8;
        t.bytes = bytes;
        return t;
    };
    app::QuantizeRecord record;
    record.original_bytes = 3900;
    record.trials = {trial(43, 1000), trial(46, 1500)};
    record.best = app::best_trial(record.trials, QuantizeGoal::accurate, {}, 3900);
    ASSERT_EQ(record.best, 0);
    const QString apart = whyNotMostAccurate(record, QuantizeGoal::accurate);
    EXPECT_TRUE(apart.contains(QStringLiteral("46.0 dB")) &&
                apart.contains(QStringLiteral("do not tell the two apart")))
        << apart.toStdString();
    EXPECT_TRUE(whyNotMostAccurate(record, QuantizeGoal::small).isEmpty());
    record.trials[1].bytes = 3900;
    EXPECT_TRUE(whyNotMostAccurate(record, QuantizeGoal::accurate)
                    .contains(QStringLiteral("saves nothing")));
    record.best = 1;
    EXPECT_TRUE(whyNotMostAccurate(record, QuantizeGoal::accurate).isEmpty()) << "chosen by hand";
}

/// Sizes of recipes are often alike: beside the float model they would be one column of points.
TEST(TradeOffs, AFarOriginalStandsAtTheEdge) {
    const auto trial = [](double db, std::uint64_t bytes) {
        app::QuantizeTrial t;
        t.sqnr_db = db;
        t.bytes = bytes;
        return t;
    };
    app::QuantizeRecord record;
    record.trials = {trial(37, 1'260'000), trial(51, 1'280'000)};
    record.original_bytes = 4'940'000;
    record.best = 1;
    ParetoPanel panel;
    panel.setRecord(&record);
    const auto* plot = panel.findChild<ScatterPlot*>(QStringLiteral("paretoPlot"));
    ASSERT_TRUE(plot);
    EXPECT_TRUE(plot->accessibleDescription().contains(QStringLiteral("farther to the right")))
        << plot->accessibleDescription().toStdString();
    record.trials[1].bytes = 3'000'000;
    panel.setRecord(&record);
    EXPECT_FALSE(plot->accessibleDescription().contains(QStringLiteral("farther to the right")));
}

TEST(QuantizeGoal, ChoosesAmongTrials) {
    using app::QuantizeGoal;
    const auto trial = [](double db, std::uint64_t bytes, double ratio) {
        app::QuantizeTrial t;
        t.sqnr_db = db;
        t.bytes = bytes;
        t.ratio = MedianEstimate{ratio, ratio - 0.01, ratio + 0.01, 20};
        return t;
    };
    std::vector<app::QuantizeTrial> trials{trial(45, 300, 1.5), trial(40, 250, 0.8),
                                           trial(32, 260, 0.5), trial(12, 130, 0.4)};
    EXPECT_EQ(app::best_trial(trials, QuantizeGoal::accurate, {.bound = 30}), 1)
        << "the most accurate is slower than float";
    EXPECT_EQ(app::best_trial(trials, QuantizeGoal::fast, {.bound = 30}), 2);
    EXPECT_EQ(app::best_trial(trials, QuantizeGoal::small, {.bound = 30}), 1);
    EXPECT_EQ(app::best_trial(trials, QuantizeGoal::small, {.bound = 10}), 3);
    EXPECT_EQ(app::best_trial(trials, QuantizeGoal::fast, {.bound = 60}), 1)
        << "none reaches the floor";
    trials[1].failure = "no";
    EXPECT_EQ(app::best_trial(trials, QuantizeGoal::accurate, {.bound = 30}), 2);
    EXPECT_EQ(app::best_trial({}, QuantizeGoal::fast, {.bound = 30}), -1);
    const AccuracyFloor answers{AccuracyFloor::Measure::flips, 0.01};
    EXPECT_EQ(app::best_trial(trials, QuantizeGoal::small, answers), 2)
        << "none has answers: the most accurate";
    for (app::QuantizeTrial& t : trials) t.rows = 200;
    trials[3].flips = 3;
    trials[0].flips = 2;
    EXPECT_EQ(app::best_trial(trials, QuantizeGoal::small, answers), 2);
    trials[3].flips = 2;
    EXPECT_EQ(app::best_trial(trials, QuantizeGoal::small, answers), 3)
        << "one in a hundred may change";
}

TEST(QuantizeGoal, MostAccurateIsWorthSomethingAndKnowsWhatSamplesShow) {
    using app::QuantizeGoal;
    const auto trial = [](double db, double error, std::uint64_t bytes) {
        app::QuantizeTrial t;
        t.sqnr_db = db;
        t.low_db = db - error;
        t.high_db = db + error;
        t.bytes = bytes;
        return t;
    };
    const AccuracyFloor floor;
    EXPECT_EQ(
        app::best_trial({trial(50, 1, 169), trial(44, 1, 45)}, QuantizeGoal::accurate, floor, 172),
        1)
        << "the first saves next to nothing";
    EXPECT_EQ(
        app::best_trial({trial(50, 1, 169), trial(44, 1, 170)}, QuantizeGoal::accurate, floor, 172),
        0)
        << "none saves anything";
    EXPECT_EQ(
        app::best_trial({trial(38, 2, 100), trial(37, 2, 60)}, QuantizeGoal::accurate, floor, 400),
        1)
        << "as accurate as far as the samples show, and smaller";
    EXPECT_EQ(app::best_trial({trial(38, 0.2, 100), trial(37, 0.2, 60)}, QuantizeGoal::accurate,
                              floor, 400),
              0);
    EXPECT_EQ(
        app::best_trial({trial(38, 2, 100), trial(37, 2, 99)}, QuantizeGoal::accurate, floor, 400),
        0);
}

}  // namespace
}  // namespace lapidary::views
