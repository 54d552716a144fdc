// SPDX-License-Identifier: Apache-2.0
// What happens when a worker is cancelled, does not answer, dies or reaches its limit of memory.
// LAPIDARY_KILLS sets how many times it is killed (30).
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/onnx_io/model_io.h>

#include "app/worker_engine_fixture.h"
#include "support/end_process.h"
#include "support/test_data.h"
#include "support/time_budget.h"
#include "worker/jobs/compare_job.h"
#include "worker/jobs/open_job.h"
#include "worker/jobs/profile_job.h"

namespace lapidary::app {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

#ifdef _WIN32
constexpr bool has_shell = false;
#else
constexpr bool has_shell = true;
#endif

/// Runs a profile that is cancelled meanwhile: what was finished is kept, and no more is done.
void expect_cut_short(WorkerEngine& worker, const ModelSource& model, const Progress& progress) {
    try {
        const RunRecord record =
            worker.call(ProfileJob{model, few_runs(most_repetitions)}, progress);
        EXPECT_GE(record.profile->runs, 1);
        EXPECT_LT(record.profile->runs, most_repetitions);
    } catch (const Error& error) { EXPECT_EQ(error.code(), ErrorCode::cancelled) << error.what(); }
}

TEST_F(WorkerEngineTest, CancelIsCooperative) {
    WorkerEngine worker(options());
    const ModelSource model = sample("squeezenet");
    worker.call(ProfileJob{model, few_runs()}, {});
    const long process = worker.process_id();
    Progress progress;
    std::atomic<bool> running{false};
    progress.report = [&](std::string_view stage, double) { running = running || stage == "run"; };
    std::atomic<Clock::time_point::rep> cancelled{0};
    std::thread canceller([&] {
        wait_for([&] { return running.load(); });
        cancelled = Clock::now().time_since_epoch().count();
        progress.cancel.cancel();
    });
    expect_cut_short(worker, model, progress);
    EXPECT_LT(Clock::now() - Clock::time_point(Clock::duration(cancelled.load())),
              1s * wall_factor);
    canceller.join();
    EXPECT_EQ(worker.process_id(), process) << "no process had to be killed";
    EXPECT_FALSE(worker.call(ProfileJob{model, few_runs()}, {}).outputs.empty());
    EXPECT_TRUE(ends().empty());
}

TEST_F(WorkerEngineTest, AWorkerThatIgnoresACancelIsKilled) {
    if (!has_shell) GTEST_SKIP() << "the worker that ignores requests is a script";
    WorkerOptions deaf = options();
    deaf.command = {"sh", "-c", "echo '{\"hello\":{}}'; exec sleep 1000", "sh"};
    deaf.patience = 100ms;
    WorkerEngine worker(deaf);
    Progress progress;
    std::thread canceller([&] {
        wait_for([&] { return worker.process_id() != 0; });
        std::this_thread::sleep_for(50ms);
        progress.cancel.cancel();
    });
    const auto start = Clock::now();
    try {
        worker.call(ProfileJob{sample("mlp"), few_runs()}, progress);
        ADD_FAILURE();
    } catch (const Error& error) { EXPECT_EQ(error.code(), ErrorCode::cancelled) << error.what(); }
    EXPECT_LT(Clock::now() - start, 60s);
    canceller.join();
    EXPECT_TRUE(ends().empty()) << "it was asked to end";
}

TEST_F(WorkerEngineTest, AFileThatCrashesItsReaderEndsTheWorkerAlone) {
    const TemporaryFolder folder;
    ModelSource file;
    file.file = folder / "net.onnx";
    save_model(build_sample("mlp"), file.file);
    {
        WorkerEngine worker(options());
        open_model(worker, file, {});
        EXPECT_TRUE(ends().empty());
        std::ofstream(folder / "bad.onnx") << "this is no model";
        ModelSource bad;
        bad.file = folder / "bad.onnx";
        EXPECT_THROW(open_model(worker, bad, {}), Error);
        std::atomic<bool> runs{false};
        Progress busy;
        busy.report = [&](std::string_view stage, double) { runs = runs || stage == "run"; };
        std::thread long_run([&] { expect_cut_short(worker, sample("squeezenet"), busy); });
        EXPECT_TRUE(wait_for([&] { return runs.load(); }));
        open_model(worker, file, {});  // beside it
        EXPECT_THROW(open_model(worker, bad, {}), Error);
        busy.cancel.cancel();
        long_run.join();
        EXPECT_TRUE(ends().empty());
    }
    WorkerOptions none = options();
    none.command = {"/nowhere/lapidary-cli", "serve"};
    WorkerEngine absent(none);
    EXPECT_GT(open_model(absent, file, {}).model->graph.node_count(), 0u);
    if (!has_shell) GTEST_SKIP() << "the dying worker is a script";
    WorkerOptions dying = options();  // at its first request
    dying.command = {"sh", "-c", "echo '{\"hello\":{}}'; read line; kill -SEGV $$", "sh"};
    WorkerEngine worker(dying);
    try {
        open_model(worker, file, {});
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::process_ended);
        EXPECT_NE(std::string(error.what()).find("while running reading net.onnx"),
                  std::string::npos)
            << error.what();
    }
}

