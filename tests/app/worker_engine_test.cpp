// SPDX-License-Identifier: Apache-2.0
// The engine that runs models in a separate process gives what this process gives, for each kind of
// job.
#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/onnx_io/model_io.h>

#include "app/worker_engine_fixture.h"
#include "support/test_data.h"
#include "worker/jobs/compare_job.h"
#include "worker/jobs/measure_job.h"
#include "worker/jobs/profile_job.h"
#include "worker/jobs/sweep_job.h"
#include "worker/jobs/variant_job.h"

namespace lapidary::app {
namespace {

using namespace std::chrono_literals;

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

TEST_F(WorkerEngineTest, RunsVariantsWithWeightsIn16Bits) {
    WorkerEngine worker(options());
    ModelSource rounded = sample("mlp", Level::all);
    rounded.recipe->runs_on.emplace().compute = Compute::bf16;
    const RunRecord run = worker.call(ProfileJob{rounded, few_runs()}, {});
    ASSERT_TRUE(run.lowered);
    ASSERT_TRUE(run.lowered->worst());
    EXPECT_LT(run.lowered->worst()->comparison.sqnr_db, 80);
    EXPECT_EQ(run.lowered->answers().all, 1);
    const auto outputs =
        worker.call(CompareJob{sample("mlp", Level::all), rounded, few_runs()}, {});
    ASSERT_EQ(outputs.size(), 1u);
    EXPECT_EQ(outputs[0].answers, 1);
    EXPECT_LT(outputs[0].comparison.sqnr_db, 80);
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

}  // namespace
}  // namespace lapidary::app
