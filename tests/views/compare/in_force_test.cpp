// SPDX-License-Identifier: Apache-2.0
// One variant in force: a card of a level, the toolbar's menu, the Variants dock and undo choose
// the same thing, and all of them mark it alike.
#include <QMenu>
#include <QToolButton>
#include <QTreeView>

#include "optimize/pass_list_panel.h"
#include "views/optimize/optimize_fixture.h"
#include "workbench/project/project.h"
#include "workbench/tuning/tuning.h"

namespace lapidary::views {
namespace {

class InForceTest : public OptimizeTest {
protected:
    QString chip() const { return find<QToolButton>("variantChip")->text(); }
    /// The one of the Variants dock with the tick; its name is in bold letters and no other's is.
    QString boldInDock() const {
        const QAbstractItemModel* rows = find<QTreeView>("variantsPanel")->model();
        const QModelIndex model = rows->index(0, 0);
        QStringList bold;
        for (int row = 0; row < rows->rowCount(model); ++row) {
            const QModelIndex at = rows->index(row, 0, model);
            if (at.data(Qt::FontRole).value<QFont>().weight() > QFont::Normal)
                bold << at.data().toString();
        }
        return bold.join(u'|');
    }
    /// Nothing: of the model as it was opened.
    void marksAgree(std::optional<Level> level) {
        for (const std::optional<Level> other :
             {std::optional<Level>(), std::optional(Level::disabled), std::optional(Level::basic),
              std::optional(Level::extended), std::optional(Level::all)}) {
            const LevelCard* card = cards()->card(other);
            EXPECT_EQ(card->isInForce(), other == level) << card->text().toStdString();
            if (other == level) { EXPECT_EQ(card->markText(), QStringLiteral("in force")); }
        }
        app::Recipe recipe;
        recipe.level = level;
        EXPECT_TRUE(chip().startsWith(app::runNameOf(recipe))) << chip().toStdString();
        EXPECT_TRUE(boldInDock().endsWith(app::nameOf(recipe))) << boldInDock().toStdString();
        EXPECT_EQ(workbench_->tuning().measuredName(), app::nameOf(recipe.runLevel()))
            << "what runs has a level";
    }
};

TEST_F(InForceTest, AnOpenedModelIsInForceAndALevelIsPreviewed) {
    openAndOptimize("bert-tiny");
    EXPECT_TRUE(workbench_->recipeInForce().isOriginal());
    marksAgree(std::nullopt);
    EXPECT_EQ(cards()->card(std::nullopt)->timeText(), QStringLiteral("runs at level All"));
    EXPECT_EQ(cards()->card(Level::extended)->markText(), QStringLiteral("preview"));
    EXPECT_TRUE(cards()
                    ->card(Level::extended)
                    ->toolTip()
                    .contains(QStringLiteral("Press it to put it in force")));
}

TEST_F(InForceTest, PressingACardPutsItInForceAndUndoTakesItBack) {
    openAndOptimize("bert-tiny");
    // the one that is drawn already
    QTest::mouseClick(cards()->card(Level::extended), Qt::LeftButton);
    ASSERT_TRUE(settled());
    marksAgree(Level::extended);
    QTest::mouseClick(cards()->card(Level::basic), Qt::LeftButton);
    ASSERT_TRUE(settled());
    marksAgree(Level::basic);
    EXPECT_EQ(page()->variant(), workbench_->document()->variant)
        << "what is drawn is what is in force";
    command(QStringLiteral("Undo choose Basic"))->trigger();
    ASSERT_TRUE(settled());
    marksAgree(Level::extended);
    EXPECT_EQ(page()->recipe().level, Level::extended);
    command(QStringLiteral("Undo choose Extended"))->trigger();
    ASSERT_TRUE(settled());
    marksAgree(std::nullopt);
    EXPECT_EQ(page()->recipe().level, Level::extended) << "drawn before it was chosen, and again";
    workbench_->project().undoStack().redo();
    ASSERT_TRUE(settled());
    marksAgree(Level::extended);
}

TEST_F(InForceTest, TheOriginalCanBeChosenAgain) {
    openAndOptimize("mlp");
    QTest::mouseClick(cards()->card(Level::all), Qt::LeftButton);
    ASSERT_TRUE(settled());
    QTest::mouseClick(cards()->card(std::nullopt), Qt::LeftButton);
    ASSERT_TRUE(settled());
    EXPECT_EQ(workbench_->document(), workbench_->opened());
    marksAgree(std::nullopt);
}

TEST_F(InForceTest, DisabledIsAVariantOfItsOwn) {
    openAndOptimize("bert-tiny");
    QTest::mouseClick(cards()->card(Level::disabled), Qt::LeftButton);
    ASSERT_TRUE(settled());
    ASSERT_TRUE(workbench_->document()->variant);
    marksAgree(Level::disabled);
    const app::VariantPtr variant = workbench_->document()->variant;
    ASSERT_EQ(variant->rewrites(), 1u)
        << "the level makes constants of Constant nodes and leaves the rest as it is";
    EXPECT_EQ(variant->report.rewrites.front().rewrite.pass, "lift_constants");
    const auto namesOf = [](const Model& model) {
        std::vector<std::string> names;
        for (const NodeId id : model.graph.nodes())
            if (const Node& node = model.graph.node(id); node.op_type != "Constant")
                names.push_back(node.op_type + ' ' + node.name);
        return names;
    };
    EXPECT_EQ(namesOf(*variant->model), namesOf(*workbench_->opened()->model));
    EXPECT_EQ(variant->nodes(), namesOf(*variant->model).size()) << "no Constant node is left";
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
    marksAgree(std::nullopt);
    EXPECT_EQ(page()->recipe().level, Level::extended);
}

TEST_F(InForceTest, LettersAreThoseOfTheSlotsEverywhere) {
    openAndOptimize("bert-tiny");
    app::Recipe basic;
    basic.level = Level::basic;
    workbench_->project().setSlot(app::Slot::B, workbench_->variants().find(basic));
    EXPECT_TRUE(
        cards()->card(Level::disabled)->accessibleDescription().endsWith(QStringLiteral("A")));
    EXPECT_TRUE(cards()->card(Level::basic)->accessibleDescription().endsWith(QStringLiteral("B")));
    EXPECT_FALSE(chip().endsWith(QStringLiteral("A")))
        << "what is compared runs: the original does not";
}

}  // namespace
}  // namespace lapidary::views
