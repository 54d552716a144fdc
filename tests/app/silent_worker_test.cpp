// SPDX-License-Identifier: Apache-2.0
// Workers that are stopped, say nothing, or say too much.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/inputs/samples.h>

#include "support/shared_memory_names.h"
#include "support/test_data.h"
#include "worker/jobs/profile_job.h"
#include "worker/process/worker_engine.h"
#include "worker/process/worker_process.h"

#ifndef _WIN32  // the workers are scripts and are stopped by signals

namespace lapidary::app {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

template <typename Predicate>
bool wait_for(Predicate predicate, std::chrono::milliseconds longest = 60s) {
    const auto end = Clock::now() + longest;
    while (!predicate() && Clock::now() < end) std::this_thread::sleep_for(2ms);
    return predicate();
}

ModelSource sample(const std::string& name) {
    ModelSource source;
    source.sample = name;
    source.model = std::make_shared<const Model>(build_sample(name));
    return source;
}

class SilentWorker : public testing::Test {
protected:
    WorkerOptions options(std::vector<std::string> command) {
        WorkerOptions options;
        options.command = std::move(command);
        options.silence = 300ms;
        options.on_silence = [this](const WorkerSilence& silence) {
            const std::lock_guard lock(mutex_);
            reported_.push_back(silence);
        };
        return options;
    }
    std::vector<WorkerSilence> reported() {
        const std::lock_guard lock(mutex_);
        return reported_;
    }
    /// The code of the error that a profile ends with.
    static ErrorCode profile(WorkerEngine& worker) {
        RunSettings settings;
        settings.repetitions = 1;
        settings.resources.threads = 1;
        try {
            worker.call(ProfileJob{sample("mlp"), settings}, {});
        } catch (const Error& error) { return error.code(); }
        ADD_FAILURE() << "it gave a result";
        return ErrorCode::internal;
    }
    std::mutex mutex_;
    std::vector<WorkerSilence> reported_;
};

TEST_F(SilentWorker, IsReportedAndMayBeEnded) {
    WorkerEngine worker(options({"sh", "-c", "echo '{\"hello\":{}}'; exec sleep 1000", "sh"}));
    std::thread user([&] {
        EXPECT_TRUE(wait_for([&] { return !reported().empty(); }));
        worker.end_worker();
    });
    EXPECT_EQ(profile(worker), ErrorCode::process_ended);
    user.join();
    ASSERT_EQ(reported().size(), 2u);
    EXPECT_TRUE(reported()[0].is_silent);
    EXPECT_NE(reported()[0].running.find("mlp"), std::string::npos) << reported()[0].running;
    EXPECT_FALSE(reported()[1].is_silent) << "the question goes away when the call ends";
}

TEST_F(SilentWorker, IsReportedBeforeItIsReadyToo) {
    WorkerEngine worker(options({"sh", "-c", "exec sleep 1000", "sh"}));
    Progress progress;
    std::thread user([&] {
        EXPECT_TRUE(wait_for([&] { return !reported().empty(); }));
        progress.cancel.cancel();
    });
    EXPECT_THROW(worker.call(ProfileJob{sample("mlp"), {}}, progress), Error);
    user.join();
    EXPECT_TRUE(reported().front().is_silent);
}

TEST_F(SilentWorker, AStoppedOneThatGoesOnIsReportedAsAlive) {
    WorkerOptions stopped = options({cli_program(), "serve"});
    stopped.silence = 5s;  // more than a worker under load needs to begin
    WorkerEngine worker(stopped);
    RunSettings settings;
    settings.repetitions = most_repetitions;
    settings.resources.threads = 1;
    Progress progress;
    std::atomic<bool> is_running{false};
    progress.report = [&](std::string_view stage, double) {
        is_running = is_running || stage == "run";
    };
    std::thread user([&] {
        EXPECT_TRUE(wait_for([&] { return is_running.load(); }));
        ::kill(static_cast<pid_t>(worker.process_id()), SIGSTOP);
        EXPECT_TRUE(wait_for([&] { return !reported().empty(); }));
        ::kill(static_cast<pid_t>(worker.process_id()), SIGCONT);
        EXPECT_TRUE(wait_for([&] { return reported().size() > 1; }));
        progress.cancel.cancel();
    });
    try {
        worker.call(ProfileJob{sample("squeezenet"), settings}, progress);
    } catch (const Error& error) { EXPECT_EQ(error.code(), ErrorCode::cancelled) << error.what(); }
    user.join();
    ASSERT_GE(reported().size(), 2u);
    EXPECT_TRUE(reported()[0].is_silent);
    EXPECT_FALSE(reported()[1].is_silent);
}

TEST_F(SilentWorker, ALineWithoutEndEndsTheWorker) {
    WorkerProcess worker({"sh", "-c", "exec tr '\\0' x < /dev/zero", "sh"});
    EXPECT_FALSE(worker.read_line());
    EXPECT_NE(worker.wait_for_end().find("a line of more than"), std::string::npos);

    WorkerOptions flooding = options({"sh", "-c", "exec tr '\\0' x < /dev/zero", "sh"});
    flooding.silence = 60s;
    WorkerEngine engine(flooding);
    EXPECT_EQ(profile(engine), ErrorCode::io_failure);
}

TEST_F(SilentWorker, BlocksAreRemovedByTheNumberThatTheWorkerReports) {
    // Where a script starts the worker, the process that was started has another number.
    constexpr long reported_number = 4193999;
    std::ofstream("/dev/shm/lapidary-" + std::to_string(reported_number) + "-0") << "left";
    ASSERT_EQ(test::shared_memory_names(reported_number), 1u);
    std::atomic<int> ends{0};
    WorkerOptions killed =
        options({"sh", "-c", "echo '{\"hello\":{\"process\":4193999}}'; kill -9 $$", "sh"});
    killed.on_end = [&](const WorkerEnd&) { ++ends; };
    WorkerEngine worker(killed);
    EXPECT_TRUE(wait_for([&] { return ends > 0; }));
    EXPECT_EQ(test::shared_memory_names(reported_number), 0u);
}

}  // namespace
}  // namespace lapidary::app

#endif
