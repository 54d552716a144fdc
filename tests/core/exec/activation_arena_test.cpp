// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#ifndef _WIN32
#include <sys/mman.h>
#endif

#include <algorithm>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "base/memory/page_memory.h"
#include "exec/memory/activation_arena.h"

namespace lapidary {
namespace {

TEST(ActivationArena, ReusesAndJoinsWhatIsFree) {
    ActivationArena arena(ArenaExtend::next_power_of_two);
    void* a = arena.allocate(1000);
    void* b = arena.allocate(2000);
    void* c = arena.allocate(3000);
    EXPECT_EQ(arena.reserved(), ActivationArena::first_region);
    EXPECT_EQ(arena.in_use(), 1024u + 2048u + 3008u);
    arena.release(a);
    arena.release(b);
    EXPECT_EQ(arena.allocate(3072), a) << "the two are one again";
    arena.release(a);
    arena.release(c);
    EXPECT_EQ(arena.allocate(ActivationArena::first_region), a) << "and the whole region";
    arena.release(a);
    EXPECT_EQ(arena.in_use(), 0u);
    arena.shrink();
    EXPECT_EQ(arena.reserved(), 0u);
}

TEST(ActivationArena, TakesTheSmallestThatFits) {
    ActivationArena arena(ArenaExtend::next_power_of_two);
    void* large = arena.allocate(8192);
    void* wall = arena.allocate(64);
    void* small = arena.allocate(1024);
    void* end = arena.allocate(64);
    arena.release(large);
    arena.release(small);
    EXPECT_EQ(arena.allocate(1000), small);
    EXPECT_EQ(arena.allocate(1100), large);
    for (void* p : {small, large, wall, end}) arena.release(p);
}

// The oldest is taken, whatever addresses the system gave, so that a newer region stays whole for
// a large block.
TEST(ActivationArena, TakesTheOldestRegionOfThoseThatFitAlike) {
    ActivationArena arena(ArenaExtend::same_as_requested);
    constexpr std::size_t bytes = std::size_t{4} << 20;
    void* const first = arena.allocate(bytes);
    void* const second = arena.allocate(bytes);
    void* const third = arena.allocate(bytes);
    for (void* block : {second, third, first}) arena.release(block);
    for (void* expected : {first, second, third}) EXPECT_EQ(arena.allocate(bytes), expected);
    for (void* block : {first, second, third}) arena.release(block);
    EXPECT_EQ(arena.reserved(), 3 * bytes);
}

TEST(ActivationArena, PreparedMemoryIsResident) {
    ActivationArena arena(ArenaExtend::next_power_of_two);
    constexpr std::size_t bytes = std::size_t{3} << 20;
    arena.prepare(bytes);
    EXPECT_EQ(arena.reserved(), bytes);
    EXPECT_EQ(arena.in_use(), 0u);
    void* const all = arena.allocate(bytes);
    EXPECT_EQ(arena.reserved(), bytes);
#ifdef MADV_POPULATE_WRITE
    const auto page = page_size();
    // Linux before 5.14 and emulators do not know it
    if (::madvise(all, page, MADV_POPULATE_WRITE) == 0) {
        std::vector<unsigned char> resident(bytes / page);
        ASSERT_EQ(::mincore(all, bytes, resident.data()), 0);
        EXPECT_EQ(std::ranges::count_if(resident, [](unsigned char r) { return r & 1; }),
                  std::ssize(resident));
    }
#endif
    arena.release(all);
    arena.prepare(0);
    arena.shrink();
    EXPECT_EQ(arena.reserved(), 0u);
}

TEST(ActivationArena, GrowsByItsStrategy) {
    ActivationArena powers(ArenaExtend::next_power_of_two), exact(ArenaExtend::same_as_requested);
    constexpr std::size_t three_mb = std::size_t{3} << 20;
    void* p = powers.allocate(three_mb);
    void* q = powers.allocate(three_mb);
    EXPECT_EQ(powers.reserved(), std::size_t{12} << 20) << "4 MB, then 8 MB";
    void* r = exact.allocate(three_mb);
    void* s = exact.allocate(three_mb);
    EXPECT_EQ(exact.reserved(), 2 * three_mb);
    powers.release(p);
    powers.shrink();
    EXPECT_EQ(powers.reserved(), std::size_t{8} << 20);
    exact.release(r);
    exact.shrink();
    EXPECT_EQ(exact.reserved(), three_mb);
    powers.release(q);
    exact.release(s);
}

TEST(ActivationArena, RefusesWhatNoSystemHas) {
    ActivationArena arena(ArenaExtend::same_as_requested);
    EXPECT_EQ(arena.allocate(~std::size_t{0}), nullptr);
    EXPECT_EQ(arena.allocate(std::size_t{1} << 60), nullptr);
    EXPECT_EQ(arena.reserved(), 0u);
}

TEST(ActivationArena, BlocksNeverOverlapFromAnyThread) {
    ActivationArena arena(ArenaExtend::next_power_of_two);
    const auto work = [&](unsigned seed) {
        std::mt19937 random(seed);
        std::vector<std::pair<unsigned char*, std::size_t>> held;
        for (int i = 0; i < 3000; ++i) {
            if (held.size() < 20 && random() % 2 == 0) {
                const std::size_t bytes = 1 + random() % 20'000;
                auto* p = static_cast<unsigned char*>(arena.allocate(bytes));
                ASSERT_EQ(reinterpret_cast<std::uintptr_t>(p) % ActivationArena::alignment, 0u);
                std::memset(p, static_cast<int>(bytes % 251), bytes);
                held.emplace_back(p, bytes);
            } else if (!held.empty()) {
                std::swap(held[random() % held.size()], held.back());
                const auto [p, bytes] = held.back();
                held.pop_back();
                for (std::size_t k = 0; k < bytes; k += 97) ASSERT_EQ(p[k], bytes % 251);
                arena.release(p);
            }
            if (i % 500 == 0) arena.shrink();
        }
        for (auto& [p, bytes] : held) arena.release(p);
    };
    std::thread other(work, 1);
    work(2);
    other.join();
    EXPECT_EQ(arena.in_use(), 0u);
    arena.shrink();
    EXPECT_EQ(arena.reserved(), 0u);
}

}  // namespace
}  // namespace lapidary
