// SPDX-License-Identifier: Apache-2.0
// Before the user loses what took long or was typed, a question appears; not for what a click
// brings back.
#include <QMessageBox>
#include <QTest>

#include "project_fixture.h"
#include "workbench/project/journal.h"
#include "workbench/jobs/quantizing.h"
#include "workbench/tuning/tuning.h"

namespace lapidary::views {
namespace {

class WorthAsking : public ProjectTest {
protected:
    QMessageBox* asked() const {
        return window_->findChild<QMessageBox*>(QStringLiteral("unsavedChanges"));
    }
    /// Whether the user is asked before another model takes the place of the open one.
    bool asksBeforeAnother() {
        workbench_->openSample(QStringLiteral("lenet"));
        const bool asks = asked() != nullptr;
        if (asks) QTest::mouseClick(asked()->button(QMessageBox::Cancel), Qt::LeftButton);
        else waitFor([&] { return workbench_->jobs().jobs().isEmpty(); });
        return asks;
    }
    void sweep() {
        app::Tuning& tuning = workbench_->tuning();
        SweepSpace space;
        space.intra = {1};
        tuning.setSpace(space);
        SweepOptions options = tuning.options();
        options.measuring.seconds = 0.05;
        options.settle_rounds = 0;
        tuning.setOptions(options);
        tuning.start();
        ASSERT_TRUE(waitFor([&] { return !tuning.isRunning(); }));
    }
};

TEST_F(WorthAsking, ARunAndAClickOnALevelAskNothing) {
    openFile(savedModel("mlp", "m.onnx"));
    saveTo(file("p.lapidary"));
    runModel();
    workbench_->choose(recipeOf(Level::all), QStringLiteral("choose All"));
    make(recipeOf(Level::all));
    project().setSlot(app::Slot::B, store().find(recipeOf(Level::all)));
    EXPECT_TRUE(project().isModified()) << "the file lacks them";
    EXPECT_TRUE(project().isWorthKeeping()) << "a journal has them all the same";
    EXPECT_FALSE(project().isWorthAsking());
    EXPECT_FALSE(asksBeforeAnother());
}

TEST_F(WorthAsking, SwitchedPassesAndNotesAreAskedAbout) {
    openFile(savedModel("mlp", "m.onnx"));
    app::Recipe switched = recipeOf(Level::all);
    switched.disabled_passes = {"fold_constants"};
    project().setRecipe(switched, QStringLiteral("switch a pass off"));
    EXPECT_TRUE(asksBeforeAnother());
    project().undoStack().undo();
    EXPECT_FALSE(project().isWorthAsking());
    project().setNotes(QStringLiteral("typed"));
    EXPECT_TRUE(asksBeforeAnother());
}

TEST_F(WorthAsking, WhatTookLongIsAskedAboutUntilItIsSaved) {
    openFile(savedModel("mlp", "m.onnx"));
    project().setWorthAskingAfter(0.001);
    sweep();
    EXPECT_TRUE(asksBeforeAnother());
    EXPECT_TRUE(project().isWorthKeeping()) << "a crash does not lose it either";
    saveTo(file("p.lapidary"));
    EXPECT_FALSE(project().isWorthAsking());
    project().setWorthAskingAfter(1000);
    sweep();
    EXPECT_FALSE(project().isWorthAsking()) << "a short one is made again";
}

TEST_F(WorthAsking, QuantizedVariantsAreAskedAboutAndOfferedAgain) {
    openFile(savedModel("mlp", "m.onnx"));
    project().setWorthAskingAfter(0.001);
    app::Quantizing& quantizing = workbench_->quantizing();
    app::QuantizeChoice choice = quantizing.choice();
    choice.budgetSeconds = 1;
    choice.measureSeconds = 0;
    quantizing.setChoice(choice);
    quantizing.start();
    const auto quantized = [&] {
        return std::ranges::any_of(
            store().list(), [](const auto& v) { return v->recipe.quantization.has_value(); });
    };
    ASSERT_TRUE(
        waitFor([&] { return !quantizing.isRunning() && quantized() && store().isIdle(); }));
    EXPECT_TRUE(project().isWorthKeeping());
    EXPECT_TRUE(asksBeforeAnother());
    const QString journals = file("journals");
    {
        app::Journal journal(project(), journals);
        project().setPage(QStringLiteral("quantize"));
        journal.flush();
        journal.abandon();
    }
    EXPECT_EQ(QDir(journals).entryList({QStringLiteral("*.journal")}).size(), 1)
        << "what a killed window leaves";
    saveTo(file("p.lapidary"));
    EXPECT_FALSE(project().isWorthAsking());
    reopen(file("p.lapidary"));
    ASSERT_TRUE(waitFor([&] { return quantized() && store().isIdle(); }));
    EXPECT_FALSE(project().isModified()) << "it came with the project";
}

}  // namespace
}  // namespace lapidary::views
