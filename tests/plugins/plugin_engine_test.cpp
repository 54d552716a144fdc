// SPDX-License-Identifier: Apache-2.0
// The engine of a plugin: its description, runs on tensors, spans of nodes, options, and errors.
#include <gtest/gtest.h>

#include <map>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/engines/plugin_engine.h>
#include <lapidary/engines/plugins.h>
#include <lapidary/internal/scratch_folder.h>
#include <lapidary/exec/session.h>

#include "plugins/plugin_paths.h"
#include "support/pass_harness.h"

namespace lapidary::test {
namespace {

constexpr const char* graph_text =
    "(x: f32[batch,4]) -> (y, z)\na = Exp(x)\nb = Add(a, x)\ny = Relu(b)\nz = Mul(y, w: "
    "f32[1]{2.0})";

void expect_in(const std::string& part, const std::string& text) {
    EXPECT_NE(text.find(part), std::string::npos) << text << "\nhas no " << part;
}

std::string refusal_of(const std::string& library) {
    try {
        open_plugin(plugin_file(library));
    } catch (const Error& error) { return error.what(); }
    return "it was opened";
}

class PluginEngine : public testing::Test {
protected:
    static void SetUpTestSuite() { open_plugin(plugin_file("engine")); }
    void SetUp() override { model_ = saved(graph_text); }

    Model saved(const std::string& text) {
        Model made = model_of(text);
        infer_types(made);
        save_model(made, file());
        return load_model(file());
    }
    std::filesystem::path file() const { return folder_.path() / "model.onnx"; }
    static NamedValues inputs(std::int64_t rows = 3) {
        Tensor x(DType::f32, {rows, 4});
        for (std::int64_t i = 0; i < x.size(); ++i)
            x.mutable_data<float>()[i] = 0.25f * static_cast<float>(i) - 1.f;
        return {{"x", x}};
    }
    static PluginEngineOptions abacus(std::map<std::string, std::string> options = {}) {
        PluginEngineOptions engine;
        engine.engine = "abacus";
        engine.options = std::move(options);
        return engine;
    }
    EngineRecord record(const PluginEngineOptions& options,
                        EngineRuns runs = {inputs(), 1, 2, true}) {
        return run_plugin_engine(model_, file(), options, runs);
    }
    std::string failure_of(const PluginEngineOptions& options,
                           const NamedValues& values = inputs()) {
        try {
            record(options, {values, 0, 1, false});
        } catch (const Error& error) {
            code_ = error.code();
            return error.what();
        }
        return "it ran";
    }

