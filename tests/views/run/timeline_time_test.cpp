// SPDX-License-Identifier: Apache-2.0
// How long a frame takes while five million events are panned and zoomed.
#include <gtest/gtest.h>

#include <QTest>

#include <algorithm>

#include "run/timeline/timeline_counter_view.h"
#include "run/timeline/timeline_view.h"
#include "support/cpu_clock.h"
#include "support/time_budget.h"
#include "views/run/many_events.h"
#include "widgets/plot/picture_export.h"

namespace lapidary::views {
namespace {

constexpr std::size_t events = 5'000'000;

/// The time of the GUI thread that 95 of 100 frames stay below, in ms.
double percentile95(std::vector<double> frames) {
    std::ranges::sort(frames);
    return frames.at(frames.size() * 95 / 100);
}

TEST(TimelineTime, PanningKeepsUpWithTheScreen) {
    app::RunRecord record;
    record.profile = manyEvents(events);
    record.summary = summarize(*record.profile);
    const RunDigestPtr digest =
        digestRun(std::make_shared<const app::RunRecord>(std::move(record)));
    TimelineView view;
    view.resize(1600, 1000);
    TimelineCounterView counters(view);
    view.setDigest(digest);
    counters.setDigest(digest);
    counters.resize(1600, counters.sizeHint().height());
    view.viewport()->grab();
    const double begin = double(digest->timeline.begin),
                 whole = double(digest->timeline.end) - begin;
    for (const double scale : {1.0, 2.0}) {
        std::vector<double> frames;
        for (double part = 1; part > 1e-6; part /= 10) {
            const double from = begin + whole * 0.3;
            view.showTimes(from, from + whole * part);
            for (int step = 0; step < 20; ++step) {
                const double start = test::thread_cpu_seconds();
                QTest::keyClick(&view, step < 10 ? Qt::Key_D : Qt::Key_A);
                EXPECT_FALSE(pictureOf(view, scale).isNull());
                EXPECT_FALSE(pictureOf(counters, scale).isNull());
                frames.push_back((test::thread_cpu_seconds() - start) * 1e3);
            }
        }
        const double limit = (scale > 1 ? 33 : 16) * time_factor;
        EXPECT_LT(percentile95(frames), limit) << "ms at " << scale * 100 << " %";
    }
}

}  // namespace
}  // namespace lapidary::views
