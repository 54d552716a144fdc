// SPDX-License-Identifier: Apache-2.0
// The Optimize page over an edited model, and with rules of the user.
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeView>

#include <fstream>

#include <lapidary/export/passport.h>
#include <lapidary/onnx_io/model_io.h>

#include "optimize/change_panel.h"
#include "optimize/export_dialog.h"
#include "optimize/pass_list_panel.h"
#include "optimize/recipe_editor.h"
#include "optimize_fixture.h"
#include "support/test_data.h"
#include "workbench/jobs/quantizing.h"

namespace lapidary::views {
namespace {

class OptimizeEditedTest : public OptimizeTest {
protected:
    void edit(const std::string& script) {
        app::Recipe recipe;
        recipe.edits = script;
        workbench_->choose(recipe, QStringLiteral("edit the model"));
        ASSERT_TRUE(waitFor([&] { return workbench_->recipeInForce() == recipe; }));
        ASSERT_TRUE(optimized());
    }
    std::string rules(const std::string& text) {
        const std::string path = (folder_ / "my.rules").string();
        std::ofstream(path) << text;
        return path;
    }
    PassListPanel* passes() { return find<PassListPanel>("passListPanel"); }
    TemporaryFolder folder_;
};

TEST_F(OptimizeEditedTest, LevelsApplyToTheEditedModel) {
    openAndOptimize("mlp");
    edit("delete op:Relu\n");
    const app::VariantPtr edited = workbench_->variants().find(workbench_->recipeInForce());
    ASSERT_TRUE(edited);
    EXPECT_EQ(edited->report.rewrites.size(), 1u) << "its line";
    EXPECT_TRUE(waitFor([&] { return page()->variant() == edited; }));
    EXPECT_EQ(page()->stepBar()->steps(), 1);

    QTest::mouseClick(cards()->card(Level::extended), Qt::LeftButton);
    ASSERT_TRUE(settled());
    const app::VariantPtr level = page()->variant();
    EXPECT_EQ(level->recipe.edits, "delete op:Relu\n");
    EXPECT_EQ(level->recipe.level, Level::extended);
    EXPECT_EQ(level->parent, edited);
    ASSERT_TRUE(waitFor([&] { return workbench_->recipeInForce() == level->recipe; }));

    passes()->model().setData(passes()->model().indexOf("fuse_matmul_add"), Qt::Unchecked,
                              Qt::CheckStateRole);
    ASSERT_TRUE(settled());
    EXPECT_EQ(page()->variant()->recipe.edits, "delete op:Relu\n");
    EXPECT_FALSE(page()->variant()->recipe.disabled_passes.empty());
    find<QPushButton>("defaultPasses")->click();
    ASSERT_TRUE(settled());
    EXPECT_EQ(page()->variant(), level);

    QTest::mouseClick(cards()->card(std::nullopt), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return workbench_->recipeInForce() == edited->recipe; }));
    EXPECT_EQ(cards()->card(std::nullopt)->state(), LevelCard::State::Ready);
    workbench_->choose({}, QStringLiteral("the original"));
    ASSERT_TRUE(waitFor([&] { return workbench_->recipeInForce().isOriginal(); }));
    EXPECT_TRUE(page()->recipe().edits.empty());
}

TEST_F(OptimizeEditedTest, LinesAfterALevelAreItsLastStepsAndBelongToIt) {
    openAndOptimize("mlp");
    app::Recipe recipe = app::Recipe::plain(Level::extended);
    const app::VariantPtr plain = workbench_->variants().find(recipe);
    recipe.edits_after = "set op:FusedGemm.activation = Tanh\nrename node * -> late/*\n";
    workbench_->choose(recipe, QStringLiteral("edit what the level makes"));
    ASSERT_TRUE(waitFor([&] { return workbench_->recipeInForce() == recipe; }));
    ASSERT_TRUE(waitFor([&] { return page()->variant() && page()->variant()->recipe == recipe; }));
    const app::VariantPtr made = page()->variant();
    ASSERT_TRUE(plain);
    EXPECT_EQ(made->rewrites(), plain->rewrites() + 2);
    EXPECT_EQ(made->parent, workbench_->variants().original());
    const int passed = int(plain->rewrites());
    const app::Recipe first = recipeAtStep(recipe, passed + 1, passed + 2);
    EXPECT_EQ(first.edits_after, "set op:FusedGemm.activation = Tanh\n");
    EXPECT_FALSE(first.stop_after);
    const app::Recipe before = recipeAtStep(recipe, passed - 1, passed + 2);
    EXPECT_TRUE(before.edits_after.empty());
    EXPECT_EQ(before.stop_after, std::size_t(passed - 1));

    ExportDialog dialog(*workbench_, recipe, window_.get());
    EXPECT_TRUE(dialog.command().contains(QStringLiteral("--edit-after")));
    const QString file = QString::fromStdString((folder_ / "late.onnx").string());
    dialog.setPath(file);
    QSignalSpy saved(&dialog, &ExportDialog::saved);
    dialog.save();
    ASSERT_TRUE(waitFor([&] { return saved.count() > 0; }));
    const Model written = load_model(file.toStdString());
    ASSERT_TRUE(passport_of(written));
    EXPECT_EQ(passport_of(written)->edits_after, recipe.edits_after);

    QTest::mouseClick(cards()->card(Level::basic), Qt::LeftButton);
    ASSERT_TRUE(
        waitFor([&] { return workbench_->recipeInForce() == app::Recipe::plain(Level::basic); }));
}

