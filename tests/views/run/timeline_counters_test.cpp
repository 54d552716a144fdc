// SPDX-License-Identifier: Apache-2.0
// What is counted over the time of a recording, and how the Run page shows it.
#include <QSignalSpy>

#include "run/memory_curve.h"
#include "run/timeline/timeline_counter_view.h"
#include "run/timeline/timeline_view.h"
#include "views/window_fixture.h"

namespace lapidary::views {
namespace {

Span& addTo(std::vector<Span>& list, int thread, std::int64_t begin, std::int64_t end) {
    Span& span = list.emplace_back();
    span.thread = thread;
    span.begin_ns = begin;
    span.end_ns = end;
    return span;
}

TEST(TimelineCounters, ThreadsAreCountedWhereTheyWork) {
    Profile profile;
    addTo(profile.run_spans, 0, 0, 400);
    addTo(profile.kernels, 0, 0, 200);
    addTo(profile.ranges, 1, 100, 200);
    addTo(profile.kernels, 0, 300, 350);
    const Timeline timeline = makeTimeline(profile);
    EXPECT_EQ(threadsBusy(timeline, {0, 100, 4}), (std::vector<double>{1, 2, 0, 0.5}));
    EXPECT_EQ(threadsBusy(timeline, {100, 50, 2}), (std::vector<double>{2, 2}));
    EXPECT_EQ(threadsBusy(timeline, {1000, 50, 2}), (std::vector<double>{0, 0}));
    EXPECT_EQ(threadsBusy(Timeline(), {0, 1, 2}), (std::vector<double>{0, 0}));
}

TEST(TimelineCounters, WhatADeviceDoesIsNoThread) {
    Profile profile;
    addTo(profile.kernels, 0, 0, 100).label =
        profile.labels.add({.name = "on the device", .provider = "CUDA"});
    addTo(profile.kernels, 0, 100, 200);
    const Timeline timeline = makeTimeline(profile);
    ASSERT_EQ(timeline.tracks.size(), 2u);
    EXPECT_EQ(threadsBusy(timeline, {0, 100, 2}), (std::vector<double>{0, 1}));
}

TEST(TimelineCounters, MemoryIsTheMostWithinAPixel) {
    Profile profile;
    const auto event = [&](std::int64_t at, EventKind kind, std::int64_t bytes) {
        Span& span = addTo(profile.memory, 0, at, at);
        span.kind = kind;
        span.bytes = bytes;
    };
    event(100, EventKind::allocation, 1000);
    event(110, EventKind::allocation, 500);
    event(120, EventKind::release, 500);
    event(320, EventKind::release, 1000);
    const TimelineCounters counters =
        makeCounters(profile, [](const Span&) { return KernelBytes(); });
    EXPECT_EQ(counters.mostHeld, 1500);
    EXPECT_TRUE(counters.moving.empty());
    EXPECT_EQ(bytesHeld(counters, {0, 100, 5}), (std::vector<double>{-1, 1500, 1000, 1000, 0}))
        << "nothing is known before the first event";
    EXPECT_EQ(bytesHeld(counters, {200, 100, 1}), (std::vector<double>{1000}));
}

TEST(TimelineCounters, DataIsMovedWhileKernelsRun) {
    Profile profile;
    addTo(profile.kernels, 0, 0, 100).bytes = 300;
    addTo(profile.kernels, 0, 20, 40).depth = 1;  // within the one before
    addTo(profile.kernels, 0, 150, 200).bytes = 100;
    addTo(profile.kernels, 0, 200, 300);  // not known
    const TimelineCounters counters =
        makeCounters(profile, [](const Span& kernel) { return KernelBytes{double(kernel.bytes)}; });
    ASSERT_EQ(counters.moving.size(), 2u);
    EXPECT_DOUBLE_EQ(counters.usualMoved, 3);
    const std::vector<double> moved = bytesMoved(counters, {0, 50, 6});
    const std::vector<double> wanted{3, 3, 0, 2, 0, 0};
    ASSERT_EQ(moved.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(moved[i], wanted[i], 1e-9) << i;
}

TEST(TimelineCounters, AKernelThatOnlyRenamesIsNoTopOfItsLane) {
    Profile profile;
    addTo(profile.kernels, 0, 0, 1000).bytes = 5000;
    addTo(profile.kernels, 0, 1000, 1002).bytes = 8000;
    addTo(profile.kernels, 0, 1002, 2002).bytes = 9000;
    const TimelineCounters counters =
        makeCounters(profile, [](const Span& kernel) { return KernelBytes{double(kernel.bytes)}; });
    ASSERT_EQ(counters.moving.size(), 3u);
    EXPECT_DOUBLE_EQ(counters.usualMoved, 9) << "not the 4000 of 2 ns";
}

TEST(TimelineCounters, ThePlanSaysWhatIsAliveWhileKernelsRun) {
    Profile profile;
    for (const std::int64_t begin : {100, 500}) {
        addTo(profile.run_spans, 0, begin, begin + 300);
        addTo(profile.kernels, 0, begin, begin + 100).bytes = 700;
        addTo(profile.kernels, 0, begin + 20, begin + 40).depth = 1;  // within the one before
        addTo(profile.kernels, 0, begin + 100, begin + 200).bytes = 300;
    }
    addTo(profile.memory, 0, 90, 90).bytes = 1000;  // the block that the plan divides
    profile.memory.back().kind = EventKind::allocation;
    const TimelineCounters counters = makeCounters(profile, [](const Span& kernel) {
        return KernelBytes{0, kernel.depth == 0 ? kernel.bytes : -1};
    });
    EXPECT_EQ(counters.mostHeld, 700);
    EXPECT_EQ(bytesHeld(counters, {0, 100, 8}),
              (std::vector<double>{-1, 700, 700, 300, 300, 700, 700, 300}))
        << "the most within each pixel";
    EXPECT_EQ(bytesHeld(counters, {420, 60, 1}), (std::vector<double>{0})) << "between runs";
}

class TimelineCountersTest : public WindowTest {};

TEST_F(TimelineCountersTest, FollowTheTimelineAndSayWhatIsUnderTheMouse) {
    openSample("squeezenet");
    window_->showPage(QStringLiteral("run"));
    runModel();
    auto* counters = find<TimelineCounterView>("timelineCounters");
    auto* timeline = find<TimelineView>("timelineView");
    EXPECT_FALSE(counters->isVisible());
    command(QStringLiteral("Counters over time"))->trigger();
    ASSERT_TRUE(counters->isVisible());
    const TimelineCounters& counted = runPage()->digest()->counters;
    EXPECT_GT(counted.usualMoved, 0);
    const QVector<double> alive = aliveBytes(workbench_->run()->plan);
    ASSERT_FALSE(alive.isEmpty());
    EXPECT_EQ(double(counted.mostHeld), *std::ranges::max_element(alive)) << "as the Memory tab";
    EXPECT_EQ(counters->rowCount(), 3) << "threads, activations and data";
    EXPECT_TRUE(counters->accessibleDescription().contains(QStringLiteral("Activations: at most")))
        << counters->accessibleDescription().toStdString();
    timeline->fitTypicalRun();
    const int middle = (timeline->viewport()->width() - timeline->gutterWidth()) / 2;
    EXPECT_TRUE(counters->sentenceAt(middle).contains(QStringLiteral("Threads busy: ")))
        << counters->sentenceAt(middle).toStdString();
    EXPECT_TRUE(counters->sentenceAt(middle).contains(QStringLiteral("GB/s")));
    EXPECT_TRUE(counters->sentenceAt(-1).isEmpty());
    QSignalSpy said(counters, &TimelineCounterView::hovered);
    QTest::mouseMove(counters, {timeline->gutterWidth() + middle, 4});
    ASSERT_TRUE(waitFor([&] { return !said.isEmpty(); }));
    EXPECT_EQ(said.last().first().toString(), counters->sentenceAt(middle));
    const QImage before = counters->grab().toImage();
    timeline->zoomIn();
    EXPECT_NE(counters->grab().toImage(), before);
    command(QStringLiteral("Counters over time"))->trigger();
    EXPECT_FALSE(counters->isVisible());
}

}  // namespace
}  // namespace lapidary::views
