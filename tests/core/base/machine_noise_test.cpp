// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <time.h>
#ifndef _WIN32
#include <unistd.h>
#endif

#include <chrono>
#include <thread>

#include <lapidary/bench/machine_noise.h>

#include "support/time_budget.h"

namespace lapidary {
namespace {

/// Processors of the machine, including those that this process may not use.
double processors() {
#ifdef _WIN32
    return double(std::thread::hardware_concurrency());
#else
    return double(sysconf(_SC_NPROCESSORS_ONLN));
#endif
}

TEST(MachineNoise, LooksAreSharesAndCheap) {
    NoiseProbe probe;
    for (int i = 0; i < 3; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(60));
        timespec before{}, after{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
        const MachineNoise noise = probe.look();
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
        EXPECT_GT(noise.speed, 0);
        EXPECT_LE(noise.speed, 1);
        for (const auto& share : {noise.others, noise.stolen})
            if (share) {
                EXPECT_GE(*share, 0);
                EXPECT_LE(*share, 1);
            }
        const double ms = double(after.tv_sec - before.tv_sec) * 1e3 +
                          double(after.tv_nsec - before.tv_nsec) / 1e6;
        EXPECT_LT(ms, 20 * wall_factor) << "of CPU time";
    }
}

TEST(MachineNoise, OwnWorkDoesNotCountAsThatOfOthers) {
    NoiseProbe probe;
    if (!probe.look().others) GTEST_SKIP() << "the system does not report it";
    const auto cpu_seconds = [] {
        timespec now{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
        return double(now.tv_sec) + double(now.tv_nsec) / 1e9;
    };
    const double before = cpu_seconds();
    const auto start = std::chrono::steady_clock::now();
    probe.skip();
    while (std::chrono::steady_clock::now() < start + std::chrono::milliseconds(500)) {}
    const double others = *probe.look().others;
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double mine = (cpu_seconds() - before) / (seconds * processors());
    EXPECT_LE(others, 1.0 - 0.8 * mine + 0.05)
        << "this thread's own time was counted as that of others";
}

TEST(MachineNoise, HasThreeDegrees) {
    EXPECT_EQ(quietness_of({1.0, 0.0, 0.0}), Quietness::quiet);
    EXPECT_EQ(quietness_of({0.99, {}, {}}), Quietness::quiet);
    EXPECT_EQ(quietness_of({0.95, 0.0, 0.0}), Quietness::some);
    EXPECT_EQ(quietness_of({1.0, 0.04, 0.0}), Quietness::some);
    EXPECT_EQ(quietness_of({0.7, 0.0, 0.0}), Quietness::loud);
    EXPECT_EQ(quietness_of({1.0, 0.05, 0.06}), Quietness::loud);
}

}  // namespace
}  // namespace lapidary
