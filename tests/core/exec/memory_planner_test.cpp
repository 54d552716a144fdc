// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>

#include "exec/memory/memory_planner.h"
#include "support/cpu_clock.h"
#include "support/time_budget.h"

namespace lapidary {
namespace {

TEST(MemoryPlanner, ReusesWhatIsFree) {
    // a lives 0-1, b 1-2, c 2-3: c fits where a was.
    const std::vector<Lifetime> lives{{0, 1, 128}, {1, 2, 64}, {2, 3, 128}};
    const MemoryPlan plan = plan_memory(lives);
    EXPECT_EQ(plan.offsets[0], plan.offsets[2]);
    EXPECT_EQ(plan.total_bytes, 192u);
}

TEST(MemoryPlanner, TakesTheSmallestGapThatHolds) {
    // Two gaps open at step 2: 256 bytes at 0 and 64 bytes further up; the small block takes the
    // small gap.
    const std::vector<Lifetime> lives{
        {0, 1, 256}, {0, 9, 200}, {0, 1, 128}, {0, 9, 128}, {2, 9, 128}};
    const MemoryPlan plan = plan_memory(lives);
    EXPECT_EQ(plan.offsets[4], plan.offsets[2]);
}

TEST(MemoryPlanner, NothingAndEmptyBlocks) {
    EXPECT_EQ(plan_memory({}).total_bytes, 0u);
    const std::vector<Lifetime> lives{{0, 0, 0}, {0, 0, 1}};
    const MemoryPlan plan = plan_memory(lives);
    EXPECT_NE(plan.offsets[0], plan.offsets[1]);
}

TEST(MemoryPlanner, LongChainsTakeLittleTime) {
    std::vector<Lifetime> lives;
    for (std::size_t i = 0; i < 200'000; ++i) lives.push_back({i, i + 1, 64 + i % 7 * 64});
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_LE(plan_memory(lives).total_bytes, 3u * 448u);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1) * wall_factor);
}

TEST(MemoryPlanner, AHundredThousandAtOnceTakeLittleTime) {
    std::vector<Lifetime> lives;
    for (std::size_t i = 0; i < 100'000; ++i) lives.push_back({i, 100'000, 64 + i % 7 * 64});
    const double start = test::thread_cpu_seconds();
    const MemoryPlan plan = plan_memory(lives);
    EXPECT_LT(test::thread_cpu_seconds() - start, 3 * wall_factor);
    std::uint64_t sum = 0;
    for (const Lifetime& l : lives) sum += l.bytes;
    EXPECT_EQ(plan.total_bytes, sum);
}

// More pairs than are looked at one by one.
TEST(MemoryPlanner, BlocksOfCrowdedPlansNeverOverlap) {
    std::mt19937 random(11);
    std::vector<Lifetime> lives(5000);
    for (Lifetime& l : lives) {
        l.first = random() % 1000;
        l.last = l.first + random() % 1000;
        l.bytes = random() % 5000;
    }
    const MemoryPlan plan = plan_memory(lives);
    std::vector<std::uint64_t> needed(2000, 0);
    for (std::size_t i = 0; i < lives.size(); ++i) {
        ASSERT_LE(plan.offsets[i] + lives[i].bytes, plan.total_bytes);
        ASSERT_EQ(plan.offsets[i] % 64, 0u);
        for (std::size_t step = lives[i].first; step <= lives[i].last; ++step)
            needed[step] += (std::max<std::uint64_t>(lives[i].bytes, 1) + 63) / 64 * 64;
        for (std::size_t j = 0; j < i; ++j) {
            if (lives[i].last < lives[j].first || lives[j].last < lives[i].first) continue;
            ASSERT_TRUE(plan.offsets[i] + lives[i].bytes <= plan.offsets[j] ||
                        plan.offsets[j] + lives[j].bytes <= plan.offsets[i])
                << i << ", " << j;
        }
    }
    EXPECT_LE(plan.total_bytes, std::ranges::max(needed) * 5 / 4);
}

TEST(MemoryPlanner, LiveBlocksNeverOverlap) {
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
        std::vector<Lifetime> lives(1 + random() % 60);
        std::uint64_t sum = 0;
        for (Lifetime& l : lives) {
            l.first = random() % 40;
            l.last = l.first + random() % 10;
            l.bytes = random() % 5000;
            sum += (l.bytes + 127) / 64 * 64;
        }
        const MemoryPlan plan = plan_memory(lives);
        EXPECT_LE(plan.total_bytes, sum);
        for (std::size_t i = 0; i < lives.size(); ++i) {
            EXPECT_EQ(plan.offsets[i] % 64, 0u);
            EXPECT_LE(plan.offsets[i] + lives[i].bytes, plan.total_bytes);
            for (std::size_t j = 0; j < i; ++j) {
                if (lives[i].last < lives[j].first || lives[j].last < lives[i].first) continue;
                EXPECT_TRUE(plan.offsets[i] + lives[i].bytes <= plan.offsets[j] ||
                            plan.offsets[j] + lives[j].bytes <= plan.offsets[i]);
            }
        }
    }
}

}  // namespace
}  // namespace lapidary
