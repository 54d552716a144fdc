// SPDX-License-Identifier: Apache-2.0
// Several variants side by side on the Compare page: chosen, compared, a pair taken, cancelled.
#include <QAbstractItemModelTester>
#include <QFileDialog>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTabWidget>
#include <QToolButton>

#include <algorithm>

#include "compare/compare_page.h"
#include "compare/variants/variant_panel.h"
#include "views/scripted_engine.h"
#include "views/window_fixture.h"
#include "widgets/cards/message_banner.h"
#include "widgets/text/quantity.h"
#include "workbench/jobs/comparison.h"
#include "workbench/project/project.h"

namespace lapidary::views {
namespace {

class VariantPanelTest : public testing::Test {
protected:
    void SetUp() override {
        QSettings().clear();
        // levels are not measured unasked, so that the only measurement is the one under test
        QSettings().setValue(QStringLiteral("optimize/tryLevels"), false);
        applyTheme(ThemeChoice::light);
        auto engine = std::make_unique<ScriptedEngine>();
        engine_ = engine.get();
        workbench_ = std::make_unique<app::Workbench>(std::move(engine));
        window_ = std::make_unique<MainWindow>(*workbench_);
        window_->resize(1400, 900);
        window_->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(window_.get(), patience_ms));
    }
    void TearDown() override {
        engine_->hold = false;
        window_.reset();
        workbench_.reset();
    }
    template <typename Predicate>
    static bool waitFor(Predicate predicate) {
        return QTest::qWaitFor(predicate, patience_ms);
    }
    VariantPanel* panel() const {
        return window_->findChild<VariantPanel*>(QStringLiteral("variantPanel"));
    }
    QTabWidget* tabs() const {
        return window_->findChild<QTabWidget*>(QStringLiteral("compareTabs"));
    }
    /// Opens a model with all four levels, and shows the tab.
    void openWithLevels() {
        workbench_->adopt(std::make_shared<const Model>(build_sample("bert-tiny")),
                          QStringLiteral("tiny"));
        window_->showPage(QStringLiteral("compare"));
        ASSERT_TRUE(panel() && tabs());
        panel()->makeLevels();
        ASSERT_TRUE(waitFor([&] {
            return panel()->chosen().size() == 4 && workbench_->variants().isIdle() &&
                   workbench_->comparison().isPossible();
        }));
        tabs()->setCurrentWidget(panel());
        ASSERT_TRUE(panel()->isVisible());
    }
    void compare() {
        panel()->start();
        ASSERT_TRUE(panel()->comparison().isRunning());
        ASSERT_TRUE(waitFor([&] { return !panel()->comparison().isRunning(); }));
        ASSERT_TRUE(panel()->comparison().result());
        ASSERT_TRUE(panel()->comparison().result()->complete)
            << panel()->banner()->text().toStdString();
    }
    /// Starts a comparison that goes on until it is cancelled, and waits for its first figures.
    void compareInPart() {
        engine_->hold = true;
        panel()->start();
        ASSERT_TRUE(panel()->comparison().isRunning());
        ASSERT_TRUE(waitFor([&] {
            const app::VariantsRecordPtr record = panel()->comparison().result();
            return record && record->variants.back().difference;
        }));
        EXPECT_TRUE(panel()->verdict().isEmpty()) << "there is none before the end";
    }
    void cancel() {
        emit panel()->banner()->cancelRequested();
        ASSERT_TRUE(waitFor([&] { return !panel()->comparison().isRunning(); }));
        engine_->hold = false;
    }
    QString conditions() const {
        return window_->findChild<QLabel*>(QStringLiteral("variantConditions"))->text();
    }
    /// The text in the row of that name and in the column of a variant.
    QString cell(const char* name, std::size_t variant) const {
        for (const VariantRow& row : panel()->table().rows())
            if (row.name == QLatin1String(name)) return row.cells.at(variant).text;
        ADD_FAILURE() << "no row " << name;
        return {};
    }

    std::unique_ptr<app::Workbench> workbench_;
    std::unique_ptr<MainWindow> window_;
    ScriptedEngine* engine_ = nullptr;
};

TEST_F(VariantPanelTest, EveryVariantIsAColumnOfFigures) {
    ASSERT_NO_FATAL_FAILURE(openWithLevels());
    const QAbstractItemModelTester tester(
        window_->findChild<TableView*>(QStringLiteral("variantFigures"))->model(),
        QAbstractItemModelTester::FailureReportingMode::Fatal);
    const std::vector<app::VariantPtr> chosen = panel()->chosen();
    ASSERT_EQ(panel()->table().columnCount(), 5);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        EXPECT_EQ(panel()->table().headerData(int(i) + 1, Qt::Horizontal).toString(),
                  chosen[i]->name);
        EXPECT_EQ(cell("Nodes", i), formatCount(qint64(chosen[i]->nodes())));
        EXPECT_EQ(cell("Weights as stored", i), formatBytes(chosen[i]->summary.weight_bytes));
        EXPECT_EQ(cell("Time of a run", i), QStringLiteral("–")) << "nothing was measured yet";
        EXPECT_TRUE(cell("Precision", i).startsWith(QStringLiteral("f32")))
            << cell("Precision", i).toStdString();
    }
    EXPECT_EQ(chosen.front()->recipe, app::Recipe::plain(Level::disabled));
    ASSERT_TRUE(waitFor([&] {
        for (std::size_t i = 0; i < chosen.size(); ++i)
            if (!workbench_->plannedMemory().of(chosen[i])) return false;
        return true;
    }));
    EXPECT_EQ(cell("Memory of a process", 3),
              formatBytes(workbench_->plannedMemory().of(chosen[3])->process_bytes))
        << "the figure of the Memory page";
}

