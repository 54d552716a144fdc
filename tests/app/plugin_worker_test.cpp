// SPDX-License-Identifier: Apache-2.0
// Plugins, custom operators and other engines in the worker process: what it runs, and what becomes
// of it when their code crashes.
#include <chrono>
#include <filesystem>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/base/failure.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/engines/onnxruntime_engine.h>
#include <lapidary/engines/plugins.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/internal/scratch_folder.h>

#include "app/command_runner.h"
#include "plugins/plugin_paths.h"
#include "support/test_data.h"
#include "worker/jobs/compare_job.h"
#include "worker/process/engine_probe.h"
#include "worker/jobs/measure_job.h"
#include "worker/jobs/profile_job.h"
#include "worker/jobs/sweep_job.h"
#include "worker/process/worker_engine.h"

namespace lapidary::app {
namespace {

using test::plugin_file;

class PluginWorker : public testing::Test {
protected:
    WorkerOptions options(std::vector<std::string> more) {
        WorkerOptions options;
        options.command = {cli_program(), "serve"};
        options.command.insert(options.command.end(), more.begin(), more.end());
        options.on_end = [this](const WorkerEnd& end) {
            const std::lock_guard lock(mutex_);
            ends_.push_back(end);
        };
        return options;
    }
    /// Waits, because the engine reports ends from a separate thread.
    std::vector<WorkerEnd> ends(std::chrono::milliseconds most = std::chrono::minutes(1)) {
        for (auto waited = most * 0; waited < most; waited += std::chrono::milliseconds(10)) {
            {
                const std::lock_guard lock(mutex_);
                if (!ends_.empty()) return ends_;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return {};
    }
    ModelSource file_of(const std::string& text, const std::string& domain) {
        Model model;
        model.opset_imports = {{"", 17}, {domain, 1}};
        model.graph = parse_graph(text);
        ModelSource source;
        source.file = folder_.path() / "model.onnx";
        save_model(model, source.file);
        source.file_bytes = std::filesystem::file_size(source.file);
        source.file_modified =
            std::filesystem::last_write_time(source.file).time_since_epoch().count();
        source.model = std::make_shared<const Model>(load_model(source.file));
        return source;
    }
    static RunSettings once() {
        RunSettings settings;
        settings.repetitions = settings.warmups = settings.resources.threads = 1;
        return settings;
    }
    static std::string failure_of(WorkerEngine& worker, const ModelSource& model) {
        try {
            worker.call(ProfileJob{model, once()}, {});
        } catch (const Error& error) { return error.what(); }
        return "it ran";
    }

private:
    ScratchFolder folder_;
    std::mutex mutex_;
    std::vector<WorkerEnd> ends_;
};

void expect_in(const std::string& part, const std::string& text) {
    EXPECT_NE(text.find(part), std::string::npos) << text << "\nhas no " << part;
}

ModelSource sample(const std::string& name) {
    ModelSource source;
    source.sample = name;
    source.model = std::make_shared<const Model>(build_sample(name));
    return source;
}

TEST_F(PluginWorker, AnOperatorThatCrashesIsReportedAndTheNextRunHasANewWorker) {
    WorkerEngine worker(options({"--plugin", plugin_file("operators").string()}));
    const ModelSource model = file_of("(x: f32[2]) -> (y)\ny = test::Crashes(x)", "test");
    const std::string failure = failure_of(worker, model);
    expect_in("worker process", failure);
    expect_in("crashed in plugin \"test_operators\": operator \"test::Crashes\"", failure);
    const std::vector<WorkerEnd> reported = ends();
    ASSERT_EQ(reported.size(), 1u);
    EXPECT_TRUE(reported[0].last_words.starts_with(foreign_crash_mark)) << reported[0].last_words;
    EXPECT_TRUE(reported[0].starts_again);
    EXPECT_FALSE(worker.call(ProfileJob{sample("mlp"), once()}, {}).outputs.empty());
}

TEST_F(PluginWorker, AFileThatEndsTheWorkerWhenItIsOpenedIsReported) {
    const std::string file = plugin_file("crashes").string();
    WorkerEngine worker(options({"--plugin", file}));
    const std::string failure = failure_of(worker, sample("mlp"));
    expect_in("ended before it was ready (signal 11", failure);
    expect_in("while it opened \"" + file + '"', failure);
    ASSERT_FALSE(ends().empty());
    for (const WorkerEnd& end : ends()) {
        EXPECT_EQ(end.opening, file);
        EXPECT_FALSE(end.starts_again);
    }
    worker.set_arguments({"--without-plugin", file});
    EXPECT_FALSE(worker.call(ProfileJob{sample("mlp"), once()}, {}).outputs.empty());
}

TEST_F(PluginWorker, AnOperatorThatThrowsLeavesTheWorker) {
    WorkerEngine worker(options({"--plugin", plugin_file("operators").string()}));
    expect_in("operator \"test::Throws\" threw an exception: out of luck",
              failure_of(worker, file_of("(x: f32[2]) -> (y)\ny = test::Throws(x)", "test")));
    EXPECT_FALSE(worker.call(ProfileJob{sample("mlp"), once()}, {}).outputs.empty());
}

TEST_F(PluginWorker, ACustomOperatorThatCrashesIsReported) {
    WorkerEngine worker(options({"--custom-ops", plugin_file("custom_operators").string()}));
    const ModelSource good =
        file_of("(x: f32[2]) -> (y)\ny = test.lapidary::Scale(x)", "test.lapidary");
    EXPECT_EQ(worker.call(ProfileJob{good, once()}, {}).outputs.size(), 1u);
    const ModelSource bad =
        file_of("(x: f32[2]) -> (y)\ny = test.lapidary.wrong::Crashes(x)", "test.lapidary.wrong");
    expect_in("crashed in operator \"test.lapidary.wrong::Crashes\" of \"custom_operators.so\"",
              failure_of(worker, bad));
}

TEST_F(PluginWorker, WhatIsSwitchedOffIsNotOpened) {
    const std::string file = plugin_file("operators").string();
    WorkerEngine worker(options({"--plugin", file}));
    const ModelSource model = file_of("(x: f32[2]) -> (y)\ny, n = test::SumAll(x, x)", "test");
    EXPECT_EQ(failure_of(worker, model), "it ran");
    worker.set_arguments({"--without-plugin", file});
    expect_in("SumAll", failure_of(worker, model));
    worker.set_arguments({});
    EXPECT_EQ(failure_of(worker, model), "it ran");
    EXPECT_TRUE(ends(std::chrono::seconds(1)).empty());
}

/// The graph that ran has steps that copy, which this process does not know the provider of.
TEST_F(PluginWorker, SplitRunsComeBackWithTheirCopies) {
    WorkerEngine worker(options({"--plugin", plugin_file("device").string()}));
    open_plugin(plugin_file("device"));
    LocalEngine local;
    ModelSource model = file_of(
        "(x: f32[3,4]) -> (y, z)\na = Add(x, x)\nb = Tan(a)\nc = Mul(b, a)\nz = Neg(c)\n"
        "d = Sub(z, b)\ny = Relu(d)",
        "test");
    Recipe recipe;
    recipe.session_passes = false;
    recipe.runs_on.emplace().providers.push_back({"pages", {}});
    model.recipe = recipe;
    const ProfileJob job{model, once()};
    const RunRecord here = local.call(job, {}), there = worker.call(job, {});
    EXPECT_EQ(there.placement.copies.size(), here.placement.copies.size());
    EXPECT_FALSE(there.placement.uses_cpu_alone());
    ASSERT_EQ(print_graph(there.executed->graph), print_graph(here.executed->graph));
    for (const PlannedCopy& copy : there.placement.copies) {
        ASSERT_TRUE(there.executed->graph.is_alive(copy.node));
        EXPECT_EQ(there.executed->graph.node(copy.node).op_type, "Copy");
    }
    for (std::size_t i = 0; i < here.outputs.size(); ++i)
        EXPECT_TRUE(
            same_contents(here.outputs[i].second.tensor(), there.outputs[i].second.tensor()));
    MeasureJob measure;
    measure.options.runs = 4;
    measure.candidates.push_back({model, {}});
    ModelSource alone = model;
    alone.recipe->runs_on.reset();
    measure.candidates.push_back({alone, {}});
    const std::vector<Measurement> measured = worker.call(measure, {});
    ASSERT_EQ(measured.size(), 2u);
    EXPECT_EQ(measured[0].error, "");
    EXPECT_GT(measured[0].wall.median.median, 0);
    const auto outputs = worker.call(CompareJob{alone, model, once()}, {});
    ASSERT_EQ(outputs.size(), 2u);
    for (const OutputComparison& output : outputs)
        EXPECT_TRUE(output.comparison.matches) << output.comparison.reason;
}

/// Passes for such a device make another graph than those of the CPU: Casts and weights in 16 bits.
TEST_F(PluginWorker, RunsOfDevicesThatStoreHalvesComeBack) {
    WorkerEngine worker(options({"--plugin", plugin_file("device").string()}));
    ModelSource model = file_of(
        "(x: f32[3,4]) -> (y)\na = MatMul(x, w: f32[4,5])\nb = Relu(a)\n"
        "y = MatMul(b, v: f32[5,2])",
        "test");
    Recipe recipe;
    recipe.runs_on.emplace().providers.push_back({"pages", {{"precision", "fp16"}}});
    model.recipe = recipe;
    const RunRecord run = worker.call(ProfileJob{model, once()}, {});
    const std::string graph = print_graph(run.executed->graph);
    EXPECT_NE(graph.find("Cast"), std::string::npos) << graph;
    std::size_t known = 0;
    for (const NodeTotal& node : run.summary.nodes)
        known += run.executed->graph.is_alive(node.node) ? 1 : 0;
    EXPECT_EQ(known, run.summary.nodes.size());
}

TEST_F(PluginWorker, PeaksAndPrecisionOfTheDeviceComeBack) {
    WorkerEngine worker(options({"--plugin", plugin_file("device").string()}));
    ModelSource model = file_of("(x: f32[3,4]) -> (y)\na = Add(x, x)\ny = Mul(a, x)", "test");
    Recipe recipe;
    recipe.runs_on.emplace().providers.push_back({"pages", {{"precision", "coarse"}}});
    model.recipe = recipe;
    const RunRecord run = worker.call(ProfileJob{model, once()}, {});
    ASSERT_EQ(run.device_peaks.size(), 1u);
    EXPECT_EQ(run.device_peaks[0].gb_per_s, 50);
    ASSERT_EQ(run.device_peaks[0].arithmetic.size(), 2u);
    EXPECT_EQ(run.device_peaks[0].arithmetic[1],
              (ArithmeticPeak{"halves", 800, {DType::f16}, false}));
    ASSERT_TRUE(run.lowered);
    ASSERT_EQ(run.lowered->outputs.size(), 1u);
    EXPECT_EQ(run.lowered->by[0].provider, "pages");
    EXPECT_EQ(run.lowered->outputs[0].name, "y");
    EXPECT_TRUE(run.lowered->outputs[0].is_float);
    EXPECT_GT(run.lowered->outputs[0].comparison.max_abs, 0);
    EXPECT_EQ(run.lowered->outputs[0].comparison.elements, 12);
    model.recipe->runs_on->providers[0].options.clear();
    EXPECT_FALSE(worker.call(ProfileJob{model, once()}, {}).lowered);
}

/// A device that must run everything but does not take all nodes is reported, which shows that the
/// setting was measured on the device.
TEST_F(PluginWorker, SettingsAreMeasuredOnTheDevice) {
    WorkerEngine worker(options({"--plugin", plugin_file("device").string()}));
    SweepJob job;
    job.model = file_of("(x: f32[3,4]) -> (y)\na = Add(x, x)\ny = Tan(a)", "test");
    job.options.measuring.runs = 3;
    job.options.operators = false;
    job.recipe.session_passes = false;
    job.recipe.runs_on.emplace().providers.push_back({"pages", {}});
    SweepResult result = worker.call(job, {});
    ASSERT_EQ(result.cells.size(), 1u);
    EXPECT_EQ(result.cells[0].state, CellState::done) << result.cells[0].reason;
    EXPECT_GT(result.cells[0].measurement.wall.median.median, 0);
    job.recipe.runs_on->fallback = Fallback::forbid;
    result = worker.call(job, {});
    ASSERT_EQ(result.cells.size(), 1u);
    EXPECT_EQ(result.cells[0].state, CellState::failed);
    expect_in("Tan", result.cells[0].reason);
}

/// A plugin with an engine that runs whole models.
class EngineOfPlugin : public PluginWorker {
protected:
    ModelSource in_abacus(std::map<std::string, std::string> options = {}) {
        ModelSource source =
            file_of("(x: f32[batch,4]) -> (y)\na = Exp(x)\nb = Add(a, x)\ny = Relu(b)", "test");
        Recipe recipe;
        recipe.level = Level::all;
        recipe.runs_on.emplace().plugin_engine = ProviderChoice{"abacus", std::move(options)};
        source.recipe = recipe;
        return source;
    }
    WorkerOptions with_abacus() { return options({"--plugin", plugin_file("engine").string()}); }
    /// With as many threads as the engine chooses: it has no option for them.
    static RunSettings once() {
        RunSettings settings = PluginWorker::once();
        settings.resources.threads = 0;
        return settings;
    }
    static std::string failure_of(WorkerEngine& worker, const ModelSource& model,
                                  const RunSettings& settings = once()) {
        try {
            worker.call(ProfileJob{model, settings}, {});
        } catch (const Error& error) { return error.what(); }
        return "it ran";
    }
};

TEST_F(EngineOfPlugin, ProfilesOnTheNodesOfTheModel) {
    WorkerEngine worker(with_abacus());
    const ModelSource theirs = in_abacus();
    const RunRecord record = worker.call(ProfileJob{theirs, once()}, {});
    ASSERT_EQ(record.profile->kernels.size(), 2u);  // Add and Relu are one
    for (const Span& span : record.profile->kernels)
        EXPECT_TRUE(record.executed->graph.is_alive(span.node)) << record.profile->name(span);
    EXPECT_EQ(record.placement.nodes.size(), 2u);
    ModelSource ours = theirs;
    ours.recipe.reset();
    const auto outputs = worker.call(CompareJob{ours, theirs, once()}, {});
    ASSERT_EQ(outputs.size(), 1u);
    EXPECT_TRUE(outputs[0].comparison.matches) << outputs[0].comparison.reason;
}

TEST_F(EngineOfPlugin, IsMeasuredAndSweptBesideThisEngine) {
    WorkerEngine worker(with_abacus());
    MeasureJob job;
    job.options.runs = 4;
    const ModelSource theirs = in_abacus();
    ModelSource ours = theirs;
    ours.recipe.reset();
    job.candidates.push_back({theirs, {}});
    job.candidates.push_back({ours, {}});
    for (const Measurement& one : worker.call(job, {})) {
        EXPECT_EQ(one.error, "");
        EXPECT_GT(one.wall.median.median, 0);
    }
    SweepJob swept;
    swept.model = ours;
    swept.recipe = *theirs.recipe;
    swept.options.measuring.runs = 3;
    swept.space.levels = {Level::disabled, Level::all};
    swept.space.intra = {0, 2};
    const SweepResult result = worker.call(swept, {});
    ASSERT_EQ(result.cells.size(), 4u);
    for (const SweepCell& cell : result.cells) {
        EXPECT_EQ(cell.state == CellState::done, cell.configuration.resources.threads == 0)
            << cell.reason;
        if (cell.configuration.resources.threads == 2)
            expect_in("cannot be given a number of threads", cell.reason);
    }
}

TEST_F(EngineOfPlugin, OneThatCrashesIsReportedAndTheNextRunHasANewWorker) {
    WorkerEngine worker(with_abacus());
    const std::string failure = failure_of(worker, in_abacus({{"wrong", "crash"}}));
    expect_in("crashed in plugin \"test_engine\": engine \"abacus\"", failure);
    const std::vector<WorkerEnd> reported = ends();
    ASSERT_EQ(reported.size(), 1u);
    EXPECT_TRUE(reported[0].last_words.starts_with(foreign_crash_mark)) << reported[0].last_words;
    EXPECT_EQ(failure_of(worker, in_abacus()), "it ran");
}

TEST_F(EngineOfPlugin, OneThatIsSwitchedOffIsNotThere) {
    WorkerEngine worker(with_abacus());
    expect_in("cannot be given a number of threads",
              failure_of(worker, in_abacus(), PluginWorker::once()));
    worker.set_arguments({"--without-plugin", plugin_file("engine").string()});
    expect_in("there is no engine \"abacus\"", failure_of(worker, in_abacus()));
}

TEST_F(EngineOfPlugin, CommandsTakeIt) {
    const ModelSource source = in_abacus();
    const std::string model = source.file.string(), plugin = plugin_file("engine").string();
    const auto ran = run({"run", model, "--plugin", plugin, "--engine", "abacus", "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.json().at("engine").at("name"), "abacus");
    const auto profiled = run({"profile", model, "--plugin", plugin, "--engine", "abacus",
                               "--level", "disabled", "--json"});
    ASSERT_EQ(profiled.code, 0) << profiled.err;
    EXPECT_EQ(profiled.json().at("known_share"), 1);
    const auto placed = run({"placement", model, "--plugin", plugin, "--engine", "abacus"});
    EXPECT_EQ(placed.code, 0) << placed.err;
    expect_in("engine  abacus 3.5", placed.out);
    expect_in("2 of 2 nodes", placed.out);
    const auto swept =
        run({"sweep", model, "--plugin", plugin, "--engine", "abacus", "--intra", "0", "--level",
             "disabled,all", "--seconds", "0.05", "--precision", "0.5"});
    EXPECT_EQ(swept.code, 0) << swept.err;
    const auto engines = run({"engines", "--plugin", plugin});
    expect_in("abacus       3.5, an engine of plugin test_engine", engines.out);
    expect_error(run({"run", model, "--plugin", plugin, "--engine", "abacus:colour=red"}), 3,
                 {"has no option \"colour\"; it has level, wrong"});
    expect_error(run({"run", model, "--plugin", plugin, "--engine", "abacus", "--intra", "2"}), 4,
                 {"cannot be given a number of threads"});
    expect_error(run({"run", model, "--plugin", plugin, "--engine", "abacus", "--provider", "CPU"}),
                 2, {"--provider is no option of --engine abacus"});
    expect_error(
        run({"optimize", model, "-o", "out.onnx", "--plugin", plugin, "--engine", "abacus"}), 2,
        {"engines of plugins write no optimized model"});
    expect_error(run({"run", model, "--engine", "abakus"}), 2,
                 {"--engine: there is no engine \"abakus\""});
    expect_error(run({"run", model, "--engine", "onnxruntime:level=1"}), 2,
                 {"takes no options after a colon"});
}

class OnnxRuntimeWorker : public PluginWorker {
protected:
    void SetUp() override {
        for (const OnnxRuntimeInfo& info : probe_onnxruntimes())
            if (info.unusable.empty()) return;
        GTEST_SKIP() << "no ONNX Runtime is installed where it is looked for";
    }
    static ModelSource in_onnxruntime(const std::string& name) {
        ModelSource source = sample(name);
        Recipe recipe;
        recipe.level = Level::all;
        recipe.runs_on.emplace().onnxruntime = true;
        source.model =
            std::make_shared<const Model>(optimize(*source.model, recipe.options()).model);
        source.recipe = recipe;
        return source;
    }
};

TEST_F(OnnxRuntimeWorker, ProfilesOnTheNodesOfTheModel) {
    WorkerEngine worker(options({}));
    const ModelSource model = in_onnxruntime("bert-tiny");
    const RunRecord record = worker.call(ProfileJob{model, once()}, {});
    ASSERT_FALSE(record.profile->kernels.empty());
    std::int64_t known = 0, all = 0;
    for (const Span& span : record.profile->kernels) {
        all += span.duration_ns();
        if (!span.node) continue;
        known += span.duration_ns();
        EXPECT_TRUE(record.executed->graph.is_alive(span.node)) << record.profile->name(span);
    }
    EXPECT_GE(static_cast<double>(known), 0.95 * static_cast<double>(all));
    EXPECT_FALSE(record.placement.nodes.empty());
    EXPECT_TRUE(record.placement.uses_cpu_alone());
    const ModelSource ours = sample("bert-tiny");
    for (const OutputComparison& output : worker.call(CompareJob{ours, model, once()}, {}))
        EXPECT_TRUE(output.comparison.matches) << output.name << ": " << output.comparison.reason;
}

TEST_F(OnnxRuntimeWorker, IsMeasuredBesideThisEngine) {
    WorkerEngine worker(options({}));
    MeasureJob job;
    job.options.runs = 4;
    job.memory = true;
    job.candidates.push_back({sample("mlp"), {}});
    job.candidates.push_back({in_onnxruntime("mlp"), {}});
    const std::vector<Measurement> measured = worker.call(job, {});
    ASSERT_EQ(measured.size(), 2u);
    for (const Measurement& one : measured) {
        EXPECT_EQ(one.error, "");
        EXPECT_GT(one.wall.median.median, 0);
        EXPECT_TRUE(one.peak_mb);
    }
}

TEST_F(OnnxRuntimeWorker, SettingsAreSwept) {
    WorkerEngine worker(options({}));
    SweepJob job;
    job.model = in_onnxruntime("mlp");
    job.recipe = *job.model.recipe;
    job.model.recipe.reset();
    job.model.model = sample("mlp").model;
    job.options.measuring.runs = 3;
    job.space.levels = {Level::disabled, Level::all};
    job.space.intra = {1, 2};
    const SweepResult result = worker.call(job, {});
    ASSERT_EQ(result.cells.size(), 4u);
    for (const SweepCell& cell : result.cells) {
        EXPECT_EQ(cell.state, CellState::done) << cell.reason;
        EXPECT_GT(cell.measurement.wall.median.median, 0);
    }
    EXPECT_TRUE(result.complete);
    EXPECT_TRUE(result.scaling.empty());  // profiles were not requested
}

TEST_F(OnnxRuntimeWorker, AProviderThatItLacksIsAnError) {
    WorkerEngine worker(options({}));
    ModelSource model = in_onnxruntime("mlp");
    model.recipe->runs_on->providers.push_back({"Rubbish", {}});
    expect_in("without the provider \"Rubbish\"", failure_of(worker, model));
}

}  // namespace
}  // namespace lapidary::app
