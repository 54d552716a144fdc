// SPDX-License-Identifier: Apache-2.0
// What the processor counted during runs: figures made of it, reasons, and a real reading.
#include <gtest/gtest.h>

#include <cmath>

#include <lapidary/bench/run_counters.h>

#include "base/process/hardware_counters.h"
#include "base/processor_state.h"

namespace lapidary {
namespace {

RunCounters counted() {
    RunCounters counters;
    counters.runs = 4;
    counters.seconds = 2;
    counters.events = CounterAccess::counted;
    counters.cycles = 8e9;
    counters.instructions = 12e9;
    counters.cache_misses = 1e8;
    counters.frontend_stalls = 4e8;
    counters.ghz = 3.2;
    counters.highest_ghz = 3.8;
    counters.throttled = 0;
    counters.energy = CounterAccess::counted;
    counters.joules = 50;
    return counters;
}

TEST(RunCounters, MakesRatesOfCounts) {
    const RunCounters counters = counted();
    EXPECT_DOUBLE_EQ(counters.instructions_per_cycle(), 1.5);
    EXPECT_DOUBLE_EQ(counters.frontend_share().value(), 0.05);
    EXPECT_DOUBLE_EQ(counters.memory_gb_per_s().value(), 3.2) << "64 bytes a miss, in 2 s";
    EXPECT_DOUBLE_EQ(counters.joules_per_run().value(), 12.5);
    EXPECT_EQ(text_of(counters),
              "1.50 instructions per cycle; 5.0 % of the cycles waited for instructions; 2.5e+07 "
              "misses of the last cache in a run, 3.20 GB/s; 3.20 of 3.80 GHz, not slowed down by "
              "heat; 12.5 J in a run, of the whole processor");
}

TEST(RunCounters, LeavesOutWhatTheProcessorDoesNotCount) {
    RunCounters counters = counted();
    counters.frontend_stalls.reset();
    counters.cache_misses.reset();
    counters.throttled = 2;
    counters.highest_ghz = 0;
    EXPECT_FALSE(counters.frontend_share());
    EXPECT_FALSE(counters.memory_gb_per_s());
    EXPECT_EQ(text_of(counters),
              "1.50 instructions per cycle; 3.20 GHz, slowed down by heat 2 "
              "times; 12.5 J in a run, of the whole processor");
    counters.throttled = 1;
    EXPECT_NE(text_of(counters).find("slowed down by heat 1 time;"), std::string::npos)
        << text_of(counters);
}

TEST(RunCounters, SaysWhyNothingWasCounted) {
    RunCounters counters;
    EXPECT_EQ(text_of(counters),
              "no hardware counters: this machine shows none, as most virtual machines; frequency "
              "not known; energy not known: the system shows no meter");
    counters.events = counters.energy = CounterAccess::forbidden;
    counters.restriction = 4;
    const std::string forbidden = text_of(counters);
    EXPECT_NE(forbidden.find("kernel.perf_event_paranoid is 4, at most 2 allows them"),
              std::string::npos)
        << forbidden;
    EXPECT_NE(forbidden.find("only an administrator may read the meter"), std::string::npos)
        << forbidden;
    counters.restriction = 2;  // another rule forbids them
    EXPECT_NE(text_of(counters).find("as containers do"), std::string::npos) << text_of(counters);
    EXPECT_EQ(counters.instructions_per_cycle(), 0);
    EXPECT_FALSE(counters.frontend_share());
    EXPECT_FALSE(counters.memory_gb_per_s());
    EXPECT_FALSE(counters.joules_per_run());
}

TEST(RunCounters, AreCountedHereOrHaveAReason) {
    RunWatch watch;
    watch.begin();
    double sum = 0;
    for (int i = 1; i < 2'000'000; ++i) sum += std::sqrt(static_cast<double>(i));
    EXPECT_GT(sum, 0);
    const RunCounters counters = watch.end(3);
    EXPECT_EQ(counters.runs, 3);
    EXPECT_GT(counters.seconds, 0);
    if (counters.events == CounterAccess::counted) {
        EXPECT_GT(counters.cycles, 0);
        EXPECT_GT(counters.instructions, 2'000'000) << "an iteration takes several";
    } else {
        EXPECT_EQ(counters.cycles, 0);
        EXPECT_NE(text_of(counters).find("no hardware counters: "), std::string::npos);
    }
    EXPECT_GE(counters.ghz, 0);
    EXPECT_GE(counters.throttled.value_or(0), 0);
    EXPECT_GE(counters.joules, 0);
}

TEST(RunCounters, MetersBeginAgainAtZero) {
    const std::vector<EnergyMeter> before{{"a", 90, 100}, {"b", 5, 100}, {"gone", 1, 100}};
    const std::vector<EnergyMeter> after{{"b", 25, 100}, {"a", 10, 100}, {"new", 7, 100}};
    EXPECT_DOUBLE_EQ(joules_between(before, after), 20 + 20);
    EXPECT_DOUBLE_EQ(joules_between({}, after), 0);
    EXPECT_DOUBLE_EQ(joules_between({{"a", 90, 0}}, {{"a", 10, 0}}), 0) << "its range is not known";
}

}  // namespace
}  // namespace lapidary
