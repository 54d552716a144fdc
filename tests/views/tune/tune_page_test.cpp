// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <lapidary/inputs/samples.h>

#include "fake_sweep_engine.h"
#include "views/gui_watchdog.h"
#include "support/time_budget.h"
#include "theme/theme.h"
#include "tune/cell_table.h"
#include "tune/choice_chips.h"
#include "tune/heat_map_view.h"
#include "tune/operator_scaling.h"
#include "tune/recommendation_card.h"
#include "tune/scaling_curve.h"
#include "tune/tune_page.h"
#include "widgets/cards/empty_state.h"
#include "widgets/cards/message_banner.h"
#include "widgets/noise_meter.h"
#include "window/main_window.h"
#include "workbench/project/project.h"
#include "workbench/tuning/tuning.h"
#include "workbench/workbench.h"

namespace lapidary::views {
namespace {

class TunePageTest : public testing::Test {
protected:
    void SetUp() override {
        QSettings().clear();
        applyTheme(ThemeChoice::light);
        auto engine = std::make_unique<app::FakeSweepEngine>();
        engine_ = engine.get();
        workbench_ = std::make_unique<app::Workbench>(std::move(engine));
        window_ = std::make_unique<MainWindow>(*workbench_);
        window_->resize(1500, 950);
        window_->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(window_.get(), 60'000));
        page_ = qobject_cast<TunePage*>(window_->page(QStringLiteral("tune")));
        ASSERT_TRUE(page_);
        window_->showPage(QStringLiteral("tune"));
    }
    void TearDown() override {
        window_.reset();
        workbench_.reset();
    }
    void open() {
        workbench_->adopt(std::make_shared<const Model>(build_sample("mlp")),
                          QStringLiteral("mlp"));
        window_->showPage(QStringLiteral("tune"));
        SweepSpace space;
        space.intra = {1, 2, 4};
        space.batches = {1, 4};
        tuning().setSpace(space);
    }
    void measure() {
        tuning().start();
        ASSERT_TRUE(idle());
    }
    bool idle() {
        return QTest::qWaitFor([this] { return !tuning().isRunning(); }, 60'000);
    }
    app::Tuning& tuning() { return workbench_->tuning(); }
    template <typename Widget>
    Widget* find(const char* name) const {
        auto* widget = page_->findChild<Widget*>(QString::fromLatin1(name));
        EXPECT_NE(widget, nullptr) << name;
        return widget;
    }
    QToolButton* chip(const char* box, qint64 value) const {
        auto* chips = find<ChoiceChips>(box);
        return chips ? chips->findChild<QToolButton*>(QStringLiteral("chip%1").arg(value))
                     : nullptr;
    }
    app::FakeSweepEngine* engine_ = nullptr;
    std::unique_ptr<app::Workbench> workbench_;
    std::unique_ptr<MainWindow> window_;
    TunePage* page_ = nullptr;
};

TEST_F(TunePageTest, SaysWhatToDoBeforeAnythingIsThere) {
    auto* empty = page_->findChild<EmptyState*>();
    ASSERT_TRUE(empty);
    EXPECT_TRUE(empty->isVisible());
    open();
    EXPECT_FALSE(empty->isVisible());
    auto* map = find<HeatMapView>("heatMap");
    EXPECT_TRUE(map->isVisible());
    EXPECT_EQ(map->model()->rowCount(), 2);
    EXPECT_EQ(map->model()->columnCount(), 3);
    EXPECT_TRUE(map->model()->index(0, 0).data().toString().startsWith(u'~'))
        << "a time estimate before anything ran";
    auto* card = find<RecommendationCard>("recommendationCard");
    EXPECT_TRUE(card->sentence().contains(QStringLiteral("Start")))
        << card->sentence().toStdString();
    EXPECT_TRUE(find<QPushButton>("tuneStart")->isEnabled());
    EXPECT_FALSE(find<QPushButton>("tuneVerify")->isEnabled());
    EXPECT_FALSE(find<QPushButton>("tuneApply")->isEnabled());
}

TEST_F(TunePageTest, StartFillsTheMapTheTablesAndTheSentence) {
    open();
    auto* map = find<HeatMapView>("heatMap");
    auto* cells = find<CellTable>("cellTable");
    auto* operators = find<OperatorScalingTable>("operatorScaling");
    std::vector<std::unique_ptr<QAbstractItemModelTester>> testers;
    for (QAbstractItemModel* model : {map->model(), cells->model(), operators->model()})
        testers.push_back(std::make_unique<QAbstractItemModelTester>(
            model, QAbstractItemModelTester::FailureReportingMode::Fatal));
    QTest::mouseClick(find<QPushButton>("tuneStart"), Qt::LeftButton);
    ASSERT_TRUE(idle());
    EXPECT_EQ(map->model()->index(0, 2).data().toString(), QStringLiteral("4.00 ms"));
    EXPECT_EQ(map->model()->index(1, 0).data().toString(), QStringLiteral("64.0 ms"));
    EXPECT_TRUE(map->model()->index(0, 2).data(BestRole).toBool());
    EXPECT_FALSE(map->model()->index(0, 0).data(BestRole).toBool());
    EXPECT_DOUBLE_EQ(map->model()->index(0, 2).data(GoodnessRole).toDouble(), 1);
    EXPECT_DOUBLE_EQ(map->model()->index(1, 0).data(GoodnessRole).toDouble(), 0);
    EXPECT_TRUE(map->model()
                    ->index(0, 2)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("95 % interval")));
    EXPECT_TRUE(map->model()
                    ->index(0, 2)
                    .data(Qt::AccessibleTextRole)
                    .toString()
                    .contains(QStringLiteral("recommended")));
    EXPECT_EQ(cells->model()->rowCount(), 6);
    EXPECT_EQ(operators->model()->rowCount(), 1);
    EXPECT_EQ(operators->model()->index(0, 0).data().toString(), QStringLiteral("Gemm batch 1"));
    EXPECT_EQ(operators->model()->index(0, 5).data().toString(), QStringLiteral("2 threads"));
    auto* card = find<RecommendationCard>("recommendationCard");
    EXPECT_TRUE(card->sentence().contains(QStringLiteral("4 threads")))
        << card->sentence().toStdString();
    EXPECT_TRUE(card->reasons().contains(QStringLiteral("confidence")))
        << card->reasons().toStdString();
    EXPECT_TRUE(find<ScalingCurve>("scalingCurve")->description().contains(QStringLiteral("4.00×")))
        << find<ScalingCurve>("scalingCurve")->description().toStdString();

    auto* figure = find<QComboBox>("heatFigure");
    figure->setCurrentIndex(2);
    emit figure->activated(2);
    EXPECT_EQ(map->model()->index(0, 1).data().toString(), QStringLiteral("2.00×"));
    emit figure->activated(3);
    EXPECT_EQ(map->model()->index(0, 1).data().toString(), QStringLiteral("100 %"));
    emit figure->activated(1);
    EXPECT_EQ(map->model()->index(1, 2).data().toString(), QStringLiteral("250 /s"));

    map->setCurrentIndex(map->model()->index(1, 1));  // batch 4: its own scaling
    EXPECT_EQ(operators->model()->index(0, 0).data().toString(), QStringLiteral("Gemm batch 4"));
    EXPECT_EQ(cells->currentIndex().siblingAtColumn(1).data().toString(), QStringLiteral("4"));
}

TEST_F(TunePageTest, CellsAreQueuedByClickAndByKey) {
    open();
    auto* map = find<HeatMapView>("heatMap");
    const auto click = [&](int row, int column) {
        QTest::mouseClick(map->viewport(), Qt::LeftButton, {},
                          map->visualRect(map->model()->index(row, column)).center());
    };
    click(0, 1);
    ASSERT_EQ(tuning().queue().size(), 1u);
    EXPECT_EQ(map->model()->index(0, 1).data(QueuePlaceRole).toInt(), 1);
    EXPECT_TRUE(find<QPushButton>("tuneStart")->text().contains(QStringLiteral("1 queued")))
        << find<QPushButton>("tuneStart")->text().toStdString();
    click(0, 1);
    EXPECT_TRUE(tuning().queue().empty());
    map->setFocus();
    map->setCurrentIndex(map->model()->index(0, 0));
    QTest::keyClick(map, Qt::Key_Right);
    QTest::keyClick(map, Qt::Key_Down);
    EXPECT_EQ(map->currentIndex(), map->model()->index(1, 1));
    QTest::keyClick(map, Qt::Key_Space);
    EXPECT_EQ(map->model()->index(1, 1).data(QueuePlaceRole).toInt(), 1);
    click(0, 2);
    auto* queue = find<QListWidget>("tuneQueue");
    ASSERT_EQ(queue->count(), 2);
    EXPECT_TRUE(queue->item(0)->text().contains(QStringLiteral("batch 4")));
    queue->setCurrentRow(1);
    QTest::keyClick(queue, Qt::Key_Up, Qt::AltModifier);
    EXPECT_TRUE(queue->item(1)->text().contains(QStringLiteral("batch 4")));
    QTest::mouseClick(find<QToolButton>("queueDown"), Qt::LeftButton);
    EXPECT_TRUE(queue->item(0)->text().contains(QStringLiteral("batch 4")));
    queue->setCurrentRow(0);
    QTest::keyClick(queue, Qt::Key_Delete);
    EXPECT_EQ(queue->count(), 1);
    map->setCurrentIndex(map->model()->index(0, 0));
    QTest::keyClick(map, Qt::Key_Return);  // measures it and what is queued
    ASSERT_TRUE(idle());
    EXPECT_EQ(map->model()->index(0, 0).data(StateRole).toInt(), int(CellState::done));
    EXPECT_EQ(map->model()->index(0, 2).data(StateRole).toInt(), int(CellState::done));
    EXPECT_EQ(map->model()->index(1, 1).data(StateRole).toInt(), int(CellState::waiting));
}

TEST_F(TunePageTest, TheSpaceIsEditedByChips) {
    open();
    auto* four = chip("threads", 4);
    ASSERT_TRUE(four);
    QTest::mouseClick(four, Qt::LeftButton);  // off
    EXPECT_EQ(tuning().space().intra, (std::vector<int>{1, 2}));
    auto* other =
        find<ChoiceChips>("threads")->findChild<QLineEdit*>(QStringLiteral("otherValues"));
    ASSERT_TRUE(other);
    other->setText(QStringLiteral("16, 3"));
    QTest::keyClick(other, Qt::Key_Return);
    EXPECT_EQ(tuning().space().intra, (std::vector<int>{1, 2, 3, 16}));
    if (thread_choices().back() < 16) {
        EXPECT_TRUE(chip("threads", 16)->text().contains(QStringLiteral("⚠")))
            << "more than this machine has";
        EXPECT_FALSE(chip("threads", 16)->accessibleDescription().isEmpty());
    }
    other->setText(QStringLiteral("0"));
    QTest::keyClick(other, Qt::Key_Return);
    auto* banner = page_->findChild<MessageBanner*>();
    ASSERT_TRUE(banner);
    EXPECT_TRUE(banner->isVisible());
    EXPECT_TRUE(banner->text().contains(QStringLiteral("found \"0\"")))
        << banner->text().toStdString();
    EXPECT_EQ(tuning().space().intra.size(), 4u);
    for (const qint64 threads : {1, 2, 3})
        QTest::mouseClick(chip("threads", threads), Qt::LeftButton);
    QTest::mouseClick(chip("threads", 16), Qt::LeftButton);
    EXPECT_EQ(tuning().space().intra, std::vector<int>{16}) << "one must stay";

    EXPECT_TRUE(chip("levels", 0)->isVisible()) << "what is measured is never hidden";
    EXPECT_FALSE(chip("modes", 1)->isVisible());
    find<QToolButton>("moreSettings")->click();
    EXPECT_TRUE(chip("modes", 1)->isVisible());
    EXPECT_FALSE(chip("inter", 1) && chip("inter", thread_choices().back())->isEnabled() &&
                 thread_choices().back() > 1)
        << "sequential: inter-op says nothing";
    QTest::mouseClick(chip("modes", 1), Qt::LeftButton);
    EXPECT_TRUE(chip("inter", thread_choices().back())->isEnabled());
}

TEST_F(TunePageTest, AxesAndRestAreChosen) {
    open();
    SweepSpace space;
    space.intra = {1, 2};
    space.batches = {1, 4};
    space.levels = {Level::basic, Level::all};
    tuning().setSpace(space);
    measure();
    auto* map = find<HeatMapView>("heatMap");
    auto* rest = find<QComboBox>("heatRest");
    ASSERT_EQ(rest->count(), 3) << "best of all, and each level";
    auto* rows = find<QComboBox>("heatRows");
    const int level = rows->findData(int(TuneAxis::level));
    ASSERT_GE(level, 0);
    rows->setCurrentIndex(level);
    emit rows->activated(level);
    EXPECT_EQ(map->model()->headerData(0, Qt::Vertical).toString(), QStringLiteral("Basic"));
    EXPECT_EQ(map->model()->rowCount(), 2);
    EXPECT_EQ(rest->count(), 3) << "now the batches";
    emit rest->activated(2);
    EXPECT_EQ(map->model()->index(0, 0).data().toString(), QStringLiteral("64.0 ms"));
    EXPECT_EQ(map->indexAt(QPoint(5, 5)), map->model()->index(0, 0));
}

TEST_F(TunePageTest, AppliesAndUndoes) {
    open();
    measure();
    const int before = workbench_->runSettings().resources.threads;
    QTest::mouseClick(find<QPushButton>("tuneApply"), Qt::LeftButton);
    EXPECT_EQ(workbench_->runSettings().resources.threads, 4);
    EXPECT_TRUE(workbench_->project().undoStack().canUndo());
    workbench_->project().undoStack().undo();
    EXPECT_EQ(workbench_->runSettings().resources.threads, before);
    workbench_->project().undoStack().redo();
    EXPECT_EQ(workbench_->runSettings().resources.threads, 4);
}

TEST_F(TunePageTest, PausesCancelsAndVerifies) {
    open();
    engine_->cell_ms = 40;
    tuning().start();
    EXPECT_TRUE(find<QPushButton>("tunePause")->isVisible());
    EXPECT_FALSE(find<QPushButton>("tuneStart")->isVisible());
    QTest::mouseClick(find<QPushButton>("tunePause"), Qt::LeftButton);
    EXPECT_TRUE(tuning().isPaused());
    QTest::mouseClick(find<QPushButton>("tunePause"), Qt::LeftButton);
    EXPECT_FALSE(tuning().isPaused());
    QTest::mouseClick(find<QPushButton>("tuneCancel"), Qt::LeftButton);
    ASSERT_TRUE(idle());
    EXPECT_TRUE(find<QPushButton>("tuneStart")->isVisible());
    engine_->cell_ms = 0;
    measure();
    auto* map = find<HeatMapView>("heatMap");
    QTest::mouseClick(find<QPushButton>("tuneVerify"), Qt::LeftButton);
    ASSERT_TRUE(idle());
    EXPECT_TRUE(map->model()->index(0, 2).data(VerifiedRole).toBool());
    EXPECT_TRUE(find<RecommendationCard>("recommendationCard")
                    ->reasons()
                    .startsWith(QStringLiteral("High confidence")))
        << find<RecommendationCard>("recommendationCard")->reasons().toStdString();
}

TEST_F(TunePageTest, CopiesAndSaves) {
    open();
    measure();
    auto* map = find<HeatMapView>("heatMap");
    map->setFocus();
    QTest::keyClick(map, Qt::Key_C, Qt::ControlModifier);
    const QString copied = QApplication::clipboard()->text();
    EXPECT_EQ(copied.count(u'\n'), 3) << copied.toStdString();
    EXPECT_TRUE(copied.startsWith(QStringLiteral(
        "Median time\t1 thread\t2 threads\t4 threads\nbatch 1\t16.0 ms\t8.00 ms\t4.00 ms")))
        << copied.toStdString();
    for (QAction* action : page_->pageActions())
        if (action->text() == QStringLiteral("Copy the sweep command")) action->trigger();
    EXPECT_TRUE(
        QApplication::clipboard()->text().startsWith(QStringLiteral("lapidary-cli sweep ")));
    const QTemporaryDir folder;
    for (const char* name : {"a.csv", "a.json", "a.png"}) {
        const QString path = folder.filePath(QString::fromLatin1(name));
        page_->save(path);
        ASSERT_TRUE(QTest::qWaitFor([&] { return workbench_->jobs().jobs().isEmpty(); }, 60'000));
        EXPECT_GT(QFile(path).size(), 300) << name;
    }
    const QImage picture(folder.filePath(QStringLiteral("a.png")));
    EXPECT_GT(picture.width(), 300);
    page_->save(folder.filePath(QStringLiteral("no such folder/a.csv")));
    ASSERT_TRUE(QTest::qWaitFor([&] { return workbench_->jobs().jobs().isEmpty(); }, 60'000));
    EXPECT_TRUE(page_->findChild<MessageBanner*>()->isVisible());
}

TEST_F(TunePageTest, TheWindowStaysResponsiveWithManyCells) {
    open();
    SweepSpace space;
    space.intra.clear();
    for (int threads = 1; threads <= 16; ++threads) space.intra.push_back(threads);
    space.batches.clear();
    for (int batch = 1; batch <= 16; ++batch) space.batches.push_back(batch);
    tuning().setSpace(space);
    ASSERT_EQ(tuning().result()->cells.size(), 256u);
    GuiWatchdog watchdog;
    tuning().start();
    ASSERT_TRUE(wait_until([&] { return !tuning().isRunning(); }, 60'000));
    for (int figure = 0; figure < 4; ++figure)
        emit find<QComboBox>("heatFigure")->activated(figure);
    wait_until([] { return false; }, 50);
    const auto longest = watchdog.stop();
    EXPECT_LT(longest.held_ms, 250 * wall_factor);
}

TEST_F(TunePageTest, TheChipsFollowTheTheme) {
    open();
    auto* chips = window_->findChild<ChoiceChips*>();
    ASSERT_TRUE(chips);
    for (const ThemeChoice theme : {ThemeChoice::dark, ThemeChoice::light}) {
        applyTheme(theme);
        for (QWidget* shown : chips->findChildren<QWidget*>()) {
            if (!shown->isVisible()) continue;
            EXPECT_EQ(isDark(shown->palette()), theme == ThemeChoice::dark)
                << shown->metaObject()->className() << ' ' << shown->objectName().toStdString();
        }
    }
}

TEST_F(TunePageTest, TheNoiseMeterSpeaks) {
    auto* meter = window_->findChild<NoiseMeter*>();
    ASSERT_TRUE(meter);
    EXPECT_TRUE(meter->isVisible());
    MachineNoise noise{0.99, 0.0, 0.0};
    std::atomic<int> looks{0};
    app::Workbench& workbench = *workbench_;
    auto* monitor = new app::NoiseMonitor(
        workbench.jobs(), nullptr,
        [&] {
            ++looks;
            return noise;
        },
        10);
    NoiseMeter own(monitor);
    QTest::qWait(60);
    EXPECT_EQ(looks, 0) << "it is not visible";
    own.show();
    ASSERT_TRUE(QTest::qWaitFor([&] { return monitor->noise().has_value(); }, 60'000));
    EXPECT_TRUE(own.sentence().contains(QStringLiteral("quiet"))) << own.sentence().toStdString();
    EXPECT_FALSE(own.accessibleDescription().isEmpty());
    std::atomic<bool> end{false};
    workbench.jobs().start<bool>(
        QStringLiteral("a measurement"),
        [&](const Progress&) {
            while (!end) std::this_thread::sleep_for(std::chrono::milliseconds(2));
            return true;
        },
        [](bool) {}, [](const Error&) {});
    ASSERT_TRUE(QTest::qWaitFor([&] { return monitor->isHeld(); }, 60'000));
    QTest::qWait(50);  // a look that had begun
    const int before = looks;
    QTest::qWait(100);
    EXPECT_EQ(looks, before) << "it looked while a job ran";
    EXPECT_TRUE(monitor->isHeld());
    end = true;
    ASSERT_TRUE(QTest::qWaitFor([&] { return looks > before && !monitor->isHeld(); }, 60'000));
}

TEST(TuneConfidence, NamesItsReasons) {
    SweepConfidence confidence{.degree = SweepConfidence::Degree::low,
                               .runs = 4,
                               .drift = 0.12,
                               .measured = 1,
                               .planned = 3};
    EXPECT_EQ(reasonsOf(confidence).size(), 4);
    EXPECT_TRUE(reasonsOf(confidence).join(u' ').contains(QStringLiteral("12")));
    EXPECT_TRUE(reasonsOf({}).isEmpty());
}

}  // namespace
}  // namespace lapidary::views
