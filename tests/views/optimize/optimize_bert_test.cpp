// SPDX-License-Identifier: Apache-2.0
// The whole way on a large model: open, step through the rewrites, switch a pass, undo, near
// misses, export. The GUI thread is never held for long.
#include <QTemporaryDir>

#include <lapidary/onnx_io/model_io.h>

#include "views/gui_watchdog.h"
#include "optimize/change_panel.h"
#include "optimize/export_dialog.h"
#include "optimize/near_miss_panel.h"
#include "optimize/pass_list_panel.h"
#include "optimize_fixture.h"
#include "support/time_budget.h"

namespace lapidary::views {
namespace {

const double longest_hold_ms = 50 * wall_factor;

class OptimizeBertTest : public OptimizeTest {};

TEST_F(OptimizeBertTest, TheGuiThreadStaysFree) {
    const QTemporaryDir folder;
    workbench_->openSample(QStringLiteral("bert-base"));
    ASSERT_TRUE(waitFor([&] { return workbench_->opened() != nullptr; }));
    const auto stage = [&](const char* what, auto act) {
        GuiWatchdog watchdog;
        act();
        ASSERT_TRUE(settled()) << what;
        QTest::qWait(60);  // the picture too
        const auto longest = watchdog.stop();
        EXPECT_LT(longest.held_ms, longest_hold_ms)
            << what << " held the GUI thread (wall " << longest.wall_ms << " ms)";
    };
    stage("optimizing", [&] {
        window_->showPage(QStringLiteral("optimize"));
        ASSERT_TRUE(optimized());
    });
    if (HasFatalFailure()) return;
    StepBar* bar = page()->stepBar();
    ASSERT_GT(bar->steps(), 50);
    stage("going to the start", [&] { bar->slider()->setValue(0); });
    stage("stepping forward", [&] {
        for (int i = 0; i < 10; ++i) {
            QTest::keyClick(bar->slider(), Qt::Key_Right);
            ASSERT_TRUE(settled());
            EXPECT_EQ(page()->shownStep(), i + 1);
        }
    });
    stage("dragging over all of them", [&] {
        for (int i = 0; i <= bar->steps(); i += 3) {
            bar->slider()->setValue(i);
            QTest::qWait(4);
        }
        bar->slider()->setValue(bar->steps());
    });
    stage("the overlay", [&] { command(QStringLiteral("Overlay"))->trigger(); });
    stage("fitting all", [&] { command(QStringLiteral("Fit all"))->trigger(); });
    stage("side by side", [&] { command(QStringLiteral("Side by side"))->trigger(); });
    stage("choosing a change", [&] {
        auto* changes = find<ChangePanel>("changePanel");
        changes->view()->setCurrentIndex(changes->model().indexOf(std::size_t(bar->steps() / 2)));
    });
    const app::VariantPtr before = page()->variant();
    const auto used = std::ranges::find_if(before->report.passes, [](const PassRun& p) {
        return p.applied > 0 && p.level == Level::extended;
    });
    ASSERT_NE(used, before->report.passes.end());
    stage("switching a pass off", [&] {
        PassModel& passes = find<PassListPanel>("passListPanel")->model();
        passes.setData(passes.indexOf(used->pass), Qt::Unchecked, Qt::CheckStateRole);
    });
    EXPECT_NE(page()->variant(), before);
    stage("undo", [&] { QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier); });
    EXPECT_EQ(page()->variant(), before);
    auto* misses = find<NearMissPanel>("nearMissPanel");
    if (misses->model().rowCount() > 0) {
        stage("a near miss", [&] {
            misses->table()->setCurrentIndex(misses->table()->model()->index(0, 0));
            bar->slider()->setValue(bar->steps());
        });
    }
    const QString path = folder.filePath(QStringLiteral("bert.onnx"));
    stage("exporting", [&] {
        command(QStringLiteral("Export …"))->trigger();
        auto* dialog = page()->findChild<ExportDialog*>();
        ASSERT_TRUE(dialog);
        dialog->setPath(path);
        dialog->save();
        ASSERT_TRUE(waitFor([&] { return !dialog->isSaving(); }));
        dialog->close();
    });
    const Model saved = load_model(path.toStdString());
    // One Cast, and Less, Add and Where with what they need: ids that Gather counts from the end,
    // counted from the front.
    EXPECT_LE(count_nodes(saved.graph), before->report.nodes_after + 6);
    stage("showing the variant everywhere",
          [&] { command(QStringLiteral("Use this graph"))->trigger(); });
}

}  // namespace
}  // namespace lapidary::views
