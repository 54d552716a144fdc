// SPDX-License-Identifier: Apache-2.0
// The journey "which operator became slower": from two engines to the node that takes longer in one
// of them, on to the graph. Skipped where there is no ONNX Runtime.
#include <QComboBox>

#include <lapidary/engines/onnxruntime_engine.h>

#include "compare/engine_panel.h"
#include "journey.h"
#include "widgets/cards/message_banner.h"
#include "workbench/jobs/plugin_list.h"

namespace lapidary::views {
namespace {

class SlowerOperatorTest : public JourneyTest {};

TEST_F(SlowerOperatorTest, FromTwoEnginesToTheNode) {
    const OnnxRuntimeInfo machine = describe_onnxruntime({});
    if (!machine.unusable.empty()) GTEST_SKIP() << "no ONNX Runtime: " << machine.unusable;
    open([&] { workbench_->openSample(QStringLiteral("lenet")); });
    auto* panel = find<EnginePanel>("enginePanel");
    auto* other = find<QComboBox>("engineB");
    step("looking for engines", [&] {
        window_->showPage(QStringLiteral("compare"));
        workbench_->plugins().lookOnce();
        await("found", [&] { return workbench_->plugins().found() != nullptr; });
    });
    ASSERT_TRUE(other->currentText().startsWith(QStringLiteral("ONNX Runtime ")))
        << other->currentText().toStdString();
    panel->setPairs(6);
    step("comparing", [&] {
        panel->start();
        await("compared", [&] { return !panel->isRunning(); });
    });
    ASSERT_FALSE(panel->verdict().isEmpty()) << panel->banner()->text().toStdString();
    const auto& rows = panel->groups();
    int row = 0;
    while (row < rows.rowCount() && rows.row(row).nodes.empty()) ++row;
    ASSERT_LT(row, rows.rowCount());
    auto* table = find<TableView>("engineTimes");
    step("going to the node", [&] { emit table->activated(table->model()->index(row, 0)); });
    EXPECT_EQ(window_->currentPage(), QStringLiteral("graph"));
    EXPECT_TRUE(bool(workbench_->focus().node));
    step("closing the model", [&] { workbench_->closeModel(); });
}

}  // namespace
}  // namespace lapidary::views
