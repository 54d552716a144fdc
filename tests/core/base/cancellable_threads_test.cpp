// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>

#include <lapidary/base/error.h>

#include "base/threads/cancellable_threads.h"
#include "base/threads/session_threads.h"

namespace lapidary {
namespace {

class CancellableThreadsTest : public testing::TestWithParam<int> {
protected:
    std::unique_ptr<SessionThreads> pool = make_session_threads(GetParam());
    CancelToken token;
    CancellableThreads threads{*pool, token};
};

TEST_P(CancellableThreadsTest, CoversTheRangeOnce) {
    for (const std::int64_t count : {1, 7, 64, 1000, 100'003})
        for (const std::int64_t grain :
             {std::int64_t{0}, std::int64_t{1}, std::int64_t{50}, std::int64_t{1} << 62}) {
            std::vector<std::atomic<int>> seen(static_cast<std::size_t>(count));
            pool->execute([&] {
                threads.parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
                    for (std::int64_t i = begin; i < end; ++i) ++seen[static_cast<std::size_t>(i)];
                });
            });
            for (const auto& times : seen) ASSERT_EQ(times, 1) << count << " by " << grain;
        }
}

// Counted, not timed: a cancelled range stops within one sixty-fourth of what each thread was
// given.
TEST_P(CancellableThreadsTest, ARangeEndsSoonAfterTheCancel) {
    constexpr std::int64_t count = 1 << 20;
    std::atomic<std::int64_t> done{0};
    const auto run = [&] {
        pool->execute([&] {
            threads.parallel_for(count, 16, [&](std::int64_t begin, std::int64_t end) {
                token.cancel();
                done += end - begin;
            });
        });
    };
    EXPECT_THROW(run(), Error);
    EXPECT_LE(done, GetParam() * (count / GetParam() / 64 + 128));
}

TEST_P(CancellableThreadsTest, NoTaskBeginsAfterTheCancel) {
    std::atomic<int> begun{0};
    const auto run = [&] {
        pool->execute([&] {
            threads.parallel_tasks(10'000, [&](std::int64_t, int) {
                ++begun;
                token.cancel();
            });
        });
    };
    try {
        run();
        FAIL() << "nothing was thrown";
    } catch (const Error& error) { EXPECT_EQ(error.code(), ErrorCode::cancelled); }
    EXPECT_LE(begun, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Threads, CancellableThreadsTest, testing::Values(1, 2, 3));

}  // namespace
}  // namespace lapidary