TEST_F(OptimizeEditedTest, WhatIsExportedHasTheEdits) {
    openAndOptimize("mlp");
    edit("delete op:Relu\n");
    QTest::mouseClick(cards()->card(Level::basic), Qt::LeftButton);
    ASSERT_TRUE(settled());
    ExportDialog dialog(*workbench_, page()->variant()->recipe, window_.get());
    EXPECT_TRUE(dialog.command().contains(QStringLiteral("edit"))) << qPrintable(dialog.command());
    const QString file = QString::fromStdString((folder_ / "out.onnx").string());
    dialog.setPath(file);
    QSignalSpy saved(&dialog, &ExportDialog::saved);
    dialog.save();
    ASSERT_TRUE(waitFor([&] { return saved.count() > 0; }));
    const Model written = load_model(file.toStdString());
    ASSERT_TRUE(passport_of(written));
    EXPECT_EQ(passport_of(written)->edits, "delete op:Relu\n");
    for (const NodeId id : written.graph.nodes()) EXPECT_NE(written.graph.node(id).op_type, "Relu");
}

TEST_F(OptimizeEditedTest, TheEditedModelIsWhatIsQuantized) {
    openAndOptimize("mlp");
    edit("delete op:Relu\n");
    app::Quantizing& quantizing = workbench_->quantizing();
    app::QuantizeChoice choice = quantizing.choice();
    choice.method = app::QuantizeMethod::weights8;
    choice.budgetSeconds = 0.001;  // the first recipe
    choice.measureSeconds = 0;
    quantizing.setChoice(choice);
    quantizing.start();
    ASSERT_TRUE(waitFor([&] { return !quantizing.isRunning() && quantizing.variant(); }));
    const app::VariantPtr quantized = quantizing.variant();
    EXPECT_EQ(quantized->recipe.edits, "delete op:Relu\n");
    EXPECT_TRUE(quantizing.commandLine().contains(QStringLiteral("edit")));
    for (const NodeId id : quantized->model->graph.nodes())
        EXPECT_NE(quantized->model->graph.node(id).op_type, "Relu");
}

TEST_F(OptimizeEditedTest, RulesAreAddedSwitchedAndTakenAway) {
    openAndOptimize("mlp");
    const std::string path =
        rules("rule larger \"not below 0\"\nmatch\n  y = Relu(x)\nreplace\n  y = Max(x, 0)\n");
    page()->addRules(QString::fromStdString(path));
    ASSERT_TRUE(settled());
    ASSERT_EQ(page()->recipe().rules.size(), 1u);
    PassModel& model = passes()->model();
    const QModelIndex rule = model.indexOf("user:larger");
    ASSERT_TRUE(rule.isValid());
    EXPECT_EQ(rule.parent().row(), 1) << "behind what always runs";
    EXPECT_NE(rule.siblingAtColumn(PassModel::Applied).data().toString(), QStringLiteral("0"));
    const QModelIndex other = model.indexOf("fuse_matmul_add");
    EXPECT_EQ(model.passAt(other)->name, "fuse_matmul_add");
    auto* changes = find<ChangePanel>("changePanel");
    EXPECT_TRUE(changes->model().indexOfPass("user:larger").isValid());

    model.setData(rule, Qt::Unchecked, Qt::CheckStateRole);
    ASSERT_TRUE(settled());
    EXPECT_FALSE(changes->model().indexOfPass("user:larger").isValid());
    auto* menu = find<QMenu>("passRulesMenu");
    ASSERT_EQ(menu->actions().size(), 2);
    menu->actions()[1]->trigger();
    ASSERT_TRUE(waitFor([&] { return page()->recipe().rules.empty(); }));
    ASSERT_TRUE(settled());
    EXPECT_EQ(menu->actions().size(), 1);
    EXPECT_TRUE(page()->recipe().disabled_passes.empty());
    EXPECT_FALSE(model.indexOf("user:larger").isValid());
}

TEST_F(OptimizeEditedTest, AMistakeInRulesIsShown) {
    openAndOptimize("mlp");
    page()->addRules(QString::fromStdString(rules("rule a\nmatch\n")));
    EXPECT_TRUE(page()->recipe().rules.empty());
    EXPECT_TRUE(find<QLabel>("passDetails")->text().contains(QStringLiteral("my.rules")))
        << qPrintable(find<QLabel>("passDetails")->text());
}

}  // namespace
}  // namespace lapidary::views
