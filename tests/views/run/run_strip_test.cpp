// SPDX-License-Identifier: Apache-2.0
// The strip of recorded runs: what it shows, and how one is chosen.
#include <QSignalSpy>

#include "run/timeline/run_strip.h"
#include "run/timeline/timeline_view.h"
#include "views/window_fixture.h"

namespace lapidary::views {
namespace {

TEST(RunStrip, TheLongestOfManyRunsIsNeverHidden) {
    constexpr std::size_t count = 5000, slow = 3210;
    auto profile = std::make_shared<Profile>();
    for (std::size_t i = 0; i < count; ++i) {
        Span& run = profile->run_spans.emplace_back();
        run.kind = EventKind::run;
        run.run = int(i);
        run.begin_ns = std::int64_t(i) * 1000;
        run.end_ns = run.begin_ns + (i == slow ? 900 : 100 + std::int64_t(i % 7));
    }
    profile->runs = int(count);
    app::RunRecord record;
    record.summary = summarize(*profile);
    record.profile = profile;
    TimelineView timeline;
    timeline.resize(800, 300);
    timeline.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&timeline));
    RunStrip strip(timeline);
    strip.setDigest(digestRun(std::make_shared<const app::RunRecord>(std::move(record))));
    std::ptrdiff_t before = -1;
    bool isShown = false;
    for (int x = timeline.gutterWidth(); strip.runAt(x) >= 0; ++x) {
        EXPECT_GE(strip.runAt(x), before) << "in the order of time";
        before = strip.runAt(x);
        isShown = isShown || before == std::ptrdiff_t(slow);
    }
    EXPECT_TRUE(isShown);
    EXPECT_GT(before, std::ptrdiff_t(count) - 20);
    EXPECT_EQ(strip.runAt(0), -1) << "left of the runs";
    EXPECT_TRUE(strip.sentenceOf(slow).contains(QStringLiteral("the slowest run")))
        << strip.sentenceOf(slow).toStdString();
    strip.setDigest(nullptr);
    EXPECT_EQ(strip.runAt(timeline.gutterWidth()), -1);
}

class RunStripTest : public WindowTest {
protected:
    void run(int repetitions) {
        app::RunSettings settings = workbench_->runSettings();
        settings.repetitions = repetitions;
        workbench_->setRunSettings(settings);
        openSample("mlp");
        window_->showPage(QStringLiteral("run"));
        runModel();
        strip_ = find<RunStrip>("runStrip");
        timeline_ = find<TimelineView>("timelineView");
    }
    void expectShown(std::size_t run) const {
        const Span& span = workbench_->run()->profile->run_spans.at(run);
        const double shown =
            timeline_->nsPerPixel() * (timeline_->viewport()->width() - timeline_->gutterWidth());
        EXPECT_LE(timeline_->viewBegin(), double(span.begin_ns)) << run;
        EXPECT_GE(timeline_->viewBegin() + shown, double(span.end_ns)) << run;
        EXPECT_LE(shown, 1.1 * double(span.duration_ns())) << run;
    }
    RunStrip* strip_ = nullptr;
    TimelineView* timeline_ = nullptr;
};

TEST_F(RunStripTest, AClickAndTheArrowKeysShowARun) {
    run(24);
    ASSERT_TRUE(strip_->isVisible());
    QSignalSpy said(strip_, &RunStrip::hovered);
    QTest::mouseClick(strip_, Qt::LeftButton, {}, {timeline_->gutterWidth() + 2, 5});
    EXPECT_EQ(strip_->current(), 0);
    ASSERT_FALSE(said.isEmpty());
    EXPECT_TRUE(said.last().first().toString().startsWith(QStringLiteral("Run 1 of 24: ")))
        << said.last().first().toString().toStdString();
    expectShown(0);
    QTest::keyClick(strip_, Qt::Key_Right);
    EXPECT_EQ(strip_->current(), 1);
    expectShown(1);
    QTest::keyClick(strip_, Qt::Key_End);
    QTest::keyClick(strip_, Qt::Key_Right);
    EXPECT_EQ(strip_->current(), 23);
    QTest::keyClick(strip_, Qt::Key_Return);
    const std::vector<Span>& runs = workbench_->run()->profile->run_spans;
    EXPECT_EQ(runs.at(std::size_t(strip_->current())).duration_ns(),
              std::ranges::max(runs, {}, &Span::duration_ns).duration_ns());
    EXPECT_FALSE(strip_->grab().toImage().isNull());
}

TEST_F(RunStripTest, AFewRunsNeedNone) {
    run(3);
    EXPECT_FALSE(strip_->isVisible());
}

}  // namespace
}  // namespace lapidary::views
