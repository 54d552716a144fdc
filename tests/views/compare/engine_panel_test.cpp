// SPDX-License-Identifier: Apache-2.0
// Two engines node by node on the Compare page: compared, a node shown, cancelled, refused.
#include <QComboBox>
#include <QPushButton>

#include "compare/compare_page.h"
#include "compare/engine_panel.h"
#include "views/window_fixture.h"
#include "widgets/cards/message_banner.h"

namespace lapidary::views {
namespace {

class EnginePanelTest : public WindowTest {
protected:
    EnginePanel* panel() const { return find<EnginePanel>("enginePanel"); }
    /// This program at two of its levels.
    void openAndChoose() {
        openSample("lenet");
        ASSERT_TRUE(waitFor([&] { return workbench_->jobs().jobs().isEmpty(); }));
        window_->showPage(QStringLiteral("compare"));
        find<QComboBox>("engineA")->setCurrentIndex(1);
        find<QComboBox>("engineB")->setCurrentIndex(0);
        panel()->setPairs(3);
    }
};

TEST_F(EnginePanelTest, ComparesTwoLevelsAndShowsANode) {
    auto* start = find<QPushButton>("compareEngines");
    EXPECT_FALSE(start->isEnabled()) << "nothing is open";
    ASSERT_NO_FATAL_FAILURE(openAndChoose());
    ASSERT_TRUE(start->isEnabled());
    start->click();
    EXPECT_TRUE(panel()->isRunning());
    EXPECT_FALSE(start->isEnabled());
    ASSERT_TRUE(waitFor([&] { return !panel()->isRunning(); }));
    EXPECT_TRUE(start->isEnabled());
    EXPECT_FALSE(panel()->verdict().isEmpty()) << panel()->banner()->text().toStdString();
    EXPECT_TRUE(find<QLabel>("engineSides")->text().contains(QStringLiteral("3 pairs")));
    const auto& rows = panel()->groups();
    ASSERT_GT(rows.rowCount(), 3);
    int row = 0;
    while (row < rows.rowCount() && rows.row(row).nodes.size() < 2) ++row;
    ASSERT_LT(row, rows.rowCount()) << "Conv and Relu are one kernel at level all";
    EXPECT_TRUE(rows.index(row, 0).data().toString().contains(QStringLiteral(" more")));
    EXPECT_FALSE(rows.index(row, 7).data().toString().isEmpty());
    auto* table = find<TableView>("engineTimes");
    emit table->activated(table->model()->index(row, 0));
    EXPECT_TRUE(bool(workbench_->focus().node));
    EXPECT_EQ(window_->currentPage(), QStringLiteral("graph"));
    workbench_->closeModel();
    ASSERT_TRUE(waitFor([&] { return !workbench_->opened(); }));
    EXPECT_EQ(rows.rowCount(), 0);
    EXPECT_TRUE(panel()->verdict().isEmpty());
}

TEST_F(EnginePanelTest, ACancelEndsIt) {
    ASSERT_NO_FATAL_FAILURE(openAndChoose());
    panel()->setPairs(500);
    panel()->start();
    ASSERT_TRUE(panel()->isRunning());
    emit panel()->banner()->cancelRequested();
    ASSERT_TRUE(waitFor([&] { return !panel()->isRunning(); }));
    EXPECT_TRUE(panel()->verdict().isEmpty());
    EXPECT_TRUE(panel()->banner()->isHidden());
}

TEST_F(EnginePanelTest, AnEngineThatIsNotThereIsRefusedWithItsPlace) {
    ASSERT_NO_FATAL_FAILURE(openAndChoose());
    panel()->addOther(QStringLiteral("/nowhere/at/all"));
    EXPECT_TRUE(
        find<QComboBox>("engineB")->currentText().contains(QStringLiteral("/nowhere/at/all")));
    const int offered = find<QComboBox>("engineB")->count();
    panel()->addOther(QStringLiteral("/nowhere/at/all"));
    EXPECT_EQ(find<QComboBox>("engineB")->count(), offered) << "offered once";
    panel()->start();
    ASSERT_TRUE(waitFor([&] { return !panel()->isRunning(); }));
    EXPECT_EQ(panel()->banner()->kind(), MessageBanner::Kind::error);
    EXPECT_TRUE(panel()->banner()->text().contains(QStringLiteral("/nowhere/at/all")))
        << panel()->banner()->text().toStdString();
}

}  // namespace
}  // namespace lapidary::views
