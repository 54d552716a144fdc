// SPDX-License-Identifier: Apache-2.0
// What keys and the menu of the timeline do with spans.
#include <QClipboard>
#include <QMenu>
#include <QSignalSpy>

#include "run/nodes/node_table.h"
#include "run/timeline/timeline_view.h"
#include "views/window_fixture.h"

namespace lapidary::views {
namespace {

class TimelineActionsTest : public WindowTest {
protected:
    void SetUp() override {
        WindowTest::SetUp();
        openSample("squeezenet");
        window_->showPage(QStringLiteral("run"));
        runModel();
        timeline_ = find<TimelineView>("timelineView");
        timeline_->setFocus();
    }
    const Profile& profile() const { return *workbench_->run()->profile; }
    /// The longest kernel of the first run, which is made current.
    std::size_t showLongest() {
        std::size_t longest = 0;
        for (std::size_t i = 1; i < profile().kernels.size(); ++i)
            if (profile().kernels[i].run == 0 && profile().kernels[i].depth == 0 &&
                profile().kernels[i].duration_ns() > profile().kernels[longest].duration_ns())
                longest = i;
        EXPECT_TRUE(timeline_->showKernel(longest));
        return longest;
    }
    bool showsAll() const {
        const Timeline& all = runPage()->digest()->timeline;
        const double shown =
            timeline_->nsPerPixel() * (timeline_->viewport()->width() - timeline_->gutterWidth());
        return timeline_->viewBegin() <= double(all.begin) &&
               timeline_->viewBegin() + shown >= double(all.end);
    }
    void press(Qt::Key key, Qt::KeyboardModifiers held = {}) {
        QTest::keyClick(timeline_, key, held);
    }
    QAction* entry(const QMenu& menu, const char* name) const {
        auto* action = menu.findChild<QAction*>(QString::fromLatin1(name));
        EXPECT_TRUE(action) << name;
        return action;
    }
    TimelineView* timeline_ = nullptr;
};

TEST_F(TimelineActionsTest, LettersZoomMoveAndFit) {
    const Timeline& all = runPage()->digest()->timeline;
    const double whole = double(all.end - all.begin);
    timeline_->showTimes(double(all.begin) + 0.45 * whole, double(all.begin) + 0.55 * whole);
    const double scale = timeline_->nsPerPixel();
    press(Qt::Key_W);
    EXPECT_LT(timeline_->nsPerPixel(), scale);
    press(Qt::Key_S);
    EXPECT_NEAR(timeline_->nsPerPixel(), scale, scale / 1000);
    press(Qt::Key_W);
    const double begin = timeline_->viewBegin();
    press(Qt::Key_D);
    EXPECT_GT(timeline_->viewBegin(), begin);
    press(Qt::Key_A);
    EXPECT_NEAR(timeline_->viewBegin(), begin, timeline_->nsPerPixel());
    press(Qt::Key_F);
    EXPECT_TRUE(showsAll()) << "nothing is selected";
}

TEST_F(TimelineActionsTest, TheTimeOfASpanIsSelectedAndFitted) {
    const Span& span = profile().kernels[showLongest()];
    ASSERT_GT(span.duration_ns(), 0);
    press(Qt::Key_M);
    EXPECT_EQ(workbench_->focus().beginNs, span.begin_ns);
    EXPECT_EQ(workbench_->focus().endNs, span.end_ns);
    press(Qt::Key_F);
    EXPECT_FALSE(showsAll());
    EXPECT_LE(timeline_->viewBegin(), double(span.begin_ns));
    const double width = timeline_->viewport()->width() - timeline_->gutterWidth();
    EXPECT_NEAR(timeline_->nsPerPixel() * width, 1.1 * double(span.duration_ns()),
                0.01 * double(span.duration_ns()));
    press(Qt::Key_F);
    EXPECT_TRUE(showsAll()) << "what is selected filled the view already";
    press(Qt::Key_M);
    EXPECT_EQ(workbench_->focus().beginNs, -1);
}

TEST_F(TimelineActionsTest, OccurrencesAreWalkedThroughAndCounted) {
    const std::size_t first = showLongest();
    const KernelGroups& groups = runPage()->digest()->groups;
    const auto isOfNode = [&](std::uint32_t group) { return group == groups.of_kernel[first]; };
    const auto all = std::ranges::count_if(groups.of_kernel, isOfNode);
    ASSERT_GE(all, 3) << "one in each run";
    const auto before = std::count_if(groups.of_kernel.begin(),
                                      groups.of_kernel.begin() + std::ptrdiff_t(first), isOfNode);
    const QString sentence = timeline_->currentSentence();
    QSignalSpy said(timeline_, &TimelineView::hovered);
    const auto lastSaid = [&] { return said.last().first().toString(); };
    const auto number = [&](std::ptrdiff_t occurrence) {
        return QStringLiteral("occurrence %1 of %2").arg(occurrence).arg(all);
    };
    press(Qt::Key_N);
    ASSERT_FALSE(said.isEmpty());
    EXPECT_TRUE(lastSaid().endsWith(number(before + 2))) << lastSaid().toStdString();
    EXPECT_NE(timeline_->currentSentence(), sentence);
    press(Qt::Key_N, Qt::ShiftModifier);
    EXPECT_EQ(timeline_->currentSentence(), sentence);
    for (std::ptrdiff_t i = 0; i < all; ++i) press(Qt::Key_N);
    EXPECT_TRUE(lastSaid().endsWith(number(all))) << "there is none behind the last";
    for (std::ptrdiff_t i = 0; i < all; ++i) press(Qt::Key_N, Qt::ShiftModifier);
    EXPECT_TRUE(lastSaid().endsWith(number(1))) << "there is none before the first";
    EXPECT_FALSE(timeline_->showKernel(profile().kernels.size()));
}

TEST_F(TimelineActionsTest, TheMenuActsOnTheSpan) {
    {
        QMenu menu;
        timeline_->addSpanActions(menu);
        EXPECT_TRUE(menu.isEmpty()) << "no span is chosen";
    }
    const Span& span = profile().kernels[showLongest()];
    QMenu menu;
    timeline_->addSpanActions(menu);
    entry(menu, "spanCopyName")->trigger();
    EXPECT_EQ(QApplication::clipboard()->text().toStdString(), profile().name(span));
    entry(menu, "spanSelect")->trigger();
    EXPECT_EQ(workbench_->focus().beginNs, span.begin_ns);
    press(Qt::Key_Escape);
    entry(menu, "spanZoom")->trigger();
    EXPECT_FALSE(showsAll());

    const auto* nodes = find<NodeTable>("nodeTable");
    entry(menu, "spanOperator")->trigger();
    const auto ofOperator =
        std::ranges::count(workbench_->run()->summary.nodes, profile().op(span), &NodeTotal::op);
    EXPECT_EQ(nodes->table()->model()->rowCount(), int(ofOperator));
    EXPECT_LT(std::size_t(ofOperator), workbench_->run()->summary.nodes.size());
    EXPECT_TRUE(nodes->isVisible());

    entry(menu, "spanInGraph")->trigger();
    EXPECT_EQ(window_->currentPage(), QStringLiteral("graph"));
}

}  // namespace
}  // namespace lapidary::views
