// SPDX-License-Identifier: Apache-2.0
// The journey "my export differs": from a wrong output to the layer that is the cause, and from a
// recording of the original to the module that the export broke.
#include <QTabWidget>

#include "compare/difference_panel.h"
#include "compare/difference_tables.h"
#include "journey.h"
#include "views/recorded_model.h"

namespace lapidary::views {
namespace {

class ExportDiffersTest : public JourneyTest {
protected:
    QString file(const char* name) const {
        return QString::fromStdString((folder_ / name).string());
    }
    TemporaryFolder folder_;
};

TEST_F(ExportDiffersTest, FromAWrongOutputToTheLayer) {
    saveRecordedModel(folder_.path());
    open([&] { workbench_->openModel(file("good.onnx")); });
    auto* page = pageOf<ComparePage>("compare");
    app::Comparison& comparison = workbench_->comparison();
    step("taking the other export", [&] {
        window_->showPage(QStringLiteral("compare"));
        page->openSecond(file("bad.onnx"));
        await("both", [&] {
            return comparison.isPossible() && comparison.b()->recipe.other_model.has_value();
        });
    });
    MeasureOptions options = comparison.options();
    options.seconds = cell_seconds;
    comparison.setOptions(options);
    step("comparing", [&] {
        comparison.start();
        await("compared", [&] { return comparison.result() && comparison.result()->complete; });
    });
    auto* outputs = find<OutputDifferences>("outputDifferences");
    ASSERT_EQ(outputs->rows().rowCount(), 1);
    ASSERT_FALSE(outputs->rows().row(0).comparison.matches);
    auto* panel = find<DifferencePanel>("differencePanel");
    step("following the wrong output", [&] {
        find<QTabWidget>("compareTabs")->setCurrentWidget(outputs);
        emit outputs->activated(outputs->model()->index(0, 0));
        await("found", [&] { return comparison.search().result() != nullptr; });
    });
    EXPECT_EQ(find<QTabWidget>("compareTabs")->currentWidget(), panel);
    ASSERT_EQ(panel->causes().rowCount(), 1);
    EXPECT_TRUE(panel->text().contains(QStringLiteral("DIFFERS: "))) << panel->text().toStdString();
    step("going to the layer", [&] { find<QPushButton>("showCause")->click(); });
    EXPECT_EQ(window_->currentPage(), QStringLiteral("graph"));
    EXPECT_TRUE(bool(workbench_->focus().node));
    step("closing the model", [&] { workbench_->closeModel(); });
}

TEST_F(ExportDiffersTest, FromARecordingToTheModule) {
    saveRecordedModel(folder_.path());
    open([&] { workbench_->openModel(file("bad.onnx")); });
    auto* panel = find<DifferencePanel>("differencePanel");
    step("checking the recording", [&] {
        window_->showPage(QStringLiteral("compare"));
        pageOf<ComparePage>("compare")->checkRecording(file("run.npz"));
        await("checked", [&] { return !panel->isChecking(); });
    });
    EXPECT_TRUE(panel->text().contains(QStringLiteral("First: scale (Scale) differs")))
        << panel->text().toStdString();
    EXPECT_TRUE(panel->text().contains(QStringLiteral("Called at net.py:7")));
    step("going to the module", [&] { find<QPushButton>("showCause")->click(); });
    EXPECT_EQ(window_->currentPage(), QStringLiteral("graph"));
}

}  // namespace
}  // namespace lapidary::views
