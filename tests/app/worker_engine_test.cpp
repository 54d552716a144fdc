// SPDX-License-Identifier: Apache-2.0
// The engine that runs models in a process of its own: the same results as in this one, and what
// happens when that process dies. LAPIDARY_KILLS sets how many times it is killed (30).
#include "worker/jobs/compare_job.h"
#include "worker/jobs/measure_job.h"
#include "worker/jobs/profile_job.h"
#include "worker/jobs/open_job.h"
#include "worker/jobs/sweep_job.h"
#include "worker/jobs/variant_job.h"
#include "worker/process/worker_engine.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/inputs/samples.h>

#include "support/end_process.h"
#include "support/shared_memory_names.h"
#include "support/test_data.h"
#include "support/time_budget.h"
#include "worker/protocol/recipe.h"

namespace lapidary::app {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

#ifdef _WIN32
constexpr bool has_shell = false;
#else
constexpr bool has_shell = true;
#endif

ModelSource sample(const std::string& name, std::optional<Level> level = {}) {
    ModelSource source;
    source.sample = name;
    source.model = std::make_shared<const Model>(build_sample(name));
    if (level) {
        Recipe recipe;
        recipe.level = *level;
        source.recipe = recipe;
        source.model =
            std::make_shared<const Model>(optimize(*source.model, recipe.options()).model);
    }
    return source;
}

RunSettings few_runs(int repetitions = 2) {
    RunSettings settings;
    settings.repetitions = repetitions;
    settings.warmups = 1;
    settings.resources.threads = 1;
    settings.seed = 3;
    return settings;
}

/// Cancelled while it runs: what was finished by then is kept, and no more is done.
void expect_cut_short(WorkerEngine& worker, const ModelSource& model, const Progress& progress) {
    try {
        const RunRecord record =
            worker.call(ProfileJob{model, few_runs(most_repetitions)}, progress);
        EXPECT_GE(record.profile->runs, 1);
        EXPECT_LT(record.profile->runs, most_repetitions);
    } catch (const Error& error) { EXPECT_EQ(error.code(), ErrorCode::cancelled) << error.what(); }
}

void expect_same(const NamedValues& a, const NamedValues& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].first, b[i].first);
        EXPECT_TRUE(same_contents(a[i].second.tensor(), b[i].second.tensor())) << a[i].first;
    }
}

void expect_same(const Graph& a, const Graph& b) {
    ASSERT_EQ(std::vector(a.nodes().begin(), a.nodes().end()),
              std::vector(b.nodes().begin(), b.nodes().end()));
    for (const NodeId id : a.nodes()) {
        EXPECT_EQ(a.node(id).qualified_op(), b.node(id).qualified_op());
        EXPECT_EQ(a.node(id).inputs, b.node(id).inputs);
        EXPECT_EQ(a.node(id).outputs, b.node(id).outputs);
        EXPECT_EQ(a.node(id).origins, b.node(id).origins);
    }
}

/// Blocks of shared memory that these processes left.
std::size_t shared_names(const std::set<long>& processes) {
    std::size_t count = 0;
    for (const long process : processes) count += test::shared_memory_names(process);
    return count;
}

class WorkerEngineTest : public testing::Test {
protected:
    WorkerOptions options() {
        WorkerOptions options;
        options.command = {cli_program(), "serve"};
        options.on_end = [this](const WorkerEnd& end) {
            const std::lock_guard lock(mutex_);
            ends_.push_back(end);
        };
        return options;
    }
    std::vector<WorkerEnd> ends() {
        const std::lock_guard lock(mutex_);
        return ends_;
    }
    template <typename Predicate>
    static bool wait_for(Predicate predicate, std::chrono::milliseconds longest = 30s) {
        const auto end = Clock::now() + longest;
        while (!predicate() && Clock::now() < end) std::this_thread::sleep_for(2ms);
        return predicate();
    }
    std::mutex mutex_;
    std::vector<WorkerEnd> ends_;
};

