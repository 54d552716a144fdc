// SPDX-License-Identifier: Apache-2.0
// The slowest run over a typical one: which kernels are joined, where time was lost, and how the
// Run page shows it.
#include <QSignalSpy>

#include "run/timeline/slow_run_view.h"
#include "run/timeline/timeline_view.h"
#include "views/window_fixture.h"

namespace lapidary::views {
namespace {

Span spanOf(Profile& profile, std::string_view name, std::int64_t begin, std::int64_t end,
            EventKind kind = EventKind::kernel) {
    Span span;
    span.kind = kind;
    span.label = profile.labels.add({.name = name, .op = name.substr(0, 4)});
    span.begin_ns = begin;
    span.end_ns = end;
    return span;
}

/// Three runs of two kernels each; in the last one "slow" takes 400 more and 100 are lost between
/// kernels.
Profile threeRuns() {
    Profile profile;
    profile.runs = 3;
    std::int64_t at = 1000;
    for (const std::int64_t lost : {0, 10, 500}) {
        const std::int64_t slow = lost == 500 ? 400 : lost, gap = lost == 500 ? 100 : 0;
        profile.run_spans.push_back(spanOf(profile, "run", at, at + 700 + lost, EventKind::run));
        profile.kernels.push_back(spanOf(profile, "fine", at + 10, at + 210));
        profile.kernels.push_back(
            spanOf(profile, "slow", at + 220 + gap, at + 220 + gap + 300 + slow));
        profile.kernels.push_back(spanOf(profile, "fine", at + 530 + lost, at + 680 + lost));
        at += 700 + lost + 50;
    }
    return profile;
}

TEST(RunPair, JoinsKernelsAndFindsWhatWasLost) {
    const Profile profile = threeRuns();
    EXPECT_EQ(typical_run(profile).index, 1u);
    const auto pair = pairRuns(profile, group_kernels(profile));
    ASSERT_TRUE(pair);
    EXPECT_EQ(pair->typicalRun, 1u);
    EXPECT_EQ(pair->slowestRun, 2u);
    EXPECT_EQ(pair->lostNs(), 490);
    ASSERT_EQ(pair->kernels.size(), 3u);
    for (const PairedKernel& kernel : pair->kernels) {
        ASSERT_NE(kernel.typical, PairedKernel::none);
        ASSERT_NE(kernel.slowest, PairedKernel::none);
        EXPECT_EQ(profile.name(profile.kernels[kernel.typical]),
                  profile.name(profile.kernels[kernel.slowest]));
        EXPECT_EQ(kernel.slowest - kernel.typical, 3u)
            << "the first fine with the first, the second with the second";
    }
    ASSERT_EQ(pair->marks.size(), 1u);
    EXPECT_EQ(profile.name(profile.kernels[pair->kernels[pair->marks[0]].slowest]), "slow");
    EXPECT_EQ(pair->kernels[pair->marks[0]].lostNs, 390);
    EXPECT_EQ(pair->betweenNs, 100);
    EXPECT_EQ(pair->typical.size(), 3u);
    EXPECT_EQ(pair->slowest.begin()->begin, 10) << "from the begin of the run";
}

TEST(RunPair, AKernelOfOneRunAloneCountsWhole) {
    Profile profile = threeRuns();
    profile.kernels.erase(profile.kernels.begin() + 4);  // "slow" of the typical run
    const auto pair = pairRuns(profile, group_kernels(profile));
    ASSERT_TRUE(pair);
    const auto& slow = pair->kernels[pair->marks.at(0)];
    EXPECT_EQ(slow.typical, PairedKernel::none);
    EXPECT_EQ(slow.lostNs, 700);
}

TEST(RunPair, OneRunOrNoKernelsArePairedWithNothing) {
    Profile profile = threeRuns();
    Profile bare = profile;
    bare.kernels.clear();
    EXPECT_FALSE(pairRuns(bare, group_kernels(bare)));
    profile.run_spans.resize(1);
    EXPECT_FALSE(pairRuns(profile, group_kernels(profile)));
}

class SlowRunTest : public WindowTest {
protected:
    SlowRunView* view() const { return find<SlowRunView>("slowRunView"); }
    QAction* action() const { return command(QStringLiteral("Slowest over typical run")); }
};

TEST_F(SlowRunTest, TakesThePlaceOfTheTimelineAndPicksNodes) {
    openSample("squeezenet");
    window_->showPage(QStringLiteral("run"));
    EXPECT_FALSE(action()->isEnabled());
    runModel();
    ASSERT_TRUE(action()->isEnabled());
    action()->trigger();
    ASSERT_TRUE(view()->isVisible());
    EXPECT_FALSE(find<TimelineView>("timelineView")->isVisible());
    const RunPair& pair = *view()->pair();
    EXPECT_TRUE(view()->headline().contains(QStringLiteral("longer than run")))
        << view()->headline().toStdString();
    EXPECT_EQ(pair.slowestNs - pair.typicalNs, pair.lostNs());
    std::int64_t lost = pair.betweenNs;
    for (const PairedKernel& kernel : pair.kernels) lost += kernel.lostNs;
    EXPECT_EQ(lost, pair.lostNs()) << "kernels and what lies between them add up";
    EXPECT_FALSE(view()->grab().toImage().isNull());
    if (!pair.marks.empty()) {
        QTest::keyClick(view(), Qt::Key_Right);
        EXPECT_EQ(view()->current(), std::ptrdiff_t(pair.marks.front()));
        EXPECT_TRUE(workbench_->focus().node) << "the Inspector and the tables follow";
        EXPECT_TRUE(view()->accessibleDescription().contains(QStringLiteral("in the slowest run")));
    }
    action()->trigger();
    EXPECT_TRUE(find<TimelineView>("timelineView")->isVisible());
}

TEST_F(SlowRunTest, OneRunSaysWhyThereIsNothingToCompare) {
    app::RunSettings settings = workbench_->runSettings();
    settings.repetitions = 1;
    workbench_->setRunSettings(settings);
    openSample("mlp");
    window_->showPage(QStringLiteral("run"));
    runModel();
    EXPECT_FALSE(action()->isEnabled());
    EXPECT_TRUE(action()->toolTip().contains(QStringLiteral("two recorded runs")))
        << action()->toolTip().toStdString();
}

}  // namespace
}  // namespace lapidary::views