TEST_F(VariantPanelTest, AllAreMeasuredInTurnAndHeldAgainstTheFirst) {
    ASSERT_NO_FATAL_FAILURE(openWithLevels());
    EXPECT_TRUE(panel()->verdict().isEmpty());
    ASSERT_NO_FATAL_FAILURE(compare());
    EXPECT_EQ(engine_->last_job.candidates.size(), 4u);
    EXPECT_TRUE(engine_->last_job.memory);
    EXPECT_EQ(cell("Against the first", 0), QStringLiteral("–"));
    EXPECT_EQ(cell("SQNR", 0), QStringLiteral("–"));
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_TRUE(cell("Time of a run", i).contains(QStringLiteral("ms")))
            << cell("Time of a run", i).toStdString();
    for (std::size_t i = 1; i < 4; ++i) {
        EXPECT_TRUE(cell("Against the first", i).contains(QStringLiteral("−20")))
            << cell("Against the first", i).toStdString();
        EXPECT_EQ(cell("Outputs", i), QStringLiteral("✗ 1 of 2 differ"));
        EXPECT_EQ(cell("SQNR", i), formatDecibels(12)) << "of the output that is furthest off";
    }
    EXPECT_TRUE(panel()->verdict().contains(QStringLiteral("1.25 × as fast as Disabled")))
        << panel()->verdict().toStdString();
    const std::vector<VariantCell>& times = panel()->table().rows().front().cells;
    EXPECT_EQ(std::ranges::count(times, true, &VariantCell::isBest), 1)
        << "the one that the verdict names";
    EXPECT_FALSE(times.front().isBest);
    // another choice of columns is another comparison
    panel()->setChosen(panel()->chosen()[1], false);
    EXPECT_EQ(panel()->table().columnCount(), 4);
    EXPECT_EQ(cell("Time of a run", 0), QStringLiteral("–"));
    EXPECT_TRUE(panel()->verdict().isEmpty());
}

TEST_F(VariantPanelTest, AColumnAndTheFirstBecomeThePair) {
    ASSERT_NO_FATAL_FAILURE(openWithLevels());
    const std::vector<app::VariantPtr> chosen = panel()->chosen();
    auto* view = window_->findChild<TableView*>(QStringLiteral("variantFigures"));
    emit view->activated(view->model()->index(0, 2));
    EXPECT_EQ(workbench_->comparison().a(), chosen[0]);
    EXPECT_EQ(workbench_->comparison().b(), chosen[1]);
    EXPECT_NE(tabs()->currentWidget(), panel()) << "the details are shown";
    auto* pairs = window_->findChild<QToolButton*>(QStringLiteral("variantPairs"));
    emit pairs->menu()->aboutToShow();
    ASSERT_EQ(pairs->menu()->actions().size(), 3);
    pairs->menu()->actions()[1]->trigger();
    EXPECT_EQ(workbench_->comparison().b(), chosen[2]);
    workbench_->project().undoStack().undo();
    EXPECT_EQ(workbench_->comparison().b(), chosen[1]);
}

TEST_F(VariantPanelTest, AnOnnxRuntimeIsChosenByAButton) {
    ASSERT_NO_FATAL_FAILURE(openWithLevels());
    auto* page = qobject_cast<ComparePage*>(window_->page(QStringLiteral("compare")));
    ASSERT_TRUE(page);
    const auto isB = [&](const char* place) {
        const app::VariantPtr b = workbench_->comparison().b();
        return b && b->recipe.runs_on && b->recipe.runs_on->place == place;
    };
    page->takeRuntime(QStringLiteral("/nowhere/first.so"));
    ASSERT_TRUE(
        waitFor([&] { return isB("/nowhere/first.so") && workbench_->comparison().isPossible(); }));
    engine_->measuring_fails = "no ONNX Runtime is there";
    workbench_->comparison().start();
    ASSERT_TRUE(workbench_->comparison().isRunning());
    // a button that is put into a visible layout is shown by an event
    QPushButton* choose = nullptr;
    ASSERT_TRUE(waitFor([&] {
        for (auto* button : page->findChildren<QPushButton*>())
            if (button->isVisible() && button->text() == QStringLiteral("Choose …"))
                choose = button;
        return choose != nullptr;
    })) << "the reason stands beside a way out of it";
    choose->click();
    auto* dialog = window_->findChild<QFileDialog*>(QStringLiteral("onnxRuntimeDialog"));
    ASSERT_TRUE(dialog);
    emit dialog->fileSelected(QStringLiteral("/nowhere/second.so"));
    dialog->close();
    ASSERT_TRUE(waitFor([&] { return isB("/nowhere/second.so"); }));
    ASSERT_TRUE(waitFor([&] { return workbench_->variants().isIdle(); }));
}

