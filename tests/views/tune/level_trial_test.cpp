// SPDX-License-Identifier: Apache-2.0
// Levels of fast models are measured and checked automatically, and stop for what the user starts.
#include <QTextBrowser>

#include "views/optimize/optimize_fixture.h"
#include "views/scripted_engine.h"
#include "widgets/text/quantity.h"
#include "workbench/tuning/level_times.h"
#include "workbench/tuning/level_trial.h"
#include "workbench/project/project.h"
#include "workbench/document/run_conditions.h"
#include "workbench/project/settings.h"

namespace lapidary::views {
namespace {

class LevelTrialTest : public OptimizeTest {
protected:
    void SetUp() override {
        OptimizeTest::SetUp();
        app::saveTriesLevels(true);
    }
    bool isReported(Level level) const {
        app::Recipe recipe;
        recipe.level = level;
        const app::RunFigures* time = workbench_->timeOf(recipe);
        const QString text = cards()->card(level)->timeText();
        return time &&
               text.startsWith(formatMedian(time->median_ms, time->low_ms, time->high_ms)) &&
               text.contains(QStringLiteral("✓"));
    }
    bool allAreReported() const {
        return isReported(Level::disabled) && isReported(Level::basic) &&
               isReported(Level::extended) && isReported(Level::all);
    }
    bool quiet() {
        return waitFor([&] {
            QCoreApplication::processEvents();
            return workbench_->jobs().jobs().isEmpty() && workbench_->variants().isIdle() &&
                   !workbench_->levelTrial().isRunning();
        });
    }
};

TEST_F(LevelTrialTest, TimesIntervalsAndTicksComeByThemselves) {
    window_->resize(1280, 800);
    openAndOptimize("lenet");
    ASSERT_TRUE(waitFor([&] { return allAreReported(); }))
        << cards()->card(Level::all)->timeText().toStdString();
    ASSERT_TRUE(quiet());
    for (const Level level : {Level::disabled, Level::basic, Level::extended, Level::all}) {
        const LevelCard* card = cards()->card(level);
        const int width = card->width() - 24;
        const QString time = card->timeWithin(width), difference = card->differenceWithin(width);
        EXPECT_TRUE(time.endsWith(QStringLiteral("guard ✓")) && !time.contains(u'…'))
            << time.toStdString();
        EXPECT_FALSE(difference.isEmpty() || difference.contains(u'…')) << difference.toStdString();
    }
    EXPECT_FALSE(cards()->card(std::nullopt)->differenceWithin(100).contains(u'…'));
    // The bar above the pages and the Inspector show the same time.
    const app::RunFigures* inForce = workbench_->timeOf(workbench_->recipeInForce());
    ASSERT_TRUE(inForce);
    const QString text = find<QTextBrowser>("inspectorText")->toPlainText();
    EXPECT_TRUE(text.contains(formatMedian(inForce->median_ms, inForce->low_ms, inForce->high_ms)))
        << text.toStdString();
    EXPECT_FALSE(text.contains(QStringLiteral("Not measured yet"))) << text.toStdString();
    EXPECT_FALSE(workbench_->project().isModified()) << "the user changed nothing";
    EXPECT_EQ(workbench_->project().guards().size(), 4u);
    app::RunSettings settings = workbench_->runSettings();
    settings.resources.threads = workbench_->conditions().threads == 1 ? 2 : 1;
    workbench_->setRunSettings(settings);
    ASSERT_TRUE(waitFor([&] { return allAreReported(); })) << "other conditions, tried anew";
    EXPECT_EQ(workbench_->timeOf(app::Recipe())->threads, settings.resources.threads);
}

TEST_F(LevelTrialTest, GivesWayToARun) {
    openAndOptimize("bert-tiny");
    ASSERT_TRUE(waitFor([&] { return workbench_->levelTrial().isRunning(); }));
    workbench_->startRun();
    EXPECT_FALSE(workbench_->levelTrial().isRunning());
    ASSERT_TRUE(waitFor([&] { return runPage()->state() == RunPage::State::done; }));
}

TEST_F(LevelTrialTest, IsNotMadeWhereTheSettingSaysNo) {
    app::saveTriesLevels(false);
    openAndOptimize("mlp");
    QTest::qWait(100);
    EXPECT_FALSE(workbench_->levelTrial().isRunning());
    EXPECT_EQ(cards()->card(Level::all)->timeText(), QStringLiteral("press Measure"));
}

TEST(LevelTrial, OfASlowModelIsOneRunOnly) {
    QSettings().clear();
    app::saveTriesLevels(true);
    auto owned = std::make_unique<ScriptedEngine>();
    ScriptedEngine* engine = owned.get();
    engine->base_ms = 100;
    app::Workbench workbench(std::move(owned));
    workbench.adopt(std::make_shared<const Model>(build_sample("mlp")), QStringLiteral("mlp"));
    workbench.variants().request({app::Recipe()});
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return workbench.variants().original() != nullptr; }, patience_ms));
    const app::VariantPtr original = workbench.variants().original();
    const auto tryIt = [&] {
        workbench.levelTrial().want({original});
        return QTest::qWaitFor([&] { return !workbench.levelTrial().isRunning(); }, patience_ms);
    };
    ASSERT_TRUE(tryIt());
    EXPECT_EQ(engine->measured, 1) << "one look";
    EXPECT_EQ(workbench.timeOf(app::Recipe()), nullptr);
    ASSERT_TRUE(tryIt());
    EXPECT_EQ(engine->measured, 1) << "not again under the same conditions";
    engine->base_ms = 5;
    app::RunSettings settings = workbench.runSettings();
    settings.resources.threads = workbench.conditions().threads == 1 ? 2 : 1;
    workbench.setRunSettings(settings);
    ASSERT_TRUE(tryIt());
    EXPECT_EQ(engine->measured, 3) << "a look, and the measurement";
    EXPECT_NE(workbench.timeOf(app::Recipe()), nullptr);
}

}  // namespace
}  // namespace lapidary::views