TEST_F(WorkerEngineTest, GivesWhatThisProcessGives) {
    WorkerEngine worker(options());
    LocalEngine local;
    for (const ModelSource& model : {sample("mlp"), sample("squeezenet", Level::extended),
                                     sample("bert-tiny", Level::all), sample("bert-tiny")}) {
        SCOPED_TRACE(model.sample + (model.recipe ? recipe_text(*model.recipe) : ""));
        const ProfileJob job{model, few_runs()};
        const RunRecord there = worker.call(job, {}), here = local.call(job, {});
        EXPECT_EQ(there.model, model.model);
        expect_same(there.inputs, here.inputs);
        expect_same(there.outputs, here.outputs);
        expect_same(there.executed->graph, here.executed->graph);
        ASSERT_EQ(there.plan.steps.size(), here.plan.steps.size());
        for (std::size_t i = 0; i < here.plan.steps.size(); ++i) {
            EXPECT_EQ(there.plan.steps[i].node, here.plan.steps[i].node);
            EXPECT_EQ(there.plan.steps[i].kernel, here.plan.steps[i].kernel);
            EXPECT_EQ(there.plan.steps[i].passed_over, here.plan.steps[i].passed_over);
        }
        EXPECT_EQ(there.plan.arena_bytes, here.plan.arena_bytes);
        EXPECT_EQ(there.plan.blocks.size(), here.plan.blocks.size());
        ASSERT_EQ(there.profile->kernels.size(), here.profile->kernels.size());
        for (std::size_t i = 0; i < here.profile->kernels.size(); ++i) {
            EXPECT_EQ(there.profile->kernels[i].node, here.profile->kernels[i].node);
            EXPECT_EQ(there.profile->text(there.profile->kernels[i]),
                      here.profile->text(here.profile->kernels[i]));
        }
        EXPECT_EQ(there.summary.nodes.size(), here.summary.nodes.size());
        EXPECT_GT(there.summary.wall_ms, 0);
    }
    EXPECT_EQ(shared_names({worker.process_id()}), 0u);
}

TEST_F(WorkerEngineTest, MakesTheVariantsThatThisProcessMakes) {
    WorkerEngine worker(options());
    for (const Level level : {Level::basic, Level::extended, Level::all}) {
        ModelSource source = sample("bert-tiny");
        const ModelPtr opened = source.model;
        source.recipe = Recipe::plain(level);
        const VariantJob job{source, opened};
        const MadeVariant there = worker.call(job, {}), here = LocalEngine().call(job, {});
        expect_same(there.model->graph, here.model->graph);
        EXPECT_EQ(there.report.rewrites.size(), here.report.rewrites.size());
        EXPECT_EQ(there.report.near_misses.size(), here.report.near_misses.size());
        EXPECT_EQ(there.session_rewrites, here.session_rewrites);
        EXPECT_EQ(there.shares.by_node.size(), here.shares.by_node.size());
        EXPECT_EQ(there.activations.peak_bytes, here.activations.peak_bytes);
    }
}

TEST_F(WorkerEngineTest, ReadsFilesAndRefusesChangedOnes) {
    const TemporaryFolder folder;
    ModelSource source;
#ifdef _WIN32
    source.file = folder / "n\xc3\xbf \xe6\xa8\xa1.onnx";
#else
    source.file = folder / "n\xff\xfe t.onnx";  // a name that is no UTF-8
#endif
    save_model(build_sample("mlp"), source.file);
    source.model = std::make_shared<const Model>(load_model(source.file));
    source.file_bytes = std::filesystem::file_size(source.file);
    source.file_modified = std::filesystem::last_write_time(source.file).time_since_epoch().count();
    WorkerEngine worker(options());
    EXPECT_FALSE(worker.call(ProfileJob{source, few_runs()}, {}).outputs.empty());
    std::filesystem::last_write_time(source.file,
                                     std::filesystem::last_write_time(source.file) + 5s);
    try {
        worker.call(ProfileJob{source, few_runs()}, {});
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::io_failure);
        EXPECT_NE(error.message().find("changed after it was opened"), std::string::npos)
            << error.what();
    }
}

TEST_F(WorkerEngineTest, AModelOfThisProcessRunsHere) {
    WorkerOptions none;
    none.command = {"/nowhere/lapidary-cli", "serve"};
    WorkerEngine worker(none);
    ModelSource source;
    source.model = std::make_shared<const Model>(build_sample("mlp"));
    EXPECT_FALSE(worker.call(ProfileJob{source, few_runs()}, {}).outputs.empty());
}

TEST_F(WorkerEngineTest, ComparesOutputs) {
    WorkerEngine worker(options());
    const auto agreements = worker.call(
        CompareJob{sample("bert-tiny"), sample("bert-tiny", Level::all), few_runs()}, {});
    ASSERT_FALSE(agreements.empty());
    for (const OutputComparison& output : agreements) {
        EXPECT_TRUE(output.comparison.matches) << output.comparison.reason;
        EXPECT_LT(output.comparison.relative(), 1e-3);
    }
}

MeasureJob small_job(std::vector<RunConfiguration> configurations) {
    MeasureJob job;
    for (const RunConfiguration& configuration : configurations)
        job.candidates.push_back({sample("mlp"), configuration});
    job.options.runs = 6;
    return job;
}