    ScratchFolder folder_;
    Model model_;
    ErrorCode code_{};
};

TEST_F(PluginEngine, ReportsItselfAndItsOptions) {
    const PluginInfo& info = open_plugin(plugin_file("engine"));
    EXPECT_EQ(info.engine, "abacus");
    EXPECT_EQ(info.engine_version, "3.5");
    EXPECT_TRUE(info.engine_unusable.empty());
    ASSERT_EQ(info.engine_options.size(), 2u);
    EXPECT_EQ(info.engine_options[0].key, "level");
    EXPECT_TRUE(has_engine_option("abacus", "wrong"));
    EXPECT_FALSE(has_engine_option("abacus", "intra_threads"));
}

TEST_F(PluginEngine, GivesWhatThisProgramGives) {
    const EngineRecord ran = record(abacus());
    EXPECT_EQ(ran.name, "abacus");
    EXPECT_EQ(ran.version, "3.5");
    EXPECT_EQ(ran.path, plugin_file("engine"));
    Session ours = Session::compile(std::make_shared<const Model>(model_), {});
    for (const std::int64_t rows : {1, 3}) {
        const EngineRecord theirs = record(abacus(), {inputs(rows), 0, 1, false});
        const RunResult own = ours.run(inputs(rows));
        ASSERT_EQ(theirs.outputs.size(), own.outputs.size());
        for (std::size_t i = 0; i < own.outputs.size(); ++i) {
            EXPECT_EQ(theirs.outputs[i].first, own.outputs[i].first);
            EXPECT_TRUE(
                compare(theirs.outputs[i].second, own.outputs[i].second, same_result).matches);
        }
    }
}

/// All four nodes have no name in the file: the engine is given a copy with names, in memory.
TEST_F(PluginEngine, SpansAreOnTheNodesOfTheModel) {
    PluginEngineOptions options = abacus();
    options.level = Level::disabled;
    const EngineRecord ran = record(options);
    ASSERT_NE(ran.profile, nullptr);
    EXPECT_EQ(ran.profile->runs, 2);
    EXPECT_EQ(ran.profile->kernels.size(), 8u);
    EXPECT_TRUE(ran.match.unmatched.empty());
    for (const Span& span : ran.profile->kernels) {
        ASSERT_TRUE(model_.graph.is_alive(span.node)) << ran.profile->name(span);
        EXPECT_EQ(model_.graph.node(span.node).op_type, ran.profile->op(span));
        EXPECT_EQ(ran.profile->provider(span), "CPU");
        EXPECT_LE(span.begin_ns, span.end_ns);
        const Span& run = ran.profile->run_spans.at(static_cast<std::size_t>(span.run));
        EXPECT_GE(span.begin_ns, run.begin_ns);
        EXPECT_LE(span.end_ns, run.end_ns);
    }
    EXPECT_EQ(ran.placement.nodes.size(), 4u);
    EXPECT_TRUE(ran.placement.uses_cpu_alone());
}

TEST_F(PluginEngine, NodesThatItFusesAreShownOnTheFirst) {
    PluginEngineOptions options = abacus();
    options.level = Level::all;
    const EngineRecord ran = record(options);
    ASSERT_EQ(ran.profile->kernels.size(), 6u);
    EXPECT_EQ(ran.profile->kernel(ran.profile->kernels[1]), "abacus.add_relu");
    EXPECT_EQ(model_.graph.node(ran.profile->kernels[1].node).op_type, "Add");
}

TEST_F(PluginEngine, WhatItCannotRunIsRefusedInItsWords) {
    model_ = saved("(x: f32[2]) -> (y)\ny = Tan(x)");
    expect_in("plugin \"test_engine\": engine \"abacus\": node '': it has no kernel for Tan",
              failure_of(abacus()));
    EXPECT_EQ(code_, ErrorCode::not_supported);
}

TEST_F(PluginEngine, FaultsOfARunAreReported) {
    expect_in("engine \"abacus\": the beads are stuck", failure_of(abacus({{"wrong", "run"}})));
    EXPECT_EQ(code_, ErrorCode::invalid_input);
    expect_in("gave no output \"y\"", failure_of(abacus({{"wrong", "output"}})));
    EXPECT_EQ(code_, ErrorCode::process_ended);
    expect_in("an output of element type 4711", failure_of(abacus({{"wrong", "type"}})));
    Tensor wrong(DType::i64, {1, 4});
    expect_in("input 'x': expected a tensor of 32-bit floats",
              failure_of(abacus(), {{"x", wrong}}));
    expect_in("knows no input \"q\" of the model", failure_of(abacus(), {{"q", wrong}}));
    expect_in("input 'x': expected", failure_of(abacus(), {}));
}

TEST_F(PluginEngine, WrongNamesAndOptionsAreRefused) {
    PluginEngineOptions options = abacus();
    options.engine = "slide_rule";
    expect_in("there is no engine \"slide_rule\"; expected lapidary, onnxruntime, ",
              failure_of(options));
    expect_in("abacus", failure_of(options));
    expect_in("engine \"abacus\" has no option \"colour\"; it has level, wrong",
              failure_of(abacus({{"colour", "red"}})));
    options = abacus();
    options.resources.threads = 2;
    expect_in("cannot be given a number of threads: it has no option \"intra_threads\"",
              failure_of(options));
    options = abacus();
    options.resources.config["session.set_denormal_as_zero"] = "1";
    expect_in(
        "takes no session configuration of ONNX Runtime, found "
        "\"session.set_denormal_as_zero\"",
        failure_of(options));
}

TEST_F(PluginEngine, IsMeasuredBesideOthers) {
    const auto engine = open_plugin_engine(file(), abacus(), inputs());
    EXPECT_GT(engine->burst(1, 3).wall_ms, 0);
    EXPECT_EQ(engine->outputs().size(), 2u);
    RunConfiguration configuration;
    configuration.level = Level::basic;
    configuration.resources.threads = 0;
    EXPECT_EQ(with_configuration(abacus(), configuration).level, Level::basic);
    configuration.resources.spinning = false;
    EXPECT_THROW(with_configuration(abacus(), configuration), Error);
}

TEST_F(PluginEngine, StopsWhenCancelled) {
    const CancelToken cancel;
    cancel.cancel();
    EXPECT_THROW(run_plugin_engine(model_, file(), abacus(), {inputs(), 0, 1, false}, {cancel, {}}),
                 Error);
}

TEST(PluginEngineLibrary, OnesThatLackSomethingAreRefused) {
    expect_in("its engine \"half\" lacks functions", refusal_of("engine_half"));
    expect_in("its engine is of a smaller struct than interface 1.1 has",
              refusal_of("engine_short"));
    expect_in("has the name \"onnxruntime\", which is not open to plugins",
              refusal_of("engine_taken"));
}

TEST(PluginEngineLibrary, OneOfInterfaceOneZeroHasNone) {
    const PluginInfo& info = open_plugin(plugin_file("before_engines"));
    EXPECT_EQ(info.interface, "1.0");
    EXPECT_TRUE(info.engine.empty());
}

TEST(PluginEngineLibrary, OneThatCannotBeUsedSaysWhy) {
    const PluginInfo& info = open_plugin(plugin_file("engine_unusable"));
    EXPECT_EQ(info.engine, "absent");
    EXPECT_EQ(info.engine_version, "7");
    PluginEngineOptions options;
    options.engine = "absent";
    try {
        open_plugin_engine("model.onnx", options, {});
        FAIL() << "opened";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::not_supported);
        expect_in("engine \"absent\" cannot be used: there is no abacus on the desk", error.what());
    }
}

}  // namespace
}  // namespace lapidary::test
