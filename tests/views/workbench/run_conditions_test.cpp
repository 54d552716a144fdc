// SPDX-License-Identifier: Apache-2.0
// Which figures are shown for the running variant, and under which conditions they say they were
// measured.
#include <gtest/gtest.h>

#include "workbench/project/project_state.h"
#include "workbench/document/run_conditions.h"

namespace lapidary::app {
namespace {

RunFigures figuresOf(RunKind kind, double low, double median, double high) {
    RunFigures figures;
    figures.recipe = Recipe::plain(Level::all);
    figures.kind = kind;
    figures.threads = 2;
    figures.low_ms = low;
    figures.median_ms = median;
    figures.high_ms = high;
    return figures;
}

const RunConditions conditions{{}, 2, QString()};

TEST(RunConditions, MeasuredFiguresComeBeforeProfiledOnes) {
    const std::vector<RunFigures> runs{figuresOf(RunKind::measurement, 9, 10, 11),
                                       figuresOf(RunKind::profile, 10, 11, 12)};
    EXPECT_EQ(newestUnder(runs, Recipe::plain(Level::all), conditions), &runs[0]);
    EXPECT_EQ(newestUnder(runs, {}, conditions), &runs[0]) << "the original runs at level all";
    EXPECT_EQ(newestUnder(runs, Recipe::plain(Level::disabled), conditions), nullptr);
    EXPECT_EQ(newestUnder(runs, {}, {{}, 1, QString()}), nullptr);
}

// Profiling costs time, so a profiled run of 98 ms shows that an unprofiled figure of 259 ms is out
// of date.
TEST(RunConditions, AFigureThatALaterProfiledRunContradictsIsGone) {
    std::vector<RunFigures> runs{figuresOf(RunKind::measurement, 230, 259, 290),
                                 figuresOf(RunKind::profile, 97, 98.3, 99)};
    EXPECT_EQ(newestUnder(runs, {}, conditions), &runs[1]);
    runs.push_back(figuresOf(RunKind::measurement, 90, 91, 92));
    EXPECT_EQ(newestUnder(runs, {}, conditions), &runs[2]) << "measured anew";
    std::swap(runs[1], runs[2]);
    EXPECT_EQ(newestUnder(runs, {}, conditions), &runs[1]) << "slower when profiled, as usual";
}

TEST(RunConditions, NameLevelThreadsAndSizes) {
    EXPECT_EQ(conditionsText({}, 2, {{"batch", 1}, {"sequence", 128}}),
              QStringLiteral("level All · threads: 2 · batch 1 · sequence 128"));
    EXPECT_EQ(conditionsText(Recipe::plain(Level::disabled), 1, {}),
              QStringLiteral("level Disabled · threads: 1"));
    Recipe switched = Recipe::plain(Level::extended);
    switched.disabled_passes = {"fuse_gelu"};
    EXPECT_EQ(conditionsText(switched, 4, {}), nameOf(switched) + QStringLiteral(" · threads: 4"));
}

}  // namespace
}  // namespace lapidary::app
