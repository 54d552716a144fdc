// SPDX-License-Identifier: Apache-2.0
#include "base/threads/wait_for_change.h"

#include <gtest/gtest.h>

#include <lapidary/internal/joined_threads.h>

namespace lapidary {
namespace {

TEST(WaitForChange, ReturnsAtOnceWhereTheNumberIsAnotherOne) {
    const std::atomic<std::uint32_t> small{3};
    wait_for_change(small, 4);
    const std::atomic<std::uint64_t> large{std::uint64_t{1} << 40};
    wait_for_change(large, 0);
}

/// Two threads exchange numbers, so that each wake-up comes while the other one goes to sleep.
template <typename Number>
void play(int rounds) {
    std::atomic<Number> there{0}, back{0};
    JoinedThreads other([&] {
        there.store(~Number{0});
        wake_waiters(there);
    });
    other.start(1, "the other one", [&](int) {
        for (Number seen = 0;;) {
            wait_for_change(there, seen);
            seen = there.load();
            if (seen == ~Number{0}) return;
            back.store(seen);
            wake_waiters(back);
        }
    });
    for (Number round = 1; round <= static_cast<Number>(rounds); ++round) {
        there.store(round);
        wake_waiters(there);
        while (back.load() != round) wait_for_change(back, round - 1);
    }
    EXPECT_EQ(back.load(), static_cast<Number>(rounds));
}

TEST(WaitForChange, LosesNoWakeUp) {
    play<std::uint32_t>(20000);
    play<std::uint64_t>(20000);
}

TEST(WaitForChange, WakesAllOfThem) {
    std::atomic<std::uint32_t> value{0}, woken{0};
    JoinedThreads sleepers([&] {
        value.store(2);
        wake_waiters(value);
    });
    sleepers.start(4, "sleepers", [&](int) {
        wait_for_change(value, 0);
        woken.fetch_add(1);
        wake_waiters(woken);
    });
    value.store(1);
    wake_waiters(value);
    for (std::uint32_t n = woken.load(); n < 4; n = woken.load()) wait_for_change(woken, n);
    EXPECT_EQ(woken.load(), 4u);
}

}  // namespace
}  // namespace lapidary