TEST_F(WorkerEngineTest, Measures) {
    WorkerEngine worker(options());
    const RunConfiguration plain{Level::disabled}, batched{Level::all, fixed_resources(), 4};
    MeasureJob job = small_job({plain, batched});
    job.memory = true;
    std::size_t rounds = 0;
    const auto results = worker.call(job, {}, [&](const std::vector<Measurement>& state) {
        ++rounds;
        EXPECT_EQ(state.size(), 2u);
    });
    ASSERT_EQ(results.size(), 2u);
    EXPECT_GT(rounds, 0u);
    EXPECT_EQ(results[0].configuration, plain);
    EXPECT_EQ(results[1].configuration, batched);
    for (const Measurement& measured : results) {
        EXPECT_TRUE(measured.error.empty()) << measured.error;
        EXPECT_GT(measured.wall.median.median, 0);
        EXPECT_FALSE(measured.samples_ms.empty());
        ASSERT_TRUE(measured.peak_mb);
        EXPECT_GT(*measured.peak_mb, 1);
    }
}

TEST_F(WorkerEngineTest, ACandidateThatCannotRunSaysWhyAndTheOthersGoOn) {
    WorkerEngine worker(options());
    MeasureJob job = small_job({{Level::disabled}, {Level::disabled, fixed_resources(), 3}});
    Recipe fixed;
    fixed.level = Level::basic;
    for (const std::string& name : batch_dimensions(*job.candidates[0].model.model))
        fixed.dimensions[name] = 1;
    job.candidates[1].model.recipe = fixed;
    const auto results = worker.call(job, {});
    ASSERT_EQ(results.size(), 2u);
    EXPECT_TRUE(results[0].error.empty()) << results[0].error;
    EXPECT_NE(results[1].error.find("batch"), std::string::npos) << results[1].error;
}

TEST_F(WorkerEngineTest, SweepsPausesAndKeepsWhatItHasWhenCancelled) {
    WorkerEngine worker(options());
    SweepJob job;
    job.model = sample("mlp");
    job.space.intra = {1, 2};
    job.space.batches = {1, 2};
    job.options.measuring.runs = 4;
    job.options.operators = false;
    SweepControl control;
    control.paused = true;
    std::atomic<std::size_t> states{0};
    std::atomic<bool> ended{false};
    SweepResult result;
    std::thread sweeping([&] {
        result = worker.call(
            job, {}, [&](const SweepResult&) { ++states; }, &control);
        ended = true;
    });
    std::this_thread::sleep_for(300ms);
    EXPECT_FALSE(ended) << "it was paused before it began";
    control.paused = false;
    sweeping.join();
    ASSERT_EQ(result.cells.size(), 4u);
    EXPECT_TRUE(result.complete);
    EXPECT_GT(states, 0u);
    for (const SweepCell& cell : result.cells)
        EXPECT_EQ(cell.state, CellState::done) << cell.reason;
    EXPECT_FALSE(result.cells[0].measurement.samples_ms.empty());

    job.found = result;
    job.verify = {0, 1};
    EXPECT_FALSE(worker.call(job, {}).recommendation.sentence.empty());

    job.verify.clear();
    job.options.measuring.runs = 0;
    job.options.measuring.seconds = 1000;
    job.options.measuring.precision = 1e-9;
    Progress progress;
    SweepResult newest;
    states = 0;
    EXPECT_THROW(worker.call(job, progress,
                             [&](const SweepResult& state) {
                                 newest = state;
                                 if (++states == 5) progress.cancel.cancel();
                             }),
                 Error);
    ASSERT_EQ(newest.cells.size(), 4u);
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
    EXPECT_EQ(worker.process_id(), process) << "nobody had to be killed";
    EXPECT_FALSE(worker.call(ProfileJob{model, few_runs()}, {}).outputs.empty());
    EXPECT_TRUE(ends().empty());
}

TEST_F(WorkerEngineTest, WhoIgnoresACancelIsKilled) {
    if (!has_shell) GTEST_SKIP() << "the deaf worker is a script";
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
    EXPECT_LT(Clock::now() - start, 20s);
    canceller.join();
    EXPECT_TRUE(ends().empty()) << "it was asked to end";
}

TEST_F(WorkerEngineTest, AFileThatEndsItsReaderEndsAWorkerAlone) {
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
    WorkerOptions dying = options();  // of whatever it is asked
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

TEST_F(WorkerEngineTest, SaysWhyAWorkerCannotBeHad) {
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

TEST_F(WorkerEngineTest, AnIdleDeathIsTold) {
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
    })) << "a new one is there ahead";
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
    EXPECT_TRUE(wait_for([&] { return shared_names(seen) == 0; }, 5s));
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
