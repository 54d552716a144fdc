// SPDX-License-Identifier: Apache-2.0
// Targets in the window: the dialog, the choice on pages, a lost connection, two machines side by
// side.
#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

#include <algorithm>

#include "compare/machine_panel.h"
#include "panels/inspector_panel.h"
#include "run/nodes/roofline_plot.h"
#include "views/fake_targets.h"
#include "views/window_fixture.h"
#include "widgets/cards/message_banner.h"
#include "window/dialogs/targets_dialog.h"
#include "window/variant_chip.h"
#include "workbench/targets/machine_comparison.h"

namespace lapidary::views {
namespace {

const QString board = QStringLiteral("pi@board");

class TargetsWindowTest : public WindowTest {
protected:
    void SetUp() override {
        WindowTest::SetUp();
        workbench_->machines().setReach(targets_.reach());
    }
    void open() {
        workbench_->loadSample(QStringLiteral("mlp"));
        ASSERT_TRUE(waitFor([&] { return workbench_->opened() && !workbench_->isOpening(); }));
    }
    void chooseBoard() {
        workbench_->machines().add(board);
        workbench_->machines().choose(board);
        ASSERT_TRUE(waitFor([&] { return workbench_->machines().chosen() == board; }));
    }
    QToolButton* machineButton(const char* page) const {
        return window_->page(QLatin1String(page))
            ->findChild<QToolButton*>(QStringLiteral("machine"));
    }
    FakeTargets targets_;
};

TEST_F(TargetsWindowTest, TheDialogAddsTestsChangesAndRemoves) {
    TargetsDialog dialog(workbench_->machines(), window_.get());
    dialog.show();
    auto* host = dialog.findChild<QLineEdit*>(QStringLiteral("targetHost"));
    auto* add = dialog.findChild<QPushButton*>(QStringLiteral("addTarget"));
    auto* refusal = dialog.findChild<QLabel*>(QStringLiteral("targetRefusal"));
    auto* list = dialog.findChild<QListWidget*>(QStringLiteral("targetList"));
    auto* test = dialog.findChild<QPushButton*>(QStringLiteral("testTarget"));
    ASSERT_TRUE(host && add && refusal && list && test);
    EXPECT_FALSE(test->isEnabled());
    host->setText(QStringLiteral("-oProxyCommand=x"));
    EXPECT_FALSE(add->isEnabled());
    EXPECT_TRUE(refusal->isVisible());
    EXPECT_FALSE(refusal->text().isEmpty());
    host->setText(board);
    EXPECT_TRUE(add->isEnabled());
    EXPECT_FALSE(refusal->isVisible());
    QTest::keyClick(host, Qt::Key_Return);
    ASSERT_EQ(list->count(), 1) << "added by Return, and tested";
    EXPECT_TRUE(dialog.isVisible());
    ASSERT_TRUE(waitFor([&] { return !workbench_->machines().testOf(board); }));
    for (const char* fact : {"aarch64", "Cortex-A76", "neon", "3", " GB", "Linux 6.6", "0.1.0"})
        EXPECT_TRUE(dialog.details().contains(QLatin1String(fact)))
            << fact << "\n"
            << dialog.details().toStdString();
    targets_.is_reachable = false;
    test->click();
    ASSERT_TRUE(waitFor([&] { return !workbench_->machines().testOf(board); }));
    EXPECT_TRUE(dialog.details().contains(QStringLiteral("does not answer")));
    EXPECT_TRUE(dialog.details().contains(QStringLiteral("Cortex-A76"))) << "known from before";
    targets_.hold = true;
    test->click();
    EXPECT_TRUE(test->text().contains(QStringLiteral("Cancel")));
    test->click();
    ASSERT_TRUE(waitFor([&] { return !workbench_->machines().testOf(board); }));
    targets_.hold = false;
    host->setText(QStringLiteral("pi@board:models"));
    dialog.findChild<QPushButton*>(QStringLiteral("renameTarget"))->click();
    ASSERT_EQ(list->count(), 1);
    EXPECT_EQ(list->item(0)->text(), QStringLiteral("pi@board:models"));
    EXPECT_FALSE(dialog.details().contains(QStringLiteral("Cortex-A76")));
    dialog.findChild<QPushButton*>(QStringLiteral("removeTarget"))->click();
    EXPECT_EQ(list->count(), 0);
}

TEST_F(TargetsWindowTest, TheCommandOpensTheDialogAndTheChoiceLeadsThere) {
    const auto dialog = [this] {
        return window_->findChild<QDialog*>(QStringLiteral("targetsDialog"));
    };
    command(QStringLiteral("Targets …"))->trigger();
    ASSERT_TRUE(dialog());
    delete dialog();
    open();
    auto* button = machineButton("run");
    ASSERT_TRUE(button);
    emit button->menu()->aboutToShow();
    button->menu()->actions().last()->trigger();
    EXPECT_TRUE(dialog());
}

TEST_F(TargetsWindowTest, EveryPageThatMeasuresHasTheSameChoice) {
    for (const char* page : {"run", "tune", "compare"}) {
        ASSERT_TRUE(machineButton(page)) << page;
        EXPECT_FALSE(machineButton(page)->isEnabled()) << "no model is open";
    }
    open();
    workbench_->machines().add(board);
    auto* button = machineButton("run");
    EXPECT_EQ(button->text(), QStringLiteral("This computer"));
    emit button->menu()->aboutToShow();
    ASSERT_GE(button->menu()->actions().size(), 2);
    button->menu()->actions()[1]->trigger();
    ASSERT_TRUE(waitFor([&] { return workbench_->machines().chosen() == board; }));
    for (const char* page : {"run", "tune", "compare"})
        EXPECT_EQ(machineButton(page)->text(), board) << page;
}

TEST_F(TargetsWindowTest, ResultsNameTheMachineAndHaveNoRoofsOfThisOne) {
    open();
    chooseBoard();
    // what the board takes by itself, a thread for each of its cores, is not what runs here
    app::RunSettings settings = workbench_->runSettings();
    settings.resources.threads = 1;
    workbench_->setRunSettings(settings);
    runModel();
    const auto* card = runPage()->findChild<QWidget*>(QStringLiteral("verdictCard"));
    ASSERT_TRUE(card);
    EXPECT_TRUE(std::ranges::any_of(card->findChildren<QLabel*>(), [](const QLabel* label) {
        return label->text().contains(QStringLiteral("Cortex-A76"));
    }));
    EXPECT_TRUE(std::ranges::any_of(card->findChildren<QLabel*>(), [](const QLabel* label) {
        return label->text().contains(board);
    }));
    EXPECT_TRUE(find<InspectorPanel>("inspectorPanel")->plainText().contains(board));
    const QString chip = find<VariantChip>("variantChip")->text();
    EXPECT_TRUE(chip.contains(board)) << chip.toStdString();
    EXPECT_FALSE(runPage()->digest()->roofs);
    const auto* roofs = runPage()->findChild<RooflinePlot*>();
    ASSERT_TRUE(roofs);
    EXPECT_TRUE(roofs->note().contains(board)) << roofs->note().toStdString();
}

TEST_F(TargetsWindowTest, ALostConnectionOffersToTryAgain) {
    open();
    chooseBoard();
    targets_.engine->is_lost = true;
    workbench_->startRun();
    ASSERT_TRUE(waitFor([&] { return runPage()->state() == RunPage::State::failed; }));
    EXPECT_TRUE(window_->banner()->text().contains(QStringLiteral("was lost")))
        << window_->banner()->text().toStdString();
    targets_.engine->is_lost = false;
    const auto buttons = window_->banner()->findChildren<QPushButton*>();
    const auto retry = std::ranges::find_if(buttons, [](const QPushButton* button) {
        QString text = button->text();
        return text.remove(u'&') == QStringLiteral("Retry");
    });
    ASSERT_NE(retry, buttons.end());
    (*retry)->click();
    ASSERT_TRUE(waitFor([&] { return runPage()->state() == RunPage::State::done; }));
}

TEST_F(TargetsWindowTest, ATargetThatCannotBeReachedIsSaidInTheWindow) {
    open();
    targets_.is_reachable = false;
    workbench_->machines().add(board);
    workbench_->machines().choose(board);
    ASSERT_TRUE(waitFor([&] {
        return window_->banner()->isVisible() &&
               window_->banner()->kind() == MessageBanner::Kind::error;
    }));
    EXPECT_TRUE(window_->banner()->title().contains(board));
    EXPECT_EQ(machineButton("run")->text(), QStringLiteral("This computer"));
}

TEST_F(TargetsWindowTest, ALongNameOfATargetLeavesTheBarNarrow) {
    open();
    const QString folder = QStringLiteral("admin@board-03.example.com:/data/lapidary/models");
    workbench_->machines().add(folder);
    workbench_->machines().choose(folder);
    ASSERT_TRUE(waitFor([&] { return workbench_->machines().chosen() == folder; }));
    const auto* button = machineButton("compare");
    EXPECT_TRUE(button->text().startsWith(QStringLiteral("board-03")))
        << button->text().toStdString();
    EXPECT_FALSE(button->text().contains(QStringLiteral("lapidary")));
    EXPECT_LT(button->minimumSizeHint().width(), button->sizeHint().width());
    QString tip = button->toolTip();
    EXPECT_TRUE(tip.remove(QChar(0x200b)).contains(folder)) << tip.toStdString();
}

TEST_F(TargetsWindowTest, AMachineThatCannotMeasureIsSaidOnce) {
    open();
    auto* panel = window_->findChild<MachinePanel*>();
    ASSERT_TRUE(panel);
    chooseBoard();
    window_->showPage(QStringLiteral("compare"));
    ASSERT_TRUE(waitFor([&] { return workbench_->runningVariant() != nullptr; }));
    targets_.engine->is_lost = true;
    MeasureOptions quick;
    quick.seconds = 0.1;
    workbench_->machineComparison().setOptions(quick);
    panel->start();
    ASSERT_TRUE(waitFor([&] { return !workbench_->machineComparison().isRunning(); }));
    EXPECT_TRUE(panel->verdict().isEmpty()) << panel->verdict().toStdString();
    EXPECT_EQ(panel->banner()->kind(), MessageBanner::Kind::error);
    EXPECT_TRUE(panel->banner()->text().contains(board));
    EXPECT_FALSE(panel->banner()->text().contains(u'\n')) << "one machine failed";
    for (int row = 0; row < panel->figures().rowCount(); ++row)
        if (panel->figures().row(row).name == QStringLiteral("Threads"))
            EXPECT_EQ(panel->figures().row(row).b, QStringLiteral("–"));
}

TEST_F(TargetsWindowTest, TwoMachinesStandSideBySide) {
    open();
    auto* panel = window_->findChild<MachinePanel*>();
    ASSERT_TRUE(panel);
    auto* start = panel->findChild<QPushButton*>(QStringLiteral("compareMachines"));
    EXPECT_FALSE(start->isEnabled()) << "there is one machine";
    chooseBoard();
    window_->showPage(QStringLiteral("compare"));
    ASSERT_TRUE(waitFor([&] { return workbench_->runningVariant() != nullptr; }));
    EXPECT_EQ(panel->findChild<QComboBox*>(QStringLiteral("machineB"))->currentText(), board);
    EXPECT_TRUE(start->isEnabled());
    MeasureOptions quick;
    quick.seconds = 0.1;
    workbench_->machineComparison().setOptions(quick);
    start->click();
    ASSERT_TRUE(waitFor([&] { return !workbench_->machineComparison().isRunning(); }));
    EXPECT_TRUE(panel->verdict().contains(board)) << panel->verdict().toStdString();
    ASSERT_GT(panel->figures().rowCount(), 5);
    EXPECT_EQ(panel->figures().headerData(1, Qt::Horizontal).toString(),
              QStringLiteral("This computer"));
    EXPECT_EQ(panel->figures().headerData(2, Qt::Horizontal).toString(), board);
    EXPECT_NE(panel->figures().row(0).a, QStringLiteral("–"));
    EXPECT_NE(panel->figures().row(0).b, QStringLiteral("–"));
    EXPECT_EQ(panel->figures().row(panel->figures().rowCount() - 1).b,
              QStringLiteral("Cortex-A76"));
}

}  // namespace
}  // namespace lapidary::views
