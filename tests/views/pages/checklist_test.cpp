// SPDX-License-Identifier: Apache-2.0
// The Checklist page; tests/core/tools/report/advice_test.cpp is about what it shows.
#include <QClipboard>
#include <QHeaderView>
#include <QPlainTextEdit>

#include <algorithm>

#include "checklist/checklist_page.h"
#include "views/graph_models.h"
#include "views/gui_watchdog.h"
#include "support/time_budget.h"
#include "widgets/cards/empty_state.h"
#include "window/mode_rail.h"
#include "views/window_fixture.h"
#include "workbench/jobs/checklist.h"
#include "workbench/project/project.h"

namespace lapidary::views {
namespace {

class ChecklistTest : public WindowTest {
protected:
    ChecklistPage* page() const {
        return qobject_cast<ChecklistPage*>(window_->page(QStringLiteral("checklist")));
    }
    AdviceState stateOf(const char* id) const {
        for (const Advice& advice : workbench_->checklist().advice())
            if (advice.id == id) return advice.state;
        ADD_FAILURE() << "no check " << id;
        return AdviceState::unknown;
    }
    void openAndLook(const char* sample) {
        openSample(sample);
        window_->showPage(QStringLiteral("checklist"));
        ASSERT_TRUE(waitFor([&] {
            return page()->isSettled() && workbench_->checklist().advice().size() == 31 &&
                   !page()->rows().empty();
        }));
    }
    int badge() const { return find<RailButton>("rail_checklist")->badge(); }
};

TEST_F(ChecklistTest, SaysWhatToPressWhileNothingIsOpen) {
    window_->showPage(QStringLiteral("checklist"));
    auto* empty = page()->findChild<EmptyState*>();
    ASSERT_TRUE(empty && empty->isVisible());
    EXPECT_FALSE(empty->button()->text().isEmpty());
    EXPECT_EQ(badge(), 0);
}

TEST_F(ChecklistTest, PointsGoAwayAsTheyAreDone) {
    openAndLook("lenet");
    const int before = badge();
    EXPECT_GT(before, 2);
    EXPECT_EQ(page()->rows().front().state, AdviceState::worth_doing) << "what matters comes first";
    EXPECT_EQ(page()->rows().front().id, "runs");
    EXPECT_NE(stateOf("memory"), AdviceState::unknown);
    QTest::mouseClick(find<QPushButton>("doIt"), Qt::LeftButton);
    EXPECT_EQ(window_->currentPage(), QStringLiteral("run"));
    ASSERT_TRUE(waitFor([&] { return !workbench_->isRunning() && workbench_->run(); }));
    window_->showPage(QStringLiteral("checklist"));
    ASSERT_TRUE(waitFor([&] { return page()->isSettled(); }));
    EXPECT_EQ(stateOf("runs"), AdviceState::done);
    EXPECT_NE(stateOf("fallbacks"), AdviceState::unknown);
    EXPECT_EQ(find<TableView>("keptRuns")->model()->rowCount(), 1);
}

// In a window of usual size the finding of a check can be read without dragging columns.
TEST_F(ChecklistTest, FindingsHaveRoom) {
    window_->resize(1400, 900);
    openAndLook("bert-tiny");
    TableView* table = page()->table();
    QTest::qWait(50);
    const int finding = 3;
    EXPECT_GT(table->columnWidth(finding), table->viewport()->width() / 3);
    EXPECT_LE(table->header()->sectionPosition(finding) + table->columnWidth(finding),
              table->viewport()->width());
    int whole = 0, all = table->model()->rowCount();
    for (int row = 0; row < all; ++row) {
        const QModelIndex at = table->model()->index(row, finding);
        const QRect cell = table->visualRect(at);
        const QRect text = table->fontMetrics().boundingRect(
            QRect(0, 0, cell.width() - 8, 1000), Qt::TextWordWrap, at.data().toString());
        whole += text.height() <= cell.height();
    }
    EXPECT_GE(whole, all - 1) << "of " << all << " findings";
}

TEST_F(ChecklistTest, JudgesTheVariantInForceAndDropsWhatGainsNothing) {
    openAndLook("bert-tiny");
    app::Recipe recipe;
    recipe.level = Level::extended;
    EXPECT_EQ(stateOf("portability"), AdviceState::done) << "the original is plain ONNX";
    workbench_->useRecipe(recipe);
    ASSERT_TRUE(waitFor([&] {
        return workbench_->checklist().judged() == workbench_->variants().find(recipe) &&
               page()->isSettled() && !page()->rows().empty() &&
               stateOf("portability") == AdviceState::worth_doing;
    })) << "the variant has operators of com.microsoft";
    EXPECT_TRUE(
        find<QLabel>("checklistSummary")->text().contains(workbench_->checklist().judged()->name));
    const auto gainsNothing = [](const Advice& advice) {
        return advice.state == AdviceState::no_gain;
    };
    EXPECT_TRUE(std::ranges::none_of(page()->rows(), gainsNothing));
    const std::size_t few = page()->rows().size();
    find<QCheckBox>("showAllChecks")->click();
    EXPECT_GT(page()->rows().size(), few);
    EXPECT_TRUE(std::ranges::any_of(page()->rows(), gainsNothing));
}

TEST_F(ChecklistTest, LooksAtTheExport) {
    openAndLook("bert-tiny");
    EXPECT_EQ(stateOf("shape_arithmetic"), AdviceState::done) << "the level in force mends it";
    EXPECT_EQ(stateOf("training_nodes"), AdviceState::no_gain);
    const auto at = std::ranges::find(page()->rows(), "shape_arithmetic", &Advice::id);
    ASSERT_NE(at, page()->rows().end());
    EXPECT_FALSE(at->places.empty());
    const int row = int(at - page()->rows().begin()), title = 1;
    EXPECT_TRUE(page()
                    ->table()
                    ->model()
                    ->index(row, title)
                    .data()
                    .toString()
                    .startsWith(QStringLiteral("Export: ")));
}

TEST_F(ChecklistTest, RunsTheGuardItself) {
    openAndLook("lenet");
    app::Recipe recipe;
    recipe.level = Level::extended;
    workbench_->useRecipe(recipe);
    ASSERT_TRUE(waitFor([&] {
        const app::VariantPtr variant = workbench_->variants().find(recipe);
        return variant && workbench_->checklist().judged() == variant && page()->isSettled() &&
               !workbench_->checklist().advice().empty();
    }));
    ASSERT_EQ(stateOf("guard"), AdviceState::worth_doing);
    page()->act(QStringLiteral("guard"));
    ASSERT_TRUE(waitFor([&] { return !workbench_->project().guards().empty(); }));
    ASSERT_TRUE(waitFor([&] { return page()->isSettled(); }));
    EXPECT_EQ(stateOf("guard"), AdviceState::done);
}

TEST_F(ChecklistTest, FixesSizesAndUndoTakesThemBack) {
    openAndLook("bert-tiny");
    if (stateOf("dimensions") != AdviceState::worth_doing)
        GTEST_SKIP() << "the sample has no sizes to fix";
    page()->act(QStringLiteral("dimensions"));
    EXPECT_FALSE(workbench_->project().recipe().dimensions.empty());
    EXPECT_EQ(window_->currentPage(), QStringLiteral("optimize"));
    workbench_->project().undoStack().undo();
    EXPECT_TRUE(workbench_->project().recipe().dimensions.empty());
}

TEST_F(ChecklistTest, LeadsToQuantizingAndKeepsNotes) {
    openAndLook("bert-tiny");
    page()->act(QStringLiteral("quantize"));
    EXPECT_EQ(window_->currentPage(), QStringLiteral("quantize"));
    window_->showPage(QStringLiteral("checklist"));
    auto* notes = find<QPlainTextEdit>("projectNotes");
    find<QTabWidget>("keptTabs")->setCurrentWidget(notes);
    QTest::keyClicks(notes, QStringLiteral("slow on Tuesdays"));
    EXPECT_EQ(workbench_->project().notes(), QStringLiteral("slow on Tuesdays"));
    EXPECT_TRUE(window_->isWindowModified());
    command(QStringLiteral("Undo edit the notes"))->trigger();
    EXPECT_TRUE(notes->toPlainText().isEmpty());
}

TEST_F(ChecklistTest, AnswersWhileItLooks) {
    window_->showPage(QStringLiteral("checklist"));
    window_->grab();
    auto model = std::make_shared<const Model>(build_sample("bert-base"));
    GuiWatchdog watchdog;
    workbench_->adopt(model, QStringLiteral("bert-base"));
    ASSERT_TRUE(waitFor([&] { return page()->isSettled() && !page()->rows().empty(); }));
    EXPECT_LT(watchdog.stop().held_ms, 50 * wall_factor);
}

}  // namespace
}  // namespace lapidary::views
