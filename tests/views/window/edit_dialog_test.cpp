// SPDX-License-Identifier: Apache-2.0
// The Edit dialog: lines are tried while they are written, and become a variant.
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>
#include <QTreeWidget>

#include <gtest/gtest.h>

#include <lapidary/edit/edit_verbs.h>

#include "graph/forms/edit_form_dialog.h"
#include "views/window_fixture.h"
#include "window/dialogs/edit_dialog.h"

namespace lapidary::views {
namespace {

class EditDialogTest : public WindowTest {
protected:
    EditDialog& open() {
        dialog_ = new EditDialog(*workbench_, window_.get());  // which deletes it
        dialog_->show();
        return *dialog_;
    }
    QPushButton* make() { return dialog_->findChild<QPushButton*>(QStringLiteral("editMake")); }
    void write(const QString& script) {
        dialog_->setScript(script);
        ASSERT_TRUE(waitFor([&] { return !dialog_->isChecking(); }));
    }
    EditDialog* dialog_ = nullptr;
};

TEST_F(EditDialogTest, LinesAreTriedAndBecomeAVariant) {
    openSample("mlp");
    EditDialog& dialog = open();
    EXPECT_FALSE(make()->isEnabled());
    write(QStringLiteral("delete op:Relu\n"));
    ASSERT_TRUE(make()->isEnabled()) << dialog.sentence().toStdString();
    ASSERT_EQ(dialog.effects()->topLevelItemCount(), 1);
    const std::size_t before = workbench_->opened()->model->graph.node_count();
    dialog.makeVariant();
    ASSERT_TRUE(waitFor([&] {
        const auto document = workbench_->document();
        return document && document->variant && !document->variant->recipe.edits.empty();
    }));
    EXPECT_LT(workbench_->document()->model->graph.node_count(), before);
    EXPECT_EQ(workbench_->opened()->model->graph.node_count(), before);
}

// The edits come first; level and switched passes stay as they are.
TEST_F(EditDialogTest, TheVariantKeepsTheLevelInForce) {
    openSample("mlp");
    open();
    EXPECT_EQ(dialog_->findChild<QLabel*>(QStringLiteral("editKept")), nullptr)
        << "nothing is in force but the model as opened";
    dialog_->reject();
    app::Recipe leveled = app::Recipe::plain(Level::extended);
    leveled.disabled_passes = {"fuse_matmul_add"};
    workbench_->useRecipe(leveled);
    ASSERT_TRUE(waitFor([&] { return workbench_->recipeInForce() == leveled; }));
    EditDialog& dialog = open();
    const auto* kept = dialog.findChild<QLabel*>(QStringLiteral("editKept"));
    ASSERT_NE(kept, nullptr);
    EXPECT_TRUE(kept->text().contains(QStringLiteral("Extended without fuse_matmul_add")))
        << kept->text().toStdString();
    write(QStringLiteral("delete op:Relu\n"));
    ASSERT_TRUE(make()->isEnabled()) << dialog.sentence().toStdString();
    const QString command =
        dialog.findChild<QPlainTextEdit*>(QStringLiteral("editCommand"))->toPlainText();
    EXPECT_TRUE(command.contains(QStringLiteral("--level extended"))) << command.toStdString();
    dialog.makeVariant();
    leveled.edits = "delete op:Relu\n";
    EXPECT_TRUE(waitFor([&] { return workbench_->recipeInForce() == leveled; }));
}

TEST_F(EditDialogTest, WhatCannotBeDoneIsSaidAndMakesNothing) {
    openSample("mlp");
    EditDialog& dialog = open();
    write(QStringLiteral("delete NoSuchNode\n"));
    EXPECT_FALSE(make()->isEnabled());
    EXPECT_TRUE(dialog.sentence().contains(QStringLiteral("NoSuchNode")))
        << dialog.sentence().toStdString();
    write(QStringLiteral("remove everything\n"));
    EXPECT_FALSE(make()->isEnabled());
    EXPECT_FALSE(dialog.sentence().isEmpty());
}

TEST_F(EditDialogTest, AnInvalidModelIsMadeWhereThatIsWanted) {
    openSample("mlp");
    EditDialog& dialog = open();
    auto* keep = dialog.findChild<QCheckBox*>(QStringLiteral("editKeep"));
    ASSERT_NE(keep, nullptr);
    write(QStringLiteral("delete op:Relu\n"));
    EXPECT_TRUE(keep->isHidden());
    write(QStringLiteral("insert Cast(to=int64) after /layers.2/Gemm\n"));
    EXPECT_FALSE(keep->isHidden()) << dialog.sentence().toStdString();
    EXPECT_FALSE(make()->isEnabled());
    const QString sentence = dialog.sentence();
    keep->setChecked(true);
    EXPECT_TRUE(make()->isEnabled());
    EXPECT_EQ(dialog.sentence(), sentence) << "it still says what is invalid";
    dialog.makeVariant();
    EXPECT_TRUE(waitFor([&] { return !workbench_->recipeInForce().edits.empty(); }));
}

TEST_F(EditDialogTest, FormsAreFoundAndWritten) {
    openSample("mlp");
    EditDialog& dialog = open();
    auto* forms = dialog.findChild<QTreeWidget*>(QStringLiteral("editForms"));
    dialog.findChild<QLineEdit*>(QStringLiteral("editFilter"))->setText(QStringLiteral("rename"));
    int shown = 0;
    for (int i = 0; i < forms->topLevelItemCount(); ++i)
        shown += forms->topLevelItem(i)->isHidden() ? 0 : 1;
    EXPECT_GE(shown, 1);
    EXPECT_LT(shown, forms->topLevelItemCount());
    dialog.insertForm(QStringLiteral("opset VERSION"));
    EXPECT_EQ(dialog.script(), QStringLiteral("opset VERSION"));
}

/// Texts of the rows that are shown: edits, or the groups between them, which cannot be chosen.
QStringList shownRows(const QTreeWidget& forms, bool groups) {
    QStringList texts;
    for (int i = 0; i < forms.topLevelItemCount(); ++i)
        if (const QTreeWidgetItem* row = forms.topLevelItem(i);
            !row->isHidden() && (row->flags() == Qt::NoItemFlags) == groups)
            texts << row->text(0);
    return texts;
}

TEST_F(EditDialogTest, EditsAreInGroups) {
    openSample("mlp");
    EditDialog& dialog = open();
    auto* forms = dialog.findChild<QTreeWidget*>(QStringLiteral("editForms"));
    auto* filter = dialog.findChild<QLineEdit*>(QStringLiteral("editFilter"));
    EXPECT_EQ(std::size_t(shownRows(*forms, false).size()), edit_verbs().size());
    EXPECT_EQ(shownRows(*forms, true).size(), 7);
    QTest::keyClick(filter, Qt::Key_Down);
    ASSERT_NE(forms->currentItem(), nullptr);
    EXPECT_TRUE(forms->currentItem()->text(0).startsWith(QStringLiteral("delete ")))
        << "the row of a group was chosen";

    filter->setText(QStringLiteral("transpose"));
    EXPECT_EQ(shownRows(*forms, true), QStringList{QStringLiteral("Weights and element types")});
    filter->setText(QStringLiteral("no edit has this"));
    EXPECT_TRUE(shownRows(*forms, true).isEmpty());
    filter->clear();
    EXPECT_EQ(shownRows(*forms, true).size(), 7);
}

TEST_F(EditDialogTest, KeysGoFromTheSearchFieldToTheForms) {
    openSample("mlp");
    EditDialog& dialog = open();
    auto* forms = dialog.findChild<QTreeWidget*>(QStringLiteral("editForms"));
    auto* filter = dialog.findChild<QLineEdit*>(QStringLiteral("editFilter"));
    filter->setText(QStringLiteral("order"));
    ASSERT_NE(forms->currentItem(), nullptr);
    EXPECT_TRUE(forms->currentItem()->text(0).startsWith(QStringLiteral("order ")));
    QTest::keyClick(filter, Qt::Key_Down);
    EXPECT_EQ(dialog.focusWidget(), forms);
    EXPECT_EQ(dialog.findChild<EditFormDialog*>(), nullptr);
    QTest::keyClick(filter, Qt::Key_Return);
    EXPECT_NE(dialog.findChild<EditFormDialog*>(), nullptr);
}

TEST_F(EditDialogTest, AFormOpensAndItsLineIsAppended) {
    openSample("mlp");
    EditDialog& dialog = open();
    write(QStringLiteral("opset 18"));
    dialog.openForm(QStringLiteral("delete NODES [bridge|cut]"));
    auto* form = dialog.findChild<EditFormDialog*>();
    ASSERT_NE(form, nullptr);
    form->findChild<PlaceField*>(QStringLiteral("place_NODES"))->setWord(QStringLiteral("op:Relu"));
    ASSERT_TRUE(waitFor([&] { return form->canApply(); })) << form->sentence().toStdString();
    form->accept();
    EXPECT_EQ(dialog.script(), QStringLiteral("opset 18\ndelete op:Relu"));
}

TEST_F(EditDialogTest, TheLineAtFaultIsMarked) {
    openSample("mlp");
    open();
    auto* script = dialog_->findChild<QPlainTextEdit*>(QStringLiteral("editScript"));
    write(QStringLiteral("opset 18\n\ndelete NoSuchNode\n"));
    ASSERT_EQ(script->extraSelections().size(), 1);
    EXPECT_EQ(script->extraSelections().front().cursor.blockNumber(), 2);
    EXPECT_TRUE(waitFor([&] { return dialog_->effects()->topLevelItemCount() == 1; }))
        << "what the line before does is still there";
    write(QStringLiteral("opset 18\n"));
    EXPECT_TRUE(script->extraSelections().isEmpty());
}

// Escape and Close lose no line.
TEST_F(EditDialogTest, LinesThatBecameNoVariantAreThereAgain) {
    openSample("mlp");
    open();
    write(QStringLiteral("opset 13\n"));
    dialog_->reject();
    EditDialog& again = open();
    EXPECT_EQ(again.script().trimmed(), QStringLiteral("opset 13"));
    ASSERT_TRUE(waitFor([&] { return make()->isEnabled(); }));
    EXPECT_FALSE(make()->autoDefault());
}

// Lines for what the level makes have a script of their own, beside those before it.
TEST_F(EditDialogTest, LinesAreForWhatTheLevelMakesToo) {
    openSample("mlp");
    workbench_->choose(app::Recipe::plain(Level::extended), QStringLiteral("a level"));
    ASSERT_TRUE(waitFor([&] { return workbench_->recipeInForce().level == Level::extended; }));
    EditDialog& dialog = open();
    write(QStringLiteral("opset 21"));
    dialog.setAfterLevel(true);
    EXPECT_TRUE(dialog.script().isEmpty());
    write(QStringLiteral("delete op:Relu\n"));
    EXPECT_FALSE(make()->isEnabled()) << "the level fused it";
    write(QStringLiteral("set op:FusedGemm.activation = Tanh\n"));
    ASSERT_TRUE(make()->isEnabled()) << dialog.sentence().toStdString();
    dialog.setAfterLevel(false);
    EXPECT_EQ(dialog.script(), QStringLiteral("opset 21"));
    dialog.setAfterLevel(true);
    ASSERT_TRUE(waitFor([&] { return make()->isEnabled(); })) << dialog.sentence().toStdString();
    dialog.makeVariant();
    ASSERT_TRUE(waitFor([&] { return !workbench_->recipeInForce().edits_after.empty(); }));
    const app::Recipe made = workbench_->recipeInForce();
    EXPECT_EQ(made.level, Level::extended);
    EXPECT_EQ(made.edits_after, "set op:FusedGemm.activation = Tanh\n");
    EXPECT_TRUE(made.edits.empty());

    EditDialog& again = open();
    EXPECT_TRUE(again.isAfterLevel()) << "the recipe in force has lines after its level";
    EXPECT_EQ(again.script(), QStringLiteral("set op:FusedGemm.activation = Tanh\n"));
    write({});
    ASSERT_TRUE(make()->isEnabled()) << "the level without lines";
    again.makeVariant();
    EXPECT_TRUE(waitFor(
        [&] { return workbench_->recipeInForce() == app::Recipe::plain(Level::extended); }));
}

}  // namespace
}  // namespace lapidary::views
