// SPDX-License-Identifier: Apache-2.0
// Five million events: opening takes seconds, a frame milliseconds.
#include <gtest/gtest.h>

#include <QTest>

#include "run/timeline/timeline_view.h"
#include "support/cpu_clock.h"
#include "support/time_budget.h"
#include "views/run/many_events.h"

namespace lapidary::views {
namespace {

const double slowdown = 3 * wall_factor;  // a neighbour on the same core, a slower machine

TEST(TimelineSize, FiveMillionEventsOpenInSecondsAndScrollSmoothly) {
    constexpr std::size_t events = 5'000'000;
    app::RunRecord record;
    record.profile = manyEvents(events);
    double start = test::thread_cpu_seconds();
    record.summary = summarize(*record.profile);
    const RunDigestPtr digest =
        digestRun(std::make_shared<const app::RunRecord>(std::move(record)));
    TimelineView view;
    view.resize(1600, 500);
    view.setDigest(digest);
    view.fitAll();
    view.viewport()->grab();
    EXPECT_LT(test::thread_cpu_seconds() - start, 5 * slowdown);
    EXPECT_EQ(digest->groups.first.size(), 1000u);
    std::size_t shown = 0;
    for (const TimelineTrack& track : digest->timeline.tracks)
        for (const TimelineLane& lane : track.lanes) shown += lane.size();
    EXPECT_GE(shown, events);

    const double begin = double(digest->timeline.begin),
                 whole = double(digest->timeline.end) - begin;
    double worst = 0;
    const auto frame = [&] {
        start = test::thread_cpu_seconds();
        view.viewport()->grab();
        worst = std::max(worst, test::thread_cpu_seconds() - start);
    };
    for (double part = 1; part > 1e-7; part /= 4) {
        view.showTimes(begin + whole * 0.37, begin + whole * 0.37 + whole * part);
        frame();
        QTest::keyClick(&view, Qt::Key_PageDown);
        frame();
    }
    EXPECT_LT(worst, 0.05 * slowdown);

    start = test::thread_cpu_seconds();
    const RunTotals totals =
        totalsInRange(*digest, std::int64_t(begin + whole / 4), std::int64_t(begin + whole / 2));
    EXPECT_LT(test::thread_cpu_seconds() - start, 1 * slowdown);
    EXPECT_NEAR(double(totals.kernels), double(digest->run->profile->kernels.size()) / 4, 2000);
    ASSERT_EQ(totals.busy.size(), 4u);
    EXPECT_GT(totals.busy[0], 0.9);
    EXPECT_LT(totals.busy[3], totals.busy[1]);
}

}  // namespace
}  // namespace lapidary::views
