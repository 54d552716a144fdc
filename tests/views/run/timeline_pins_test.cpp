// SPDX-License-Identifier: Apache-2.0
// Threads that are pinned to the top of the timeline.
#include <QScrollBar>
#include <QSignalSpy>

#include "run/timeline/timeline_view.h"
#include "views/window_fixture.h"

namespace lapidary::views {
namespace {

constexpr int threads = 10;

/// One kernel in which all threads take part.
RunDigestPtr oneKernel() {
    auto profile = std::make_shared<Profile>();
    profile->threads = threads;
    Span kernel;
    kernel.label = profile->labels.add({.name = "product", .op = "MatMul"});
    kernel.end_ns = 10'000;
    profile->kernels.push_back(kernel);
    for (int thread = 1; thread < threads; ++thread) {
        Span& range = profile->ranges.emplace_back(kernel);
        range.kind = EventKind::range;
        range.thread = thread;
    }
    app::RunRecord record;
    record.summary = summarize(*profile);
    record.profile = profile;
    return digestRun(std::make_shared<const app::RunRecord>(std::move(record)));
}

class TimelinePinsTest : public testing::Test {
protected:
    void SetUp() override {
        view_.resize(700, 200);
        view_.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&view_));
        view_.setDigest(digest_);
        view_.fitAll();
    }
    /// In the first row under the ruler.
    QPoint firstRow(int x) const {
        const int line = view_.fontMetrics().height();
        return {x, line + 10 + 4 + (line + 6) / 2};
    }
    int middle() const { return (view_.gutterWidth() + view_.viewport()->width()) / 2; }
    RunDigestPtr digest_ = oneKernel();
    TimelineView view_;
};

TEST_F(TimelinePinsTest, APinnedThreadStandsAboveTheOthers) {
    ASSERT_EQ(digest_->timeline.tracks.size(), std::size_t(threads));
    const int scrolled = view_.verticalScrollBar()->maximum();
    ASSERT_GT(scrolled, 0);
    QTest::mouseClick(view_.viewport(), Qt::LeftButton, {}, firstRow(middle()));
    EXPECT_FALSE(view_.currentSentence().contains(QStringLiteral("thread")))
        << view_.currentSentence().toStdString();
    view_.togglePin(5);
    EXPECT_EQ(view_.pinned(), std::vector<std::size_t>{5});
    EXPECT_GT(view_.verticalScrollBar()->maximum(), scrolled) << "the others have less room";
    for (const int at : {0, view_.verticalScrollBar()->maximum()}) {
        view_.verticalScrollBar()->setValue(at);
        QTest::mouseClick(view_.viewport(), Qt::LeftButton, {}, firstRow(middle()));
        EXPECT_TRUE(view_.currentSentence().contains(QStringLiteral("thread 5")))
            << view_.currentSentence().toStdString();
    }
    EXPECT_FALSE(view_.viewport()->grab().toImage().isNull());
}

TEST_F(TimelinePinsTest, ClicksOnItsNameAndTheKeyPinAndLetGo) {
    QTest::mouseClick(view_.viewport(), Qt::LeftButton, {}, firstRow(20));
    EXPECT_EQ(view_.pinned(), std::vector<std::size_t>{0});
    QTest::mouseClick(view_.viewport(), Qt::LeftButton, {}, firstRow(20));
    EXPECT_TRUE(view_.pinned().empty());
    ASSERT_TRUE(view_.showKernel(0));
    QTest::keyClick(&view_, Qt::Key_P);
    EXPECT_EQ(view_.pinned(), std::vector<std::size_t>{0});
    view_.setDigest(oneKernel());
    EXPECT_EQ(view_.pinned(), std::vector<std::size_t>{0}) << "also of the next recording";
    view_.setDigest(nullptr);
    EXPECT_TRUE(view_.pinned().empty());
}

TEST_F(TimelinePinsTest, RoomIsLeftForTheOthers) {
    QSignalSpy said(&view_, &TimelineView::hovered);
    for (std::size_t track = 0; track < std::size_t(threads); ++track) view_.togglePin(track);
    EXPECT_FALSE(view_.pinned().empty());
    EXPECT_LT(view_.pinned().size(), std::size_t(threads));
    ASSERT_FALSE(said.isEmpty());
    EXPECT_EQ(said.last().first().toString(),
              QStringLiteral("There is no room to pin another thread."));
    view_.togglePin(std::size_t(threads));
    EXPECT_LT(view_.pinned().size(), std::size_t(threads)) << "there is no such track";
}

}  // namespace
}  // namespace lapidary::views