TEST_F(WorkerEngineTest, SaysWhyAWorkerCannotBeStarted) {
    const auto reason = [&](std::vector<std::string> command) {
        WorkerOptions wrong = options();
        wrong.command = std::move(command);
        WorkerEngine worker(wrong);
        try {
            worker.call(ProfileJob{sample("mlp"), few_runs()}, {});
            return std::string();
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::io_failure);
            return std::string(error.what());
        }
    };
    EXPECT_NE(reason({"/nowhere/lapidary-cli", "serve"}).find("cannot be started"),
              std::string::npos);
    if (!has_shell) GTEST_SKIP() << "the worker that ends at once is a script";
    const std::string sentence = reason({"sh", "-c", "echo I am no worker >&2; exit 7"});
    EXPECT_NE(sentence.find("exit code 7"), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("I am no worker"), std::string::npos) << sentence;
}

TEST_F(WorkerEngineTest, AnIdleDeathIsReported) {
    WorkerEngine worker(options());
    worker.call(ProfileJob{sample("mlp"), few_runs()}, {});
    const long process = worker.process_id();
    const auto start = Clock::now();
    test::abort_process(process);
    ASSERT_TRUE(wait_for([&] { return !ends().empty(); }));
    EXPECT_LT(Clock::now() - start, 1s);
    EXPECT_TRUE(ends()[0].reason.starts_with(test::aborted_process)) << ends()[0].reason;
    EXPECT_TRUE(ends()[0].running.empty());
    EXPECT_TRUE(ends()[0].starts_again);
    ASSERT_TRUE(wait_for([&] {
        return worker.process_id() != 0 && worker.process_id() != process;
    })) << "a new one is started in advance";
    EXPECT_FALSE(worker.call(ProfileJob{sample("mlp"), few_runs()}, {}).outputs.empty());
}

TEST_F(WorkerEngineTest, KilledAtAnyMomentTheNextRunWorks) {
    const char* const wish = std::getenv("LAPIDARY_KILLS");
    const int kills = wish ? std::atoi(wish) : 30;
    WorkerEngine worker(options());
    const ModelSource models[] = {sample("mlp"), sample("squeezenet", Level::basic)};
    std::atomic<int> killed{0}, deaths{0}, good{0};
    std::atomic<bool> stop{false};
    std::vector<std::string> strange;
    std::thread runner([&] {
        for (int i = 0; !stop; ++i) try {
                if (i % 5 == 4) worker.call(CompareJob{models[0], models[0], few_runs()}, {});
                else if (i % 5 == 3) worker.call(small_job({{Level::disabled}}), {});
                else worker.call(ProfileJob{models[i % 2], few_runs(3)}, {});
                ++good;
            } catch (const Error& error) {
                if (error.code() == ErrorCode::process_ended ||
                    std::string_view(error.what())
                            .find("ended before it was ready (" +
                                  std::string(test::ended_process)) != std::string_view::npos)
                    ++deaths;
                else strange.push_back(error.what());
            }
    });
    std::mt19937 random(7);
    std::set<long> seen;
    while (killed < kills) {
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 60'000));
        const long process = worker.process_id();
        if (process == 0) continue;
        test::end_process(process);
        seen.insert(process);
        ++killed;
        ASSERT_TRUE(wait_for([&] { return worker.process_id() != process; }))
            << "death number " << killed << " went unseen, " << ends().size() << " were seen";
    }
    stop = true;
    runner.join();
    EXPECT_TRUE(strange.empty()) << strange.size() << " times, first: " << strange[0];
    EXPECT_GT(deaths + good, 0);
    EXPECT_FALSE(worker.call(ProfileJob{models[0], few_runs()}, {}).outputs.empty());
    EXPECT_TRUE(wait_for([&] { return shared_names(seen) == 0; }));
    RecordProperty("finished", good);
    RecordProperty("died", deaths);
}

TEST_F(WorkerEngineTest, CallsTakeTurnsAndAWaitingOneCanBeCancelled) {
    WorkerEngine worker(options());
    const ModelSource model = sample("squeezenet"), small = sample("mlp");
    Progress first, second;
    std::atomic<bool> running{false};
    first.report = [&](std::string_view stage, double) { running = running || stage == "run"; };
    std::thread long_run([&] { expect_cut_short(worker, model, first); });
    ASSERT_TRUE(wait_for([&] { return running.load(); }));
    std::thread waiting([&] {
        EXPECT_THROW(worker.call(ProfileJob{small, few_runs()}, second), Error);
    });
    std::thread patient([&] {
        EXPECT_FALSE(worker.call(ProfileJob{small, few_runs()}, {}).outputs.empty());
    });
    std::this_thread::sleep_for(20ms);
    second.cancel.cancel();
    waiting.join();
    first.cancel.cancel();
    long_run.join();
    patient.join();
}

TEST_F(WorkerEngineTest, AMemoryLimitHoldsFromTheNextCallOn) {
    if (under_sanitizer) GTEST_SKIP() << "the sanitizer ends a process that reaches its limit";
    WorkerEngine worker(options());
    const ModelSource model = sample("squeezenet");
    RunSettings large = few_runs(1);
    EXPECT_FALSE(worker.call(ProfileJob{model, large}, {}).outputs.empty());
    worker.set_memory_limit(std::uint64_t{64} << 20);
    large.dimensions["batch"] = 24;  // activations of more than that
    try {
        worker.call(ProfileJob{model, large}, {});
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::limit_exceeded) << error.what();
    }
    worker.set_memory_limit(0);
    EXPECT_FALSE(worker.call(ProfileJob{sample("mlp"), few_runs()}, {}).outputs.empty());
    EXPECT_TRUE(ends().empty());
}

}  // namespace
}  // namespace lapidary::app
