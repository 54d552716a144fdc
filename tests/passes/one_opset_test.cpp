// SPDX-License-Identifier: Apache-2.0
// Functions import opsets of their own. Where they are expanded, their nodes are brought to the
// model's opset: what is written and read again computes the same. What cannot be brought there is
// refused where it would be written.
#include <filesystem>
#include <memory>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/edit/apply_edits.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/passes/optimize.h>

#include "graph/traversal.h"
#include "graph/verify.h"
#include "passes/opset/convert_opset.h"
#include "support/pass_harness.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

struct FunctionCase {
    const char* what;
    std::int64_t opset, of_function;
    const char* body;  // of a -> b
};

constexpr const char* called = "(x: f32[1,3,4,4]) -> (y)\n t = local::F(x)\n y = Neg(t)\n";
constexpr const char* called_in_a_branch =
    "(x: f32[1,3,4,4], c: bool[]) -> (y)\n"
    " y = If(c) {then_branch: graph { () -> (t)  t = local::F(x) }, "
    "else_branch: graph { () -> (e)  e = Neg(x) }}\n";

Model with_function(const FunctionCase& c, const char* text) {
    Model model = test::model_of(text, c.opset);
    Function f;
    f.domain = "local";
    f.name = "F";
    f.opset_imports[""] = c.of_function;
    f.body = std::make_shared<const Graph>(
        parse_graph(std::string("(a: f32[1,3,4,4]) -> (b)\n ") + c.body, {.opset = c.of_function}));
    model.functions.push_back(std::move(f));
    model.opset_imports["local"] = 1;
    return model;
}

Model written_and_read(const Model& model) {
    static const TemporaryFolder folder;  // models read their files while they are used
    static int count = 0;
    const std::filesystem::path file = folder / (std::to_string(count++) + ".onnx");
    save_model(model, file);
    return load_model(file);
}

void expect_one_opset(const Model& model, std::int64_t opset) {
    EXPECT_EQ(model.opset(), opset);
    for_each_graph(model.graph, [&](const Graph& graph, const std::string&) {
        for (const NodeId id : graph.nodes()) {
            const Node& node = graph.node(id);
            EXPECT_TRUE(!node.domain.empty() || node.version == opset) << node.describe();
        }
    });
}

class FunctionOfAnotherOpset : public testing::TestWithParam<FunctionCase> {};

TEST_P(FunctionOfAnotherOpset, ComputesTheSameAfterItIsWritten) {
    const FunctionCase& c = GetParam();
    SCOPED_TRACE(c.what);
    for (const char* text : {called, called_in_a_branch}) {
        const Model model = with_function(c, text);
        for (const Level level : {Level::disabled, Level::all}) {
            OptimizeOptions options;
            options.level = level;
            const Model read = written_and_read(optimize(model, options).model);
            EXPECT_EQ(read.opset(), c.opset);
            EXPECT_EQ(test::compare_runs(model, read, {1e-5, 1e-5}), "");
        }
        Model converted = model;
        convert_opset(converted, c.opset + 1);
        verify(converted);
        expect_one_opset(converted, c.opset + 1);
        EXPECT_EQ(test::compare_runs(model, written_and_read(converted), {1e-5, 1e-5}), "");
    }
}

TEST_P(FunctionOfAnotherOpset, IsExpandedByALine) {
    const FunctionCase& c = GetParam();
    SCOPED_TRACE(c.what);
    const Model model = with_function(c, called);
    Model expanded = model;
    const EditReport report = apply_edits(expanded, parse_edit_script("expand writes:t"));
    EXPECT_TRUE(report.problems.empty());
    verify(expanded);
    expect_one_opset(expanded, c.opset);
    EXPECT_EQ(expanded.functions.size(), 1U) << "it stays in the model";
    EXPECT_EQ(expanded.ir_version, model.ir_version);
    EXPECT_EQ(test::compare_runs(model, written_and_read(expanded), {1e-5, 1e-5}), "");
}