TEST_F(VariantPanelTest, TheMenuTakesColumnsAway) {
    ASSERT_NO_FATAL_FAILURE(openWithLevels());
    auto* choose = window_->findChild<QToolButton*>(QStringLiteral("chooseVariants"));
    auto* start = window_->findChild<QPushButton*>(QStringLiteral("compareVariants"));
    for (int line = 0; line < 3; ++line) {
        EXPECT_TRUE(start->isEnabled()) << line;
        emit choose->menu()->aboutToShow();
        QAction* action = choose->menu()->actions()[line];
        EXPECT_TRUE(action->isChecked());
        action->trigger();
    }
    EXPECT_EQ(panel()->chosen().size(), 1u);
    EXPECT_FALSE(start->isEnabled()) << "one variant is no comparison";
    EXPECT_EQ(panel()->table().rowCount(), 0);
}

TEST_F(VariantPanelTest, ACancelledOneHasNoVerdict) {
    ASSERT_NO_FATAL_FAILURE(openWithLevels());
    ASSERT_NO_FATAL_FAILURE(compareInPart());
    EXPECT_FALSE(conditions().contains(QStringLiteral("not complete")));
    ASSERT_NO_FATAL_FAILURE(cancel());
    EXPECT_NE(cell("Time of a run", 1), QStringLiteral("–")) << "what was found out is kept";
    EXPECT_TRUE(panel()->verdict().isEmpty()) << panel()->verdict().toStdString();
    EXPECT_TRUE(conditions().contains(QStringLiteral("not complete")))
        << conditions().toStdString();
}

TEST_F(VariantPanelTest, ACancelBringsTheCompleteResultBack) {
    ASSERT_NO_FATAL_FAILURE(openWithLevels());
    ASSERT_NO_FATAL_FAILURE(compare());
    const app::VariantsRecordPtr before = panel()->comparison().result();
    const QString verdict = panel()->verdict();
    ASSERT_FALSE(verdict.isEmpty());
    ASSERT_NO_FATAL_FAILURE(compareInPart());
    EXPECT_NE(panel()->comparison().result(), before);
    ASSERT_NO_FATAL_FAILURE(cancel());
    EXPECT_EQ(panel()->comparison().result(), before);
    EXPECT_EQ(panel()->verdict(), verdict);
    EXPECT_EQ(cell("SQNR", 1), formatDecibels(12));
    EXPECT_FALSE(conditions().contains(QStringLiteral("not complete")));
}

TEST_F(VariantPanelTest, TooFewRunsAreNoNoise) {
    ASSERT_NO_FATAL_FAILURE(openWithLevels());
    engine_->rounds = 4;
    ASSERT_NO_FATAL_FAILURE(compare());
    EXPECT_EQ(cell("Against the first", 1), QStringLiteral("too few runs"));
    EXPECT_TRUE(panel()->verdict().isEmpty()) << panel()->verdict().toStdString();
    EXPECT_EQ(std::ranges::count(panel()->table().rows().front().cells, true, &VariantCell::isBest),
              0);
}

TEST_F(VariantPanelTest, ACancelEndsItAndAFailureIsSaid) {
    ASSERT_NO_FATAL_FAILURE(openWithLevels());
    engine_->hold = true;
    panel()->start();
    ASSERT_TRUE(panel()->comparison().isRunning());
    emit panel()->banner()->cancelRequested();
    ASSERT_TRUE(waitFor([&] { return !panel()->comparison().isRunning(); }));
    EXPECT_FALSE(panel()->comparison().result()->complete);
    EXPECT_TRUE(panel()->banner()->isHidden());
    engine_->hold = false;
    engine_->measuring_fails = "no engine in this script";
    panel()->start();
    ASSERT_TRUE(waitFor([&] { return !panel()->comparison().isRunning(); }));
    EXPECT_EQ(panel()->banner()->kind(), MessageBanner::Kind::error);
    EXPECT_TRUE(panel()->banner()->text().contains(QStringLiteral("no engine in this script")))
        << panel()->banner()->text().toStdString();
}

}  // namespace
}  // namespace lapidary::views
