// SPDX-License-Identifier: Apache-2.0
// Threads that share tasks: each task once, errors reach the caller, nested calls stay on their
// thread, and no threads are started besides those of the pool.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/threads/inside_task.h"
#include "base/threads/task_threads.h"

namespace lapidary::test {
namespace {

using namespace std::chrono_literals;

int threads_of_process() {
    int count = 0;
    for ([[maybe_unused]] const auto& entry :
         std::filesystem::directory_iterator("/proc/self/task"))
        ++count;
    return count;
}

/// Each thread waits until `count` threads have arrived, at most a minute.
class ThreadBarrier {
public:
    explicit ThreadBarrier(int count) : count_(count) {}
    void arrive_and_wait() {
        ++here_;
        const auto end = std::chrono::steady_clock::now() + 60s;
        while (here_ < count_ && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    }
    bool is_complete() const { return here_ >= count_; }

private:
    const int count_;
    std::atomic<int> here_{0};
};

TEST(TaskThreads, RunEachTaskOnceOnOneWorker) {
    for (const int size : {1, 2, 3, 5}) {
        TaskThreads threads(size);
        EXPECT_EQ(threads.threads(), size);
        for (const std::int64_t count : {0, 1, 2, 3, 7, 64, 1001}) {
            std::vector<std::atomic<int>> runs(static_cast<std::size_t>(count));
            std::vector<std::atomic<int>> busy(static_cast<std::size_t>(size));
            std::atomic<int> mistakes{0};
            threads.execute([&] {
                for (int round = 0; round < 20; ++round)
                    threads.parallel_tasks(count, [&](std::int64_t task, int worker) {
                        if (busy.at(static_cast<std::size_t>(worker))++ != 0) ++mistakes;
                        ++runs.at(static_cast<std::size_t>(task));
                        --busy.at(static_cast<std::size_t>(worker));
                    });
            });
            for (const auto& n : runs)
                EXPECT_EQ(n, 20) << count << " tasks, " << size << " threads";
            EXPECT_EQ(mistakes, 0) << "two tasks of one worker at a time";
        }
    }
}

TEST(TaskThreads, AllOfThemWorkAndNoOthersAreStarted) {
    for (const int size : {2, 4, 9}) {
        TaskThreads threads(size);
        const int before = threads_of_process();
        ThreadBarrier barrier(size);
        std::atomic<int> most{0};
        threads.execute([&] {
            threads.parallel_tasks(size, [&](std::int64_t, int) {
                barrier.arrive_and_wait();
                most = std::max(most.load(), threads_of_process());
            });
        });
        EXPECT_TRUE(barrier.is_complete()) << size << " threads";
        EXPECT_LE(most, before) << "threads besides those of the pool";
    }
}

TEST(TaskThreads, AreUsedAgainAfterAnError) {
    TaskThreads threads(3);
    threads.execute([&] {
        for (const std::int64_t bad : {0, 50, 99})
            EXPECT_THROW(threads.parallel_tasks(100,
                                                [&](std::int64_t task, int) {
                                                    if (task == bad)
                                                        throw std::runtime_error("a task");
                                                }),
                         std::runtime_error);
        std::atomic<int> runs{0};
        threads.parallel_tasks(100, [&](std::int64_t, int) { ++runs; });
        EXPECT_EQ(runs, 100);
    });
    EXPECT_THROW(threads.execute([] { throw std::runtime_error("the body"); }), std::runtime_error);
    std::atomic<int> runs{0};
    threads.execute([&] { threads.parallel_tasks(3, [&](std::int64_t, int) { ++runs; }); });
    EXPECT_EQ(runs, 3);
}

TEST(TaskThreads, NestedCallsStayOnTheirThread) {
    TaskThreads outer(3), inner(2);
    std::atomic<int> wrong_threads{0}, runs{0};
    outer.execute([&] {
        outer.parallel_tasks(6, [&](std::int64_t, int worker) {
            const auto here = std::this_thread::get_id();
            outer.parallel_tasks(10, [&](std::int64_t, int w) {
                if (std::this_thread::get_id() != here || w != worker) ++wrong_threads;
                ++runs;
            });
            inner.parallel_tasks(10, [&](std::int64_t, int w) {  // whose workers have other numbers
                if (std::this_thread::get_id() != here || w != 0) ++wrong_threads;
                ++runs;
            });
        });
    });
    EXPECT_EQ(wrong_threads, 0);
    EXPECT_EQ(runs, 120);
}

TEST(TaskThreads, SpawnedTasksMaySpreadOverTheSameThreads) {
    TaskThreads threads(3);
    for (int round = 0; round < 50; ++round) {
        std::atomic<int> parts{0}, ended{0};
        threads.execute([&] {
            for (int task = 0; task < 4; ++task)
                threads.spawn([&] {
                    threads.parallel_tasks(8, [&](std::int64_t, int) { ++parts; });
                    threads.spawn([&] { ++ended; });
                });
            threads.wait_for_spawned();
        });
        EXPECT_EQ(parts, 32);
        EXPECT_EQ(ended, 4);
    }
}

/// A spawned task without helpers of its own gets those that have nothing else to do.
TEST(TaskThreads, IdleThreadsHelpInsideASpawnedTask) {
    TaskThreads threads(2);
    ThreadBarrier barrier(2);
    threads.execute([&] {
        threads.spawn([&] {
            threads.parallel_tasks(2, [&](std::int64_t, int) { barrier.arrive_and_wait(); });
        });
        threads.wait_for_spawned();
    });
    EXPECT_TRUE(barrier.is_complete());
}

TEST(TaskThreads, WidthBoundsAParallelCall) {
    TaskThreads threads(4, 2);
    EXPECT_EQ(threads.threads(), 2);
    std::atomic<int> now{0}, most{0};
    threads.execute([&] {
        threads.parallel_tasks(40, [&](std::int64_t, int worker) {
            EXPECT_LT(worker, 2);
            const int at_once = ++now;
            if (at_once > most) most = at_once;
            std::this_thread::sleep_for(1ms);
            --now;
        });
    });
    EXPECT_LE(most, 2);
}

TEST(TaskThreads, CountDenormalsAsTheSetupSays) {
    const float least = 1e-39F;
    for (const bool as_zero : {false, true}) {
        const auto setup = std::make_shared<ThreadSetup>();
        setup->denormal_as_zero = as_zero;
        TaskThreads threads(3, 0, setup);
        ThreadBarrier barrier(3);
        std::atomic<int> zeros{0};
        threads.execute([&] {
            threads.parallel_tasks(3, [&](std::int64_t, int) {
                barrier.arrive_and_wait();
                volatile float x = least;
                if (x * 1.0F == 0.0F) ++zeros;
            });
        });
        EXPECT_EQ(zeros, as_zero ? 3 : 0);
    }
}

TEST(TaskThreads, AnErrorOfASpawnedTaskReachesTheWaitingCaller) {
    TaskThreads threads(3);
    for (int round = 0; round < 20; ++round)
        threads.execute([&] {
            for (int task = 0; task < 8; ++task)
                threads.spawn([&threads, task] {
                    threads.parallel_tasks(4, [task](std::int64_t part, int) {
                        if (task == 3 && part == 2) throw std::runtime_error("a part");
                    });
                });
            EXPECT_THROW(threads.wait_for_spawned(), std::runtime_error);
        });
}

}  // namespace
}  // namespace lapidary::test