INSTANTIATE_TEST_SUITE_P(
    All, FunctionOfAnotherOpset,
    testing::Values(
        FunctionCase{"flattens before 13", 17, 11, "b = Softmax(a)"},
        FunctionCase{"flattens before 13", 17, 11, "b = LogSoftmax(a)"},
        FunctionCase{"flattens before 13", 17, 11, "b = Hardmax(a)"},
        FunctionCase{"works along one axis from 13", 11, 13, "b = Softmax(a) {axis: 1}"},
        FunctionCase{"shifts by half a pixel from 16", 17, 10,
                     "b = RoiAlign(a, r: f32[2,4]{0.0,0.0,2.0,2.0,1.0,1.0,3.0,3.0}, "
                     "i: i64[2]{0,0}) {output_height: 2, output_width: 2, sampling_ratio: 2}"},
        FunctionCase{"bounds were attributes", 17, 10, "b = Clip(a) {min: 0.0, max: 1.0}"},
        FunctionCase{"scales were the second input", 17, 10,
                     "b = Resize(a, s: f32[4]{1.0,1.0,2.0,2.0})"},
        FunctionCase{"scales in a node", 17, 10,
                     "s = Constant() {value: f32[4]{1.0,1.0,2.0,2.0}}\n b = Resize(a, s)"},
        FunctionCase{"axes were an attribute", 17, 11, "b = Squeeze(a) {axes: [0]}"},
        FunctionCase{"axes became an input", 11, 13,
                     "i = Constant() {value: i64[1]{1}}\n b = ReduceSum(a, i) {keepdims: 1}"},
        FunctionCase{"gone from 10 on", 17, 9, "b = Upsample(a, s: f32[4]{1.0,1.0,2.0,2.0})"},
        FunctionCase{"the ratio was an attribute", 17, 10, "b = Dropout(a) {ratio: 0.3}"}),
    [](const testing::TestParamInfo<FunctionCase>& info) {
        return "number_" + std::to_string(info.index);
    });

/// What keeps the model from being written.
std::string refusal(const Model& model) {
    try {
        written_and_read(model);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::not_supported) << error.what();
        return error.what();
    }
    return "not refused";
}

// Valid in both versions, but not the same.
TEST(OneOpset, FormsThatMeanSomethingElseAreNotWritten) {
    struct Case {
        std::int64_t opset;
        std::string node, reason;
    };
    const std::string rois =
        "(x, r: f32[1,4]{0.0,0.0,2.0,2.0}, i: i64[1]{0}) {output_height: 2, output_width: 2}";
    for (const Case& c :
         {Case{17, "Softmax@11(x)", "Softmax changed with opset 13"},
          Case{17, "LogSoftmax@11(x)", "LogSoftmax changed with opset 13"},
          Case{17, "Hardmax@11(x)", "Hardmax changed with opset 13"},
          Case{11, "Softmax@13(x)", "Softmax changed with opset 13"},
          Case{17, "RoiAlign@10" + rois, "RoiAlign changed with opset 16"},
          Case{11, "RoiAlign@16" + rois, "RoiAlign changed with opset 16"},
          Case{17, "Upsample@9(x, s: f32[4]{1.0,1.0,2.0,2.0})", "no Upsample since opset 10"}}) {
        const std::string said =
            refusal(test::model_of("(x: f32[1,3,4,4]) -> (y)\n y = " + c.node, c.opset));
        EXPECT_NE(said.find(c.reason), std::string::npos) << c.node << ": " << said;
    }
    EXPECT_EQ(refusal(test::model_of("(x: f32[1,3,4,4]) -> (y)\n y = Softmax@13(x)")),
              "not refused");
}

// Such a node runs at its own version.
TEST(OneOpset, WhatCannotBeConvertedStaysAndIsNotWritten) {
    const FunctionCase half_pixel{"", 11, 16,
                                  "b = RoiAlign(a, r: f32[1,4]{0.0,0.0,2.0,2.0}, i: i64[1]{0}) "
                                  "{output_height: 2, output_width: 2}"};
    const Model model = with_function(half_pixel, called);
    OptimizeOptions options;
    options.level = Level::disabled;
    const Model expanded = optimize(model, options).model;
    EXPECT_EQ(test::compare_runs(model, expanded, {}), "");
    const std::string said = refusal(expanded);
    EXPECT_NE(said.find("RoiAlign changed with opset 16"), std::string::npos) << said;
}

}  // namespace
}  // namespace lapidary
