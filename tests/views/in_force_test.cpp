// SPDX-License-Identifier: Apache-2.0
// One variant in force: a card of a level, the toolbar's menu, the Variants dock and undo choose the same thing, and
// all of them mark it alike.
#include <QMenu>
#include <QToolButton>
#include <QTreeView>

#include "optimize/pass_list_panel.h"
#include "optimize_fixture.h"
#include "workbench/project.h"
#include "workbench/tuning.h"

namespace lapidary::views {
namespace {

class InForceTest : public OptimizeTest {
protected:
    QString chip() const { return find<QToolButton>("variantChip")->text(); }
    Level inForce() const { return workbench_->recipeInForce().level; }
    /// The one of the Variants dock with the tick; its name is in bold letters and no other's is.
    QString boldInDock() const {
        const QAbstractItemModel* rows = find<QTreeView>("variantsPanel")->model();
        const QModelIndex model = rows->index(0, 0);
        QStringList bold;
        for (int row = 0; row < rows->rowCount(model); ++row) {
            const QModelIndex at = rows->index(row, 0, model);
            if (at.data(Qt::FontRole).value<QFont>().weight() > QFont::Normal) bold << at.data().toString();
        }
        return bold.join(u'|');
    }
    void marksAgree(Level level) {
        for (const Level other : {Level::disabled, Level::basic, Level::extended, Level::all}) {
            EXPECT_EQ(cards()->card(other)->isInForce(), other == level) << int(other);
            if (other == level) { EXPECT_EQ(cards()->card(other)->markText(), QStringLiteral("in force")); }
        }
        EXPECT_TRUE(chip().startsWith(app::nameOf(level))) << chip().toStdString();
        EXPECT_TRUE(boldInDock().endsWith(app::nameOf(level))) << boldInDock().toStdString();
        EXPECT_EQ(workbench_->tuning().measuredName(), app::nameOf(level));
    }
};

TEST_F(InForceTest, AnOpenedModelIsInForceAndALevelIsPreviewed) {
    openAndOptimize("bert-tiny");
    EXPECT_TRUE(workbench_->recipeInForce().isOriginal());
    marksAgree(Level::disabled);
    EXPECT_EQ(cards()->card(Level::extended)->markText(), QStringLiteral("preview"));
    EXPECT_TRUE(cards()->card(Level::extended)->toolTip().contains(QStringLiteral("Press it to put it in force")));
}

TEST_F(InForceTest, PressingACardPutsItInForceAndUndoTakesItBack) {
    openAndOptimize("bert-tiny");
    QTest::mouseClick(cards()->card(Level::extended), Qt::LeftButton);  // the one that is drawn already
    ASSERT_TRUE(settled());
    marksAgree(Level::extended);
    QTest::mouseClick(cards()->card(Level::basic), Qt::LeftButton);
    ASSERT_TRUE(settled());
    marksAgree(Level::basic);
    EXPECT_EQ(page()->variant(), workbench_->document()->variant) << "what is drawn is what is in force";
    command(QStringLiteral("Undo choose Basic"))->trigger();
    ASSERT_TRUE(settled());
    marksAgree(Level::extended);
    EXPECT_EQ(page()->recipe().level, Level::extended);
    command(QStringLiteral("Undo choose Extended"))->trigger();
    ASSERT_TRUE(settled());
    marksAgree(Level::disabled);
    EXPECT_EQ(page()->recipe().level, Level::extended) << "drawn before it was chosen, and again";
    workbench_->project().undoStack().redo();
    ASSERT_TRUE(settled());
    marksAgree(Level::extended);
}

TEST_F(InForceTest, TheOriginalCanBeChosenAgain) {
    openAndOptimize("mlp");
    QTest::mouseClick(cards()->card(Level::all), Qt::LeftButton);
    ASSERT_TRUE(settled());
    QTest::mouseClick(cards()->card(Level::disabled), Qt::LeftButton);
    ASSERT_TRUE(settled());
    EXPECT_EQ(workbench_->document(), workbench_->opened());
    marksAgree(Level::disabled);
}

TEST_F(InForceTest, ASwitchedPassOfTheVariantInForceIsInForceToo) {
    openAndOptimize("bert-tiny");
    QTest::mouseClick(cards()->card(Level::extended), Qt::LeftButton);
    ASSERT_TRUE(settled());
    const auto& passes = page()->variant()->report.passes;
    const auto used = std::ranges::find_if(
        passes, [](const PassRun& p) { return p.applied > 0 && p.level == Level::extended; });
    ASSERT_NE(used, passes.end());
    const std::string name = used->pass;
    auto* list = find<PassListPanel>("passListPanel");
    list->model().setData(list->model().indexOf(name), Qt::Unchecked, Qt::CheckStateRole);
    ASSERT_TRUE(settled());
    EXPECT_EQ(workbench_->recipeInForce().disabled_passes, std::vector<std::string>{name});
    EXPECT_TRUE(cards()->card(Level::extended)->isInForce());
    command(QStringLiteral("Undo switch %1 off").arg(QString::fromStdString(name)))->trigger();
    ASSERT_TRUE(settled());
    marksAgree(Level::extended);
}

TEST_F(InForceTest, TheToolbarChoosesForTheOptimizePageToo) {
    openAndOptimize("bert-tiny");
    auto* button = find<QToolButton>("variantChip");
    emit button->menu()->aboutToShow();
    for (QAction* action : button->menu()->actions())
        if (action->text().startsWith(QStringLiteral("All"))) action->trigger();
    ASSERT_TRUE(settled());
    marksAgree(Level::all);
    EXPECT_EQ(page()->recipe().level, Level::all);
    EXPECT_TRUE(cards()->card(Level::all)->isChecked());
    workbench_->project().undoStack().undo();
    ASSERT_TRUE(settled());
    marksAgree(Level::disabled);
    EXPECT_EQ(page()->recipe().level, Level::extended);
}

TEST_F(InForceTest, LettersAreThoseOfTheSlotsEverywhere) {
    openAndOptimize("bert-tiny");
    app::Recipe basic;
    basic.level = Level::basic;
    workbench_->project().setSlot(app::Slot::B, workbench_->variants().find(basic));
    EXPECT_TRUE(cards()->card(Level::disabled)->accessibleDescription().endsWith(QStringLiteral("A")));
    EXPECT_TRUE(cards()->card(Level::basic)->accessibleDescription().endsWith(QStringLiteral("B")));
    EXPECT_TRUE(chip().endsWith(QStringLiteral("A"))) << chip().toStdString();
}

}  // namespace
}  // namespace lapidary::views
