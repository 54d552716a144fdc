// SPDX-License-Identifier: Apache-2.0
// Times of an optimized variant on the nodes of the original, on the run page. With
// LAPIDARY_SCREENSHOTS set to a folder the pictures are kept there.
#include <QAbstractItemModelTester>
#include <QDir>

#include <algorithm>

#include "run/nodes/node_table.h"
#include "run/nodes/operator_bars.h"
#include "run/nodes/original_nodes.h"
#include "support/test_data.h"
#include "views/window_fixture.h"

namespace lapidary::views {
namespace {

class CostRollBackTest : public WindowTest {
protected:
    void runVariant(const char* sample) {
        openSample(sample);
        window_->showPage(QStringLiteral("run"));
        app::Recipe recipe;
        recipe.level = Level::extended;
        workbench_->variants().request({recipe});
        ASSERT_TRUE(waitFor([&] { return workbench_->variants().isIdle(); }));
        workbench_->showVariant(workbench_->variants().find(recipe));
        ASSERT_TRUE(workbench_->document()->variant);
        runModel();
        nodes_ = find<NodeTable>("nodeTable");
        originals_ = nodes_->originals();
    }
    double shownMilliseconds() const {
        double sum = 0;
        for (int row = 0; row < originals_->shownRows(); ++row)
            sum += originals_->model().row(row).ms;
        return sum;
    }
    /// The first line of a node that the variant has, or has not.
    int lineOf(bool inVariant) const {
        const Graph& graph = workbench_->document()->model->graph;
        for (int row = 0; row < originals_->shownRows(); ++row)
            if (graph.is_alive(originals_->model().row(row).node) == inVariant) return row;
        return -1;
    }
    void pick(int line) {
        originals_->table()->setCurrentIndex(originals_->table()->model()->index(line, 0));
    }
    NodeTable* nodes_ = nullptr;
    OriginalNodes* originals_ = nullptr;
};

TEST_F(CostRollBackTest, TheTableShowsEitherGraph) {
    runVariant("squeezenet");
    const QAbstractItemModelTester watched(originals_->table()->model(),
                                           QAbstractItemModelTester::FailureReportingMode::Fatal);
    ASSERT_TRUE(nodes_->nodesOf()->isVisible());
    EXPECT_FALSE(nodes_->nodesOf()->accessibleName().isEmpty());
    EXPECT_FALSE(nodes_->nodesOf()->toolTip().isEmpty());
    EXPECT_TRUE(nodes_->table()->isVisible());
    EXPECT_FALSE(originals_->isVisible());
    nodes_->nodesOf()->setCurrentIndex(1);
    EXPECT_TRUE(originals_->isVisible());
    EXPECT_FALSE(nodes_->table()->isVisible());
    const Graph& original = workbench_->opened()->model->graph;
    ASSERT_GT(originals_->allRows(), int(workbench_->run()->summary.nodes.size()))
        << "fused nodes stand for several";
    for (int row = 0; row < originals_->shownRows(); ++row)
        ASSERT_TRUE(original.is_alive(originals_->model().row(row).node));
    const CostMap map =
        roll_back(*workbench_->run()->profile, workbench_->document()->model->graph, original);
    EXPECT_NEAR(shownMilliseconds() + map.unattributed_ms, workbench_->run()->summary.kernel_ms,
                1e-6);
    const QString note = find<QLabel>("originalNodesNote")->text();
    EXPECT_TRUE(note.contains(QStringLiteral("divided by estimated work"))) << note.toStdString();
    EXPECT_TRUE(note.contains(QStringLiteral("original node"))) << note.toStdString();

    // A convolution costs more than the Relu fused into it: its size is that of the run, though the
    // batch is symbolic.
    EXPECT_EQ(map.split, CostSplit::evenly);
    EXPECT_NE(originals_->model().row(0).op, "Relu");

    nodes_->filterEdit()->setText(QStringLiteral("relu"));
    EXPECT_GT(originals_->shownRows(), 0);
    EXPECT_LT(originals_->shownRows(), originals_->allRows());
    nodes_->filterEdit()->clear();
    nodes_->nodesOf()->setCurrentIndex(0);
    EXPECT_TRUE(nodes_->table()->isVisible());
}

TEST_F(CostRollBackTest, OnlyNodesThatTheVariantHasAreFocused) {
    runVariant("squeezenet");
    nodes_->nodesOf()->setCurrentIndex(1);
    const int gone = lineOf(false), kept = lineOf(true);
    ASSERT_GE(gone, 0);
    ASSERT_GE(kept, 0);
    const NodeId node = originals_->model().row(kept).node;
    pick(kept);
    EXPECT_EQ(workbench_->focus().node, node);
    pick(gone);
    EXPECT_EQ(workbench_->focus().node, node) << "nothing else is focused";
    EXPECT_EQ(originals_->table()->currentIndex().row(), gone);
    emit originals_->table()->activated(originals_->table()->model()->index(gone, 0));
    EXPECT_EQ(window_->currentPage(), QStringLiteral("run"));
    emit originals_->table()->activated(originals_->table()->model()->index(kept, 0));
    EXPECT_EQ(window_->currentPage(), QStringLiteral("graph"));
}

TEST_F(CostRollBackTest, AnOperatorAndARangeNarrowWhatIsRolledBack) {
    runVariant("squeezenet");
    nodes_->nodesOf()->setCurrentIndex(1);
    const int all = originals_->allRows();
    auto* operators = find<OperatorBars>("operatorBars");
    operators->setCurrentIndex(operators->model()->index(0, 0));
    EXPECT_LT(originals_->allRows(), all);
    EXPECT_NEAR(shownMilliseconds(), workbench_->run()->summary.operators.front().self_ms, 1e-6);
    operators->clearSelection();
    EXPECT_EQ(originals_->allRows(), all);
    const Span& first = workbench_->run()->profile->kernels.front();
    app::Focus focus;
    focus.beginNs = first.begin_ns;
    focus.endNs = first.end_ns;
    workbench_->setFocus(focus);
    EXPECT_LT(originals_->allRows(), all);
    EXPECT_NEAR(shownMilliseconds(), double(first.duration_ns()) / 1e6, 1e-6);
}

// The original is drawn and runs at level all: what ran is another graph than the one that is
// drawn.
TEST_F(CostRollBackTest, RunsOfTheOriginalAreRolledBackToWhatIsDrawn) {
    runVariant("squeezenet");
    nodes_->nodesOf()->setCurrentIndex(1);
    workbench_->showVariant(workbench_->variants().original());
    runModel();
    EXPECT_TRUE(nodes_->nodesOf()->isVisible());
    ASSERT_TRUE(originals_->isVisible());
    const app::RunRecordPtr run = workbench_->run();
    ASSERT_EQ(workbench_->document(), workbench_->opened());
    ASSERT_NE(run->model, workbench_->opened()->model);
    const Graph& original = workbench_->opened()->model->graph;
    ASSERT_GT(originals_->allRows(), int(run->summary.nodes.size()))
        << "fused nodes stand for several";
    const CostMap map = roll_back(*run->profile, run->executed->graph, original);
    EXPECT_NEAR(shownMilliseconds() + map.unattributed_ms, run->summary.kernel_ms, 1e-6);
    EXPECT_EQ(lineOf(false), -1) << "each line is a node that is drawn";
    for (const int line : {0, originals_->shownRows() - 1}) {
        pick(line);
        EXPECT_EQ(workbench_->focus().node, originals_->model().row(line).node);
    }
}

TEST_F(CostRollBackTest, TracesHaveNoSwitch) {
    runVariant("mlp");
    nodes_->nodesOf()->setCurrentIndex(1);
    ASSERT_TRUE(originals_->isVisible());
    const TemporaryFolder folder;
    const auto file = folder.path() / "mlp.json";
    save_chrome_trace(*workbench_->run()->profile, file);
    workbench_->openTrace(QString::fromStdString(file.string()));
    ASSERT_TRUE(waitFor(
        [&] { return !workbench_->run()->trace.empty() && !nodes_->nodesOf()->isVisible(); }));
    ASSERT_TRUE(waitFor([&] { return runPage()->state() == RunPage::State::done; }));
    EXPECT_FALSE(nodes_->nodesOf()->isVisible());
    EXPECT_FALSE(originals_->isVisible());
    EXPECT_TRUE(nodes_->table()->isVisible());
    EXPECT_EQ(nodes_->table()->model()->rowCount(), int(workbench_->run()->summary.nodes.size()));
}

TEST_F(CostRollBackTest, IsDrawnInBothThemes) {
    const QString kept = qEnvironmentVariable("LAPIDARY_SCREENSHOTS");
    if (!kept.isEmpty()) { ASSERT_TRUE(QDir().mkpath(kept)); }
    runVariant("squeezenet");
    nodes_->nodesOf()->setCurrentIndex(1);
    for (const ThemeChoice theme : {ThemeChoice::light, ThemeChoice::dark}) {
        applyTheme(theme);
        QTest::qWait(100);
        const QImage note = find<QLabel>("originalNodesNote")->grab().toImage();
        int least = 255, most = 0;
        for (int y = 0; y < note.height(); ++y)
            for (int x = 0; x < note.width(); ++x) {
                least = std::min(least, note.pixelColor(x, y).lightness());
                most = std::max(most, note.pixelColor(x, y).lightness());
            }
        EXPECT_GT(most - least, 60) << "the note is readable";
        if (!kept.isEmpty())
            window_->grab().toImage().save(
                QStringLiteral("%1/original_nodes_%2.png").arg(kept, nameOf(theme)));
    }
}

}  // namespace
}  // namespace lapidary::views
