// SPDX-License-Identifier: Apache-2.0
// Callers at the same time: measured in separate processes, a point each, kept when cancelled.
#include <QSignalSpy>
#include <QTemporaryDir>

#include <lapidary/onnx_io/model_io.h>

#include "support/test_data.h"
#include "tune/serving_panel.h"
#include "views/window_fixture.h"

namespace lapidary::views {
namespace {

class ServingTest : public WindowTest {
protected:
    void SetUp() override {
        qputenv("LAPIDARY_WORKER", QByteArray::fromStdString(cli_program()));
        WindowTest::SetUp();
    }
    void TearDown() override {
        WindowTest::TearDown();
        qputenv("LAPIDARY_WORKER", "off");
    }
    void openFile() {
        const QString file = folder_.filePath(QStringLiteral("mlp.onnx"));
        save_model(build_sample("mlp"), file.toStdString());
        workbench_->openModel(file);
        ASSERT_TRUE(waitFor([&] { return workbench_->document() != nullptr; }));
        window_->showPage(QStringLiteral("tune"));
    }
    ServingPanel* panel() const { return find<ServingPanel>("servingPanel"); }
    bool idle() const { return !panel()->curve().isRunning(); }
    QTemporaryDir folder_;
};

TEST_F(ServingTest, MeasuresAPointForEachNumberOfCallers) {
    openFile();
    EXPECT_TRUE(panel()->sentence().contains(QStringLiteral("many ask at once")))
        << panel()->sentence().toStdString();
    QSignalSpy changed(&panel()->curve(), &app::ServingCurve::changed);
    panel()->curve().start(workbench_->sourceOf(nullptr), workbench_->runSettings(), {1, 3}, 0.2);
    ASSERT_TRUE(panel()->curve().isRunning());
    ASSERT_TRUE(waitFor([&] { return idle(); }));
    const auto& points = panel()->curve().points();
    ASSERT_EQ(points.size(), 2u) << panel()->sentence().toStdString();
    EXPECT_EQ(points[0].callers, 1);
    EXPECT_EQ(points[1].callers, 3);
    for (const app::ServingPoint& point : points)
        for (const app::ServedLoad& load : {point.alone, point.grouped}) {
            EXPECT_GT(load.perSecond, 0);
            EXPECT_GT(load.p50Ms, 0);
            EXPECT_GE(load.p99Ms, load.p50Ms);
            EXPECT_GE(load.rowsPerRun, 1);
        }
    EXPECT_LE(points[0].grouped.rowsPerRun, 1) << "no other request to be batched with";
    EXPECT_GE(changed.count(), 3) << "begin, points as they come, end";
    EXPECT_EQ(panel()->rows().rowCount(), 2);
    EXPECT_TRUE(panel()->sentence().contains(QStringLiteral("callers")))
        << panel()->sentence().toStdString();
    workbench_->closeModel();
    EXPECT_TRUE(panel()->curve().points().empty()) << "of a model that is gone";
}

TEST_F(ServingTest, CancelKeepsWhatWasMeasured) {
    openFile();
    panel()->curve().start(workbench_->sourceOf(nullptr), workbench_->runSettings(),
                           {1, 2, 4, 8, 16}, 0.3);
    ASSERT_TRUE(waitFor([&] { return !panel()->curve().points().empty(); }));
    panel()->toggle();
    ASSERT_TRUE(waitFor([&] { return idle(); }));
    EXPECT_GE(panel()->curve().points().size(), 1u);
    EXPECT_LT(panel()->curve().points().size(), 5u);
    EXPECT_FALSE(panel()->sentence().contains(QStringLiteral("failed")))
        << panel()->sentence().toStdString();
}

TEST_F(ServingTest, SaysWhyItCannot) {
    openSample("mlp");  // of this process alone
    EXPECT_TRUE(panel()->sentence().contains(QStringLiteral("another process")))
        << panel()->sentence().toStdString();
    app::ModelSource source;
    source.sample = "mlp";
    source.recipe = app::Recipe::plain(Level::extended);
    source.recipe->stop_after = 1;
    EXPECT_TRUE(app::ServingCurve::refusal(source).contains(QStringLiteral("four levels")));
}

}  // namespace
}  // namespace lapidary::views
