// SPDX-License-Identifier: Apache-2.0
#include "run/timeline/timeline_layout.h"
#include "support/time_budget.h"

#include <gtest/gtest.h>

#include <QLocale>

#include <chrono>
#include <random>

namespace lapidary::views {
namespace {

TimelineSpan span(std::int64_t begin, std::int64_t end, std::uint32_t index = 0,
                  TimelineKind kind = TimelineKind::kernel) {
    return {begin, end, index, kind};
}

TEST(TimelineNesting, PutsInnerSpansDeeper) {
    std::uint64_t hidden = 0;
    const auto lanes =
        nestSpans({span(20, 30, 2), span(0, 100, 0), span(10, 50, 1), span(60, 90, 3)}, hidden);
    ASSERT_EQ(lanes.size(), 3u);
    EXPECT_EQ(lanes[0].size(), 1u);
    ASSERT_EQ(lanes[1].size(), 2u);
    EXPECT_EQ(lanes[1][0].index, 1u);
    EXPECT_EQ(lanes[1][1].index, 3u);
    EXPECT_EQ(lanes[2][0].index, 2u);
    EXPECT_EQ(hidden, 0u);
}

TEST(TimelineNesting, AKernelOfTheSameTimesLiesWithinItsRun) {
    std::uint64_t hidden = 0;
    const auto lanes = nestSpans(
        {span(0, 10, 0, TimelineKind::kernel), span(0, 10, 0, TimelineKind::run)}, hidden);
    ASSERT_EQ(lanes.size(), 2u);
    EXPECT_EQ(lanes[0][0].kind, TimelineKind::run);
}

TEST(TimelineNesting, LanesNeverOverlapWhateverTheSpans) {
    std::mt19937 random(7);
    std::uniform_int_distribution<int> time(0, 1000), length(0, 80);
    std::vector<TimelineSpan> spans;
    for (std::uint32_t i = 0; i < 400; ++i) {
        const int begin = time(random);
        spans.push_back(span(begin, begin + length(random), i));
    }
    std::uint64_t hidden = 0;
    const auto lanes = nestSpans(spans, hidden);
    std::size_t shown = 0;
    for (const TimelineLane& lane : lanes) {
        shown += lane.size();
        for (std::size_t i = 1; i < lane.size(); ++i) EXPECT_GE(lane[i].begin, lane[i - 1].end);
    }
    EXPECT_EQ(shown + hidden, spans.size());
    EXPECT_LE(lanes.size(), most_timeline_lanes);
}

TEST(TimelineNesting, BoundsTheDepth) {
    std::vector<TimelineSpan> spans;
    for (int i = 0; i < 100; ++i) spans.push_back(span(i, 1000 - i, std::uint32_t(i)));
    std::uint64_t hidden = 0;
    EXPECT_EQ(nestSpans(spans, hidden).size(), most_timeline_lanes);
    EXPECT_EQ(hidden, 100 - most_timeline_lanes);
}

TEST(TimelineFolding, DrawsWideSpansWhereTheyAre) {
    const TimelineLane lane{span(0, 100), span(100, 150), span(200, 300)};
    const auto bars = foldLane(lane, 0, 10, 100);
    ASSERT_EQ(bars.size(), 3u);
    EXPECT_EQ(bars[0].x, 0);
    EXPECT_EQ(bars[0].width, 10);
    EXPECT_EQ(bars[1].x, 10);
    EXPECT_EQ(bars[1].width, 5);
    EXPECT_EQ(bars[2].x, 20);
    EXPECT_EQ(bars[2].width, 10);
    for (const PixelBar& bar : bars) EXPECT_FALSE(bar.merged);
}

TEST(TimelineFolding, MergesWhatSharesAPixelIntoItsLongest) {
    const TimelineLane lane{span(0, 1), span(2, 7), span(8, 9), span(12, 13)};
    const auto bars = foldLane(lane, 0, 10, 10);
    ASSERT_EQ(bars.size(), 2u);
    EXPECT_EQ(bars[0].x, 0);
    EXPECT_TRUE(bars[0].merged);
    EXPECT_EQ(bars[0].span, 1u);
    EXPECT_EQ(bars[1].x, 1);
    EXPECT_FALSE(bars[1].merged);
}

TEST(TimelineFolding, KeepsAWideSpanThatBeginsInACrowdedPixel) {
    const TimelineLane lane{span(0, 1), span(2, 3), span(5, 95)};
    const auto bars = foldLane(lane, 0, 10, 10);
    ASSERT_EQ(bars.size(), 2u);
    EXPECT_EQ(bars[0].width, 1);
    EXPECT_EQ(bars[1].span, 2u);
    EXPECT_EQ(bars[1].width, 9);
}

TEST(TimelineFolding, CutsSpansAtBothEdges) {
    const TimelineLane lane{span(0, 1000), span(1000, 5000), span(6000, 7000)};
    const auto bars = foldLane(lane, 500, 10, 100);  // 500 to 1500
    ASSERT_EQ(bars.size(), 2u);
    EXPECT_EQ(bars[0].x, 0);
    EXPECT_EQ(bars[0].width, 50);
    EXPECT_EQ(bars[1].x, 50);
    EXPECT_EQ(bars[1].width, 50);
    EXPECT_TRUE(foldLane(lane, 100'000, 10, 100).empty());
    EXPECT_TRUE(foldLane({}, 0, 10, 100).empty());
}

TEST(TimelineFolding, CostFollowsPixelsNotSpans) {
    std::vector<TimelineSpan> many;
    for (std::int64_t i = 0; i < 1'000'000; ++i)
        many.push_back(span(i * 10, i * 10 + 7, std::uint32_t(i)));
    const TimelineLane lane(std::move(many));
    const auto begin = std::chrono::steady_clock::now();
    const auto bars = foldLane(lane, 0, 10'000, 1000);
    const auto spent = std::chrono::steady_clock::now() - begin;
    EXPECT_LE(bars.size(), 1000u);
    EXPECT_GE(bars.size(), 990u);
    for (std::size_t i = 1; i < bars.size(); ++i)
        EXPECT_GE(bars[i].x, bars[i - 1].x + bars[i - 1].width);
    EXPECT_LT(std::chrono::duration<double>(spent).count(), 0.05 * wall_factor);
}

TEST(TimelineFolding, EveryPixelWithASpanIsDrawn) {
    std::mt19937 random(11);
    std::uniform_int_distribution<int> gap(0, 40), length(0, 60);
    std::vector<TimelineSpan> some;
    std::int64_t time = 0;
    for (std::uint32_t i = 0; i < 3000; ++i) {
        time += gap(random);
        const std::int64_t end = time + length(random);
        some.push_back(span(time, end, i));
        time = end;
    }
    const TimelineLane lane(std::move(some));
    for (const double scale : {0.5, 3.0, 17.0, 250.0}) {
        const int width = 400;
        std::vector<bool> drawn(std::size_t(width), false), wanted(std::size_t(width), false);
        for (const PixelBar& bar : foldLane(lane, 1000, scale, width))
            for (int x = bar.x; x < bar.x + bar.width; ++x) {
                ASSERT_GE(x, 0);
                ASSERT_LT(x, width);
                drawn[std::size_t(x)] = true;
            }
        for (const TimelineSpan& s : lane) {
            const double x = std::floor((double(s.begin) - 1000) / scale);
            if (x >= 0 && x < width) wanted[std::size_t(x)] = true;
        }
        for (int x = 0; x < width; ++x)
            EXPECT_TRUE(!wanted[std::size_t(x)] || drawn[std::size_t(x)])
                << "pixel " << x << " at " << scale;
    }
}

TEST(TimelineHit, FindsTheSpanAtATimeOrNearIt) {
    const TimelineLane lane{span(0, 10), span(20, 30)};
    EXPECT_EQ(spanAt(lane, 5, 0), 0);
    EXPECT_EQ(spanAt(lane, 25, 0), 1);
    EXPECT_EQ(spanAt(lane, 14, 0), -1);
    EXPECT_EQ(spanAt(lane, 12, 3), 0);
    EXPECT_EQ(spanAt(lane, 18, 3), 1);
    EXPECT_EQ(spanAt({}, 18, 3), -1);
}

TEST(TimelineRuler, ChoosesRoundStepsAndReadableLabels) {
    EXPECT_EQ(rulerStep(0.3), 1);
    EXPECT_EQ(rulerStep(1.5), 2);
    EXPECT_EQ(rulerStep(300), 500);
    EXPECT_EQ(rulerStep(1'000'000), 1'000'000);
    const QLocale before;
    QLocale::setDefault(QLocale::c());
    EXPECT_EQ(rulerLabel(0, 1000), QStringLiteral("0"));
    EXPECT_EQ(rulerLabel(1500, 500), QStringLiteral("1.5 µs"));
    EXPECT_EQ(rulerLabel(12'000'000, 1'000'000), QStringLiteral("12 ms"));
    EXPECT_EQ(rulerLabel(250'000, 50'000), QStringLiteral("250 µs"));
    EXPECT_EQ(rulerLabel(3'250'000'000, 50'000'000), QStringLiteral("3.25 s"));
    QLocale::setDefault(QLocale(QLocale::German));
    EXPECT_EQ(rulerLabel(83'730'000, 5'000), QStringLiteral("83,730 ms"))
        << "a dot would make thousands of it";
    QLocale::setDefault(before);
}

TEST(TimelineOfProfile, HasATrackPerThread) {
    Profile profile;
    Span run;
    run.begin_ns = 100;
    run.end_ns = 200;
    profile.run_spans.push_back(run);
    Span kernel = run;
    kernel.begin_ns = 110;
    kernel.end_ns = 190;
    profile.kernels.push_back(kernel);
    Span range = kernel;
    range.thread = 1;
    range.begin_ns = 120;
    profile.ranges.push_back(range);
    const Timeline timeline = makeTimeline(profile);
    EXPECT_EQ(timeline.begin, 100);
    EXPECT_EQ(timeline.end, 200);
    ASSERT_EQ(timeline.tracks.size(), 2u);
    EXPECT_EQ(timeline.tracks[0].lanes.size(), 2u);
    EXPECT_EQ(timeline.tracks[1].thread, 1);
    EXPECT_EQ(timeline.tracks[1].lanes[0][0].kind, TimelineKind::range);
    EXPECT_TRUE(makeTimeline(Profile{}).tracks.empty());
}

TEST(TimelineLanes, AnswerAsAScanDoes) {
    std::mt19937 random(3);
    std::uniform_int_distribution<int> gap(0, 20), length(0, 60), kind(0, 3);
    std::vector<TimelineSpan> spans;
    std::int64_t time = 0;
    for (std::uint32_t i = 0; i < 20'000; ++i) {
        time += gap(random);
        TimelineSpan one = span(time, time + length(random), i);
        one.isWork = kind(random) != 0;
        time = one.end;
        spans.push_back(one);
    }
    const TimelineLane lane(spans);
    std::uniform_int_distribution<std::size_t> index(0, spans.size() - 1);
    for (int round = 0; round < 300; ++round) {
        const std::size_t a = index(random), b = index(random), first = std::min(a, b),
                          last = std::max(a, b) + 1;
        std::size_t longest = first;
        std::int64_t covered = 0;
        for (std::size_t i = first; i < last; ++i) {
            covered += spans[i].end - spans[i].begin;
            if (spans[i].end - spans[i].begin > spans[longest].end - spans[longest].begin)
                longest = i;
        }
        EXPECT_EQ(lane.longest(first, last), longest);
        EXPECT_EQ(lane.covered(first, last), covered);
        const std::int64_t begin = spans[first].begin + round % 7,
                           end = spans[last - 1].end - round % 5;
        std::int64_t work = 0;
        for (const TimelineSpan& s : spans)
            if (s.isWork)
                work += std::max<std::int64_t>(0, std::min(end, s.end) - std::max(begin, s.begin));
        if (begin < end) { EXPECT_EQ(lane.workBetween(begin, end), work); }
    }
}

TEST(TimelineOfProfile, SaysHowBusyThreadsAre) {
    Profile profile;
    const auto add = [](std::vector<Span>& list, int thread, std::int64_t begin, std::int64_t end,
                        int depth = 0) {
        Span s;
        s.thread = thread;
        s.begin_ns = begin;
        s.end_ns = end;
        s.depth = depth;
        list.push_back(s);
    };
    add(profile.phases, 0, 0, 50);
    add(profile.phases, 0, 10, 40);  // within the other: still no work
    add(profile.run_spans, 0, 100, 200);
    add(profile.kernels, 0, 100, 140);
    add(profile.kernels, 0, 110, 130, 1);  // of a subgraph
    add(profile.ranges, 0, 112, 120);
    add(profile.kernels, 0, 150, 200);
    add(profile.ranges, 1, 150, 175);
    const Timeline timeline = makeTimeline(profile);
    EXPECT_EQ(busyShares(timeline, 100, 200), (std::vector<double>{0.9, 0.25}));
    EXPECT_EQ(busyShares(timeline, 0, 100), (std::vector<double>{0, 0}));
    EXPECT_EQ(busyShares(timeline, 120, 160), (std::vector<double>{0.75, 0.25}));
    EXPECT_EQ(busyShares(timeline, 60, 60), (std::vector<double>{0, 0}));
}

}  // namespace
}  // namespace lapidary::views
