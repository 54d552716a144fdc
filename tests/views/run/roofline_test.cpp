// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <QFontMetricsF>
#include <QResizeEvent>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <cmath>

#include "graph/graph_page.h"
#include "run/nodes/log_axis.h"
#include "run/nodes/node_table.h"
#include "run/nodes/roofline_plot.h"
#include "run/nodes/scope_panel.h"
#include "run/timeline/timeline_view.h"
#include "run/verdict_card.h"
#include "views/window_fixture.h"

namespace lapidary::views {
namespace {

TEST(LogAxis, MapsAndMarksDecades) {
    LogAxis axis{0.1, 1000, 0, 400};
    EXPECT_NEAR(axis.pixelOf(1), 100, 1e-9);
    EXPECT_NEAR(axis.valueAt(300), 100, 1e-9);
    EXPECT_EQ(axis.decades(), (std::vector<double>{0.1, 1, 10, 100, 1000}));
    const LogAxis narrow = logAxisFor({5, 6});
    EXPECT_GE(narrow.most / narrow.least, 99.9);
    EXPECT_LT(narrow.least, 5);
    EXPECT_GT(narrow.most, 6);
    const LogAxis nothing = logAxisFor({0, -1});
    EXPECT_GT(nothing.least, 0);
    EXPECT_GT(nothing.most, nothing.least);
}

class RooflineTest : public WindowTest {
protected:
    void SetUp() override {
        WindowTest::SetUp();
        openSample("squeezenet");
        window_->showPage(QStringLiteral("run"));
        runModel();
        plot_ = find<RooflinePlot>("rooflinePlot");
        ASSERT_TRUE(plot_);
        tabs_ = find<QTabWidget>("runTabs");
    }
    void showTab(QWidget* page) {
        tabs_->setCurrentWidget(page);
        QCoreApplication::processEvents();
    }
    RooflinePlot* plot_ = nullptr;
    QTabWidget* tabs_ = nullptr;
};

TEST_F(RooflineTest, DrawsEveryNodeThatComputesBeneathTheRoofs) {
    showTab(plot_);
    const RunDigestPtr digest = runPage()->digest();
    ASSERT_TRUE(digest->roofs);
    const auto computing = std::count_if(digest->roofline.begin(), digest->roofline.end(),
                                         [](const RooflinePoint& p) { return p.work.flop > 0; });
    EXPECT_GT(computing, 26);
    EXPECT_EQ(int(plot_->dots().size()), computing);
    for (const RooflinePlot::Dot& dot : plot_->dots()) {
        EXPECT_TRUE(QRectF(plot_->rect()).contains(dot.at)) << dot.at.x() << "," << dot.at.y();
        EXPECT_GE(plot_->dots().front().radius, dot.radius);
    }
    const QString verdict = find<VerdictCard>("verdictCard")->verdict();
    EXPECT_TRUE(verdict.contains(QStringLiteral("of this machine's peak")))
        << verdict.toStdString();
}

TEST_F(RooflineTest, TheNoteStandsWholeInNarrowWindows) {
    RooflinePlot plot;
    plot.setDigest(runPage()->digest());
    ASSERT_FALSE(plot.note().isEmpty());
    for (const int width : {1200, 500, 320, 260}) {
        plot.resize(width, 420);
        QResizeEvent resized(plot.size(), {});
        QCoreApplication::sendEvent(&plot, &resized);
        const QRectF area = plot.noteArea();
        EXPECT_TRUE(QRectF(plot.rect()).contains(area)) << width;
        const QRectF text = QFontMetricsF(plot.font())
                                .boundingRect(area, Qt::AlignRight | Qt::TextWordWrap, plot.note());
        EXPECT_LE(text.width(), area.width()) << width;
        EXPECT_LE(text.height(), area.height()) << width << ": " << plot.note().toStdString();
        ASSERT_FALSE(plot.dots().empty());
        for (const RooflinePlot::Dot& dot : plot.dots()) EXPECT_LT(dot.at.y(), area.top()) << width;
    }
}

TEST_F(RooflineTest, PickingADotSelectsTheNodeEverywhere) {
    showTab(plot_);
    ASSERT_GT(plot_->dots().size(), 2u);
    const RooflinePlot::Dot dot = plot_->dots().back();  // the smallest lies on top
    const NodeId node = runPage()->digest()->roofline[dot.point].node;
    QTest::mouseClick(plot_, Qt::LeftButton, {}, dot.at.toPoint());
    ASSERT_TRUE(workbench_->focus().node);
    const int current = plot_->current();
    ASSERT_GE(current, 0);
    const Model& ran = *workbench_->run()->executed;
    const NodeId picked =
        runPage()->digest()->roofline[plot_->dots()[std::size_t(current)].point].node;
    EXPECT_EQ(workbench_->model().shownNode(ran, picked), workbench_->focus().node);
    EXPECT_LE(std::hypot(plot_->dots()[std::size_t(current)].at.x() - dot.at.x(),
                         plot_->dots()[std::size_t(current)].at.y() - dot.at.y()),
              30);
    plot_->setFocus();
    QTest::keyClick(plot_, Qt::Key_Left);
    EXPECT_EQ(plot_->current(), std::max(0, current - 1));
    EXPECT_TRUE(plot_->sentenceOf(plot_->current()).contains(QStringLiteral("GFLOP/s")));
    workbench_->focusNode(workbench_->model().shownNode(ran, node));
    EXPECT_EQ(
        runPage()->digest()->roofline[plot_->dots()[std::size_t(plot_->current())].point].node,
        node);
}

TEST_F(RooflineTest, TheNodeTableShowsShareAndBound) {
    const auto* model = find<NodeTable>("nodeTable")->table()->model();
    int share = -1, bound = -1;
    for (int column = 0; column < model->columnCount(); ++column) {
        const QString title = model->headerData(column, Qt::Horizontal).toString();
        if (title == QStringLiteral("Of peak")) share = column;
        if (title == QStringLiteral("Bound by")) bound = column;
    }
    ASSERT_GE(share, 0);
    ASSERT_GE(bound, 0);
    const QString text = model->index(0, bound).data().toString();
    EXPECT_TRUE(text == QStringLiteral("arithmetic") || text == QStringLiteral("memory") ||
                text == QStringLiteral("caches"))
        << text.toStdString();
    EXPECT_GT(model->index(0, share).data(RowsModel<NodeRow>::SortRole).toDouble(), 0);
}

TEST_F(RooflineTest, ARangeFiltersEverything) {
    const RunDigestPtr digest = runPage()->digest();
    const Span run = digest->run->profile->run_spans.front();
    auto* panel = find<ScopePanel>("scopePanel");
    const std::size_t allDots = plot_->dots().size(),
                      allScopes = panel->icicle()->tree()->nodes.size();
    app::Focus focus = workbench_->focus();
    focus.beginNs = run.begin_ns;
    focus.endNs = run.begin_ns + (run.end_ns - run.begin_ns) / 4;
    workbench_->setFocus(focus);
    EXPECT_LT(find<NodeTable>("nodeTable")->table()->model()->rowCount(),
              int(digest->whole.nodes.size()));
    EXPECT_LT(plot_->dots().size(), allDots);
    EXPECT_LT(panel->icicle()->tree()->nodes.size(), allScopes);
    focus.beginNs = focus.endNs = -1;
    workbench_->setFocus(focus);
    EXPECT_EQ(plot_->dots().size(), allDots);
    EXPECT_EQ(panel->icicle()->tree()->nodes.size(), allScopes);
}

TEST_F(RooflineTest, DraggingAlongTheRulerSelectsARange) {
    auto* timeline = find<TimelineView>("timelineView");
    const int y = 4, right = timeline->viewport()->width() - 40, left = right - 200;
    QTest::mousePress(timeline->viewport(), Qt::LeftButton, {}, QPoint(left, y));
    QTest::mouseMove(timeline->viewport(), QPoint(right, y));
    QMouseEvent move(QEvent::MouseMove, QPointF(right, y),
                     timeline->viewport()->mapToGlobal(QPointF(right, y)), Qt::NoButton,
                     Qt::LeftButton, {});
    QCoreApplication::sendEvent(timeline->viewport(), &move);
    QTest::mouseRelease(timeline->viewport(), Qt::LeftButton, {}, QPoint(right, y));
    EXPECT_NEAR(double(workbench_->focus().endNs - workbench_->focus().beginNs),
                200 * timeline->nsPerPixel(), 20 * timeline->nsPerPixel());
}

TEST_F(RooflineTest, ScopesZoomByKeyboardAndShowAsATable) {
    auto* panel = find<ScopePanel>("scopePanel");
    IcicleView* icicle = panel->icicle();
    showTab(panel);
    ASSERT_FALSE(icicle->tree()->byFamily);
    icicle->setFocus();
    QTest::keyClick(icicle, Qt::Key_Down);  // all
    QTest::keyClick(icicle, Qt::Key_Down);
    const int scope = icicle->current();
    ASSERT_GT(scope, 0);
    EXPECT_FALSE(icicle->sentenceOf(scope).isEmpty());
    QTest::keyClick(icicle, Qt::Key_Return);
    EXPECT_EQ(icicle->zoomed(), scope);
    EXPECT_GT(icicle->rectOf(scope).width(), icicle->viewport()->width() - 40);
    QTest::keyClick(icicle, Qt::Key_Backspace);
    EXPECT_EQ(icicle->zoomed(), icicle->tree()->nodes[std::size_t(scope)].parent);
    // Every part is found where it is drawn.
    for (int i = 0; i < int(icicle->tree()->nodes.size()); ++i) {
        const QRect rect = icicle->rectOf(i);
        if (rect.width() > 3 && icicle->viewport()->rect().contains(rect.center())) {
            EXPECT_EQ(icicle->partAt(rect.center()), i);
        }
    }
    int scopes = 0;
    for (const ScopeNode& node : icicle->tree()->nodes) scopes += !node.isLeaf;
    EXPECT_EQ(panel->table()->model()->rowCount(), scopes - 1);
    panel->asTable()->click();
    EXPECT_TRUE(panel->table()->isVisible());
}

TEST_F(RooflineTest, TheGraphShowsSharesOfPeak) {
    window_->showPage(QStringLiteral("graph"));
    auto* page = window_->findChild<GraphPage*>();
    ASSERT_TRUE(page);
    ASSERT_TRUE(waitFor(
        [&] { return page->canvas()->scene() != nullptr && workbench_->jobs().jobs().isEmpty(); }));
    auto* colorBy = page->findChild<QComboBox*>(QStringLiteral("colorBy"));
    colorBy->setCurrentIndex(colorBy->findText(QStringLiteral("Colour by share of peak")));
    const auto& heat = page->canvas()->heat();
    ASSERT_FALSE(heat.empty());
    int reported = 0;
    for (float share : heat) {
        if (std::isnan(share)) continue;
        EXPECT_GE(share, 0);
        EXPECT_LE(share, 1.001);
        ++reported;
    }
    EXPECT_GT(reported, 0);
}

}  // namespace
}  // namespace lapidary::views
