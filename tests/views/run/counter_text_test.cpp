// SPDX-License-Identifier: Apache-2.0
// What the processor counted, as the Run page says it.
#include "run/counter_text.h"
#include "views/window_fixture.h"

namespace lapidary::views {
namespace {

TEST(CounterText, SaysRatesOrWhyThereAreNone) {
    RunCounters counters;
    EXPECT_EQ(counterFigure(counters), QStringLiteral("–"));
    EXPECT_TRUE(counterLines(counters).startsWith(QStringLiteral("No hardware counters:")))
        << counterLines(counters).toStdString();
    EXPECT_TRUE(counterLines(counters).contains(QStringLiteral("Frequency: not known")));
    counters.events = counters.energy = CounterAccess::forbidden;
    counters.restriction = 4;
    EXPECT_TRUE(counterLines(counters).contains(
        QStringLiteral("kernel.perf_event_paranoid is 4, at most 2")))
        << counterLines(counters).toStdString();
    EXPECT_TRUE(counterLines(counters).contains(QStringLiteral("administrator")));
    counters.events = counters.energy = CounterAccess::counted;
    counters.runs = 2;
    counters.seconds = 1;
    counters.cycles = 2e9;
    counters.instructions = 5e9;
    counters.cache_misses = 1e7;
    counters.frontend_stalls = 2e8;
    counters.joules = 7;
    counters.ghz = 3;
    counters.highest_ghz = 3.5;
    counters.throttled = 1;
    EXPECT_EQ(counterFigure(counters), QStringLiteral("2.50"));
    const QString lines = counterLines(counters);
    for (const char* part :
         {"2.50 instructions per cycle", "waited for instructions", "0.64 GB/s from memory",
          "3.00 of 3.50 GHz", "Slowed down by heat, times: 1", "3.5 J in a run"})
        EXPECT_TRUE(lines.contains(QString::fromLatin1(part)))
            << part << " in " << lines.toStdString();
}

using CounterTextTest = WindowTest;

TEST_F(CounterTextTest, ARunHasThem) {
    openSample("mlp");
    runModel();
    const app::RunRecordPtr run = workbench_->run();
    ASSERT_TRUE(run);
    ASSERT_TRUE(run->counters);
    EXPECT_EQ(run->counters->runs, run->profile->runs);
    EXPECT_GT(run->counters->seconds, 0);
}

}  // namespace
}  // namespace lapidary::views
