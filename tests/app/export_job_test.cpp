// SPDX-License-Identifier: Apache-2.0
// Exports, extracts and programs written by the engine: in this process and in a worker, cancelled,
// and what they refuse.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/onnx_io/model_io.h>

#include "support/test_data.h"
#include "worker/jobs/export_job.h"
#include "worker/jobs/quantize/program_job.h"
#include "worker/process/worker_engine.h"

namespace lapidary::app {
namespace {

namespace fs = std::filesystem;

WorkerOptions serving() {
    WorkerOptions options;
    options.command = {cli_program(), "serve"};
    return options;
}

ModelSource sample(const std::string& name) {
    ModelSource source;
    source.sample = name;
    source.model = std::make_shared<const Model>(build_sample(name));
    return source;
}

std::string bytes_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string refusal(Engine& engine, const ExportJob& job) {
    try {
        engine.call(job, {});
    } catch (const Error& error) { return error.what(); }
    return "";
}

class ExportJobTest : public testing::Test {
protected:
    /// A model of opset 13 in a file, opened.
    ModelSource saved(const std::string& text) {
        Model model;
        model.ir_version = 8;
        model.opset_imports[""] = 13;
        GraphTextOptions options;
        options.opset = 13;
        model.graph = parse_graph(text, options);
        ModelSource source;
        source.file = folder_ / "net.onnx";
        save_model(model, source.file);
        source.model = std::make_shared<const Model>(load_model(source.file));
        return source;
    }
    TemporaryFolder folder_;
    WorkerEngine worker_{serving()};
    LocalEngine local_;
};

TEST_F(ExportJobTest, AWorkerWritesTheFileThatThisProcessWrites) {
    ExportJob job{sample("squeezenet"), {}};
    job.options.target = ExportTarget::portable;
    job.options.optimize.level = Level::extended;
    job.options.optimize.near_misses = false;
    job.file = folder_ / "there.onnx";
    const ExportedModel there = worker_.call(job, {});
    job.file = folder_ / "here.onnx";
    const ExportedModel here = local_.call(job, {});
    EXPECT_EQ(there.nodes, here.nodes);
    EXPECT_LT(there.nodes, there.changes.nodes_before);
    EXPECT_EQ(there.weight_bytes, here.weight_bytes);
    EXPECT_GT(there.weight_bytes, 0u);
    EXPECT_EQ(there.needs, here.needs);
    EXPECT_EQ(there.notes, here.notes);
    const Model a = load_model(folder_ / "there.onnx"), b = load_model(folder_ / "here.onnx");
    EXPECT_EQ(print_graph(a.graph), print_graph(b.graph));
    EXPECT_EQ(std::int64_t(count_nodes(a.graph)), there.nodes);
}

TEST_F(ExportJobTest, WithoutAFileItSaysWhatTheFileWouldHold) {
    ExportJob job{saved("(x: f32[n,4]) -> (y, z)\n s = ReduceMean(x) {axes: [1]}\n"
                        " y = Neg(s)\n z = Abs(x)"),
                  {}};
    job.options.opset = 18;
    job.options.optimize.level = Level::basic;
    job.options.optimize.only_passes = {"prune_outputs", "eliminate_dead_nodes",
                                        "prune_unused_inputs"};
    job.options.optimize.free_dimensions = {{"n", 3}};
    job.options.optimize.keep_outputs = {"y"};
    job.saving.external_data_min_bytes = 1;
    for (Engine* engine : std::initializer_list<Engine*>{&worker_, &local_}) {
        const ExportedModel found = engine->call(job, {});
        const ExportChanges& changes = found.changes;
        EXPECT_EQ(changes.opset_before, 13);
        EXPECT_EQ(changes.opset, 18);
        EXPECT_EQ(changes.nodes_before, 3);
        EXPECT_EQ(found.nodes, 2);
        ASSERT_GE(changes.ports.size(), 2u);
        EXPECT_FALSE(changes.ports.front().is_output);
        EXPECT_EQ(changes.ports.front().before, "f32[n,4]");
        EXPECT_EQ(changes.ports.front().after, "f32[3,4]");
        EXPECT_EQ(changes.ports.back().name, "z");
        EXPECT_EQ(changes.ports.back().after, std::nullopt);
        ASSERT_FALSE(changes.removed.empty());
        EXPECT_EQ(changes.removed.front().count, 1);
        EXPECT_EQ(changes.upgraded_count, 1u);
        ASSERT_EQ(changes.upgraded.size(), 1u);
        EXPECT_NE(changes.upgraded[0].node.find("ReduceMean"), std::string::npos);
        ASSERT_TRUE(changes.weights);
        EXPECT_EQ(changes.weights->beside_count, changes.weights->beside.size());
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1)
        << "nothing was written";
}

TEST_F(ExportJobTest, APartIsWrittenWithItsWeights) {
    const ModelSource model = sample("mlp");
    const NodeId first = model.model->graph.nodes().front();
    ExportJob job{model, {first}};
    job.file = folder_ / "part.onnx";
    EXPECT_EQ(worker_.call(job, {}).nodes, 1);
    const std::string there = bytes_of(job.file);
    local_.call(job, {});
    EXPECT_EQ(there, bytes_of(job.file));
    EXPECT_EQ(load_model(job.file).graph.nodes().size(), 1u);
}

TEST_F(ExportJobTest, RefusalsAreThoseOfThisProcess) {
    ExportJob older{saved("(x: f32[n,4], y: f32[4,n]) -> (z)\n z = Einsum(x, y) {equation: "
                          "\"ij,jk->ik\"}"),
                    {}};
    older.options.opset = 9;
    EXPECT_EQ(refusal(worker_, older), refusal(local_, older));
    EXPECT_NE(refusal(local_, older).find("Einsum"), std::string::npos) << refusal(local_, older);
    ExportJob nowhere{older.model, {}};
    nowhere.file = folder_ / "missing" / "out.onnx";
    EXPECT_EQ(refusal(worker_, nowhere), refusal(local_, nowhere));
    EXPECT_NE(refusal(worker_, nowhere).find("missing"), std::string::npos)
        << refusal(worker_, nowhere);
}

TEST_F(ExportJobTest, WhatIsOpenIsNotWrittenOverUnlessThatIsAskedFor) {
    ExportJob job{saved("(x: f32[4]) -> (y)\n y = Relu(x)"), {}};
    fs::create_hard_link(job.model.file, folder_ / "link.onnx");
    const std::string before = bytes_of(job.model.file);
    job.options.optimize.level = Level::basic;
    for (const char* name : {"net.onnx", "link.onnx"}) {
        job.file = folder_ / name;
        EXPECT_NE(refusal(worker_, job), "") << name;
        EXPECT_NE(refusal(local_, job), "") << name;
        EXPECT_EQ(bytes_of(job.model.file), before);
    }
    job.file = job.model.file;
    job.saving.overwrite_source = true;
    EXPECT_EQ(refusal(worker_, job), "");
    EXPECT_NE(bytes_of(job.model.file), before);
}

TEST_F(ExportJobTest, ACancelLeavesNothingOrTheWholeFile) {
    ExportJob job{sample("squeezenet"), {}};
    for (Engine* engine : std::initializer_list<Engine*>{&worker_, &local_}) {
        Progress progress;
        progress.report = [cancel = progress.cancel](std::string_view, double) mutable {
            cancel.cancel();
        };
        job.file = folder_ / (engine == &local_ ? "here.onnx" : "there.onnx");
        bool is_cancelled = false;
        try {
            engine->call(job, progress);
        } catch (const Error& error) {
            is_cancelled = true;
            EXPECT_EQ(error.code(), ErrorCode::cancelled) << error.what();
        }
        EXPECT_NE(is_cancelled, fs::exists(job.file));
        if (!is_cancelled) { EXPECT_FALSE(load_model(job.file).graph.nodes().empty()); }
    }
}

TEST_F(ExportJobTest, AProgramIsTheSameFromAWorker) {
    const auto program = [](Engine& engine, const ProgramJob& job) {
        try {
            return engine.call(job, {});
        } catch (const Error& error) { return std::string(error.what()); }
    };
    ProgramJob job{sample("mlp"), {}};
    job.settings.options.mode = QuantizeMode::dynamic;
    const std::string text = program(worker_, job);
    EXPECT_EQ(text, program(local_, job));
    EXPECT_NE(text.find("quantize_dynamic"), std::string::npos) << text;
    job.settings.nodes = {{"node \"one\" (MatMul)", "one", "main", false, "it is \"small\""}};
    const std::string refused = program(worker_, job);
    EXPECT_EQ(refused, program(local_, job));
    EXPECT_NE(refused.find("would be quantized"), std::string::npos) << refused;
}

}  // namespace
}  // namespace lapidary::app
