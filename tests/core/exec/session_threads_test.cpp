// SPDX-License-Identifier: Apache-2.0
// Tasks of a session's threads: each runs once, on any thread; errors reach the caller, and nothing
// outlives its owner.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <chrono>
#include <fstream>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

#include <lapidary/base/error.h>
#include <lapidary/internal/joined_threads.h>

#include "base/threads/session_threads.h"
#include "support/time_budget.h"

namespace lapidary::test {
namespace {

TEST(SessionThreads, RunEachTaskOnce) {
    for (const int size : {1, 2, 3, 5})
        for (const bool spin : {true, false}) {
            const auto threads = make_session_threads(size, spin);
            for (const std::int64_t count : {0, 1, 2, 3, 7, 64, 1001}) {
                std::vector<std::atomic<int>> runs(static_cast<std::size_t>(count));
                std::atomic<int> strangers{0};
                threads->execute([&] {
                    for (int round = 0; round < 20; ++round)
                        threads->parallel_tasks(count, [&](std::int64_t task, int worker) {
                            runs.at(static_cast<std::size_t>(task)).fetch_add(1);
                            if (worker < 0 || worker >= size) ++strangers;
                        });
                });
                for (std::size_t task = 0; task < runs.size(); ++task)
                    EXPECT_EQ(runs[task], 20)
                        << "task " << task << " of " << count << ", " << size << " threads";
                EXPECT_EQ(strangers, 0);
            }
        }
}

TEST(SessionThreads, RunMoreTasksThanOneRegionTakes) {
    constexpr std::int64_t count = (std::int64_t{5} << 19) + 3;
    const auto threads = make_session_threads(2);
    std::vector<std::uint8_t> runs(static_cast<std::size_t>(count));
    threads->execute([&] {
        threads->parallel_tasks(
            count, [&](std::int64_t task, int) { ++runs[static_cast<std::size_t>(task)]; });
    });
    std::int64_t once = 0;
    for (const std::uint8_t n : runs) once += n == 1 ? 1 : 0;
    EXPECT_EQ(once, count);
}

/// Threads of runs on a device are started when they are needed.
TEST(SessionThreads, CalledLateDoTheSame) {
    for (const bool spin : {true, false}) {
        const auto threads = make_session_threads(3, spin);
        threads->call_late();
        for (int run = 0; run < 50; ++run) {
            std::atomic<int> runs{0};
            std::atomic<unsigned> seen{0};
            threads->execute([&] {
                if (run % 3 == 0) return;  // nothing that they could do
                threads->parallel_tasks(3, [&](std::int64_t, int worker) {
                    seen |= 1u << worker;
                    ++runs;
                    // none of the three tasks can end unless three threads run them
                    const auto begin = std::chrono::steady_clock::now();
                    while (runs < 3 &&
                           std::chrono::steady_clock::now() - begin < std::chrono::seconds(60))
                        std::this_thread::yield();
                });
            });
            EXPECT_EQ(runs, run % 3 == 0 ? 0 : 3);
            EXPECT_EQ(seen, run % 3 == 0 ? 0u : 7u);
        }
    }
}

TEST(SessionThreads, PassAnErrorOnAndGoOn) {
    const auto threads = make_session_threads(2);
    threads->execute([&] {
        for (const std::int64_t bad : {0, 50, 99})
            EXPECT_THROW(threads->parallel_tasks(100,
                                                 [&](std::int64_t task, int) {
                                                     if (task == bad)
                                                         throw std::runtime_error("a task");
                                                 }),
                         std::runtime_error)
                << bad;
        std::atomic<int> runs{0};
        threads->parallel_tasks(100, [&](std::int64_t, int) { ++runs; });
        EXPECT_EQ(runs, 100);
    });
}

TEST(SessionThreads, KeepNothingBeyondTheirOwner) {
    const auto setup = std::make_shared<const ThreadSetup>();
    for (int i = 0; i < 200; ++i) {
        const auto threads = make_session_threads(2, true, setup);
        threads->execute([&] { threads->parallel_tasks(2, [](std::int64_t, int) {}); });
    }
    EXPECT_EQ(setup.use_count(), 1) << "work that no thread had begun";
}

TEST(SessionThreads, HelpALaterCallerWhenOtherTasksAreDone) {
    const auto first = make_session_threads(3), second = make_session_threads(3);
    std::set<std::thread::id> helpers;
    std::mutex mutex;
    const auto task = [&](std::int64_t, int) {
        const std::lock_guard lock(mutex);
        helpers.insert(std::this_thread::get_id());
    };
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    first->execute([&] { first->parallel_tasks(8, [](std::int64_t, int) {}); });
    second->execute([&] {  // while the threads may linger with the first
        while (helpers.size() < 2 && std::chrono::steady_clock::now() < end)
            second->parallel_tasks(64, task);
    });
    EXPECT_GE(helpers.size(), 2u);
}

TEST(JoinedThreads, ReportHowManyWereRequestedAndStartedAndLeaveNone) {
    if (under_sanitizer) GTEST_SKIP() << "the sanitizer reserves addresses of its own";
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
    std::atomic<int> running{0};
    std::atomic<bool> stop{false};
    std::string text;
    {
        std::ifstream status("/proc/self/statm");
        std::uint64_t pages = 0;
        status >> pages;
        rlimit tight = before;
        tight.rlim_cur =
            pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) + (std::uint64_t{200} << 20);
        ASSERT_EQ(setrlimit(RLIMIT_AS, &tight), 0);
        JoinedThreads threads([&] { stop = true; });
        try {
            threads.start(500, "threads of a test", [&](int) {
                ++running;
                while (!stop) std::this_thread::yield();
                --running;
            });
        } catch (const Error& error) {
            text = error.what();
            EXPECT_EQ(error.code(), ErrorCode::limit_exceeded);
            EXPECT_EQ(running, 0) << "all were joined";
        }
        ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
    }
    EXPECT_NE(text.find("asked for 500 threads of a test, got "), std::string::npos) << text;
}

}  // namespace
}  // namespace lapidary::test
