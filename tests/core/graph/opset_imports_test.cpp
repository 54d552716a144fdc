// SPDX-License-Identifier: Apache-2.0
// What files say about operator sets, and calls of functions that leave inputs out.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/export/export_model.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/report/model_summary.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/exec/session.h>

#include "ops/schemas/schema.h"
#include "support/pass_harness.h"

namespace lapidary {
namespace {

class OpsetImportsTest : public testing::Test {
protected:
    Model reloaded(const Model& model) const {
        save_model(model, file_);
        return load_model(file_);
    }
    void TearDown() override { std::filesystem::remove(file_); }
    const std::filesystem::path file_ =
        std::filesystem::temp_directory_path() /
        (std::string("lapidary_") + testing::UnitTest::GetInstance()->current_test_info()->name() +
         ".onnx");
};

// A domain that the model does not import (or misspells) is imported by what is written, so that it
// can be read again.
TEST_F(OpsetImportsTest, FilesImportWhatTheirNodesNeed) {
    Model model = test::model_of(
        "(x: f32[2,8], s: f32[2,8]) -> (y)\n y = com.microsoft::SkipLayerNormalization(x, s, g: "
        "f32[8], b: f32[8])");
    model.opset_imports = {{"gom.microsoft", 1}};
    EXPECT_EQ(reloaded(model).opset("com.microsoft"), 1);
    for (const ExportTarget target : {ExportTarget::portable, ExportTarget::plain}) {
        ExportOptions options;
        options.target = target;
        const Model exported = reloaded(export_model(model, options).model);
        EXPECT_FALSE(exported.opset_imports.contains("gom.microsoft"));
        EXPECT_EQ(exported.opset("com.microsoft"), target == ExportTarget::portable ? 1 : 0);
        EXPECT_EQ(test::compare_runs(model, exported, {1e-5, 1e-5}), "");
    }
}

TEST_F(OpsetImportsTest, AFileWithoutNodesKeepsAnImport) {
    Model model = test::model_of("(x: f32[2]) -> (x)");
    model.opset_imports = {{"org.example", 3}};
    EXPECT_EQ(reloaded(export_model(model, {}).model).opset_imports.size(), 1u);
}

// An opset newer than the tables is reported, and its operators are taken as the newest known one
// defines them; what that does not have cannot run.
TEST_F(OpsetImportsTest, ANewerOpsetThanKnownOpensAndRuns) {
    const std::int64_t newer = max_onnx_opset + 1;
    Model model = reloaded(test::model_of("(x: f32[2]) -> (y)\n y = Relu(x)", newer));
    ASSERT_EQ(model.warnings.size(), 1u);
    EXPECT_NE(model.warnings[0].message.find("is newer than"), std::string::npos)
        << model.warnings[0].message;
    EXPECT_EQ(model.opset(), newer);
    Session session = Session::compile(std::make_shared<const Model>(model));
    const RunResult result = session.run({{"x", Tensor::of<float>({2}, {-1, 2})}});
    EXPECT_EQ(result.outputs[0].second.tensor().data<float>()[1], 2);

    const Model strange = reloaded(test::model_of("(x: f32[2]) -> (y)\n y = Rectify(x)", newer));
    const ModelSummary summary = summarize(strange);
    ASSERT_EQ(summary.unsupported.size(), 1u);
    EXPECT_NE(summary.unsupported[0].reason.find("unknown operator"), std::string::npos)
        << summary.unsupported[0].reason;
    EXPECT_THROW(Session::compile(std::make_shared<const Model>(strange)), Error);
    EXPECT_THROW(reloaded(test::model_of("(x: f32[2]) -> (y)\n y = Relu(x)", 101)), Error);
}

// As ONNX Runtime takes it: Softmax of opset 11 is over all of [2, 2], that of opset 13 over the
// last two.
TEST_F(OpsetImportsTest, OfADomainThatIsImportedTwiceTheLastCounts) {
    save_model(test::model_of("(x: f32[1,2,2]) -> (y)\n y = Softmax(x)", 13), file_);
    // version 11
    std::ofstream(file_, std::ios::binary | std::ios::app) << std::string("\x42\x02\x10\x0b", 4);
    const Model model = load_model(file_);
    EXPECT_EQ(model.opset(), 11);
    ASSERT_EQ(model.warnings.size(), 1u);
    EXPECT_NE(model.warnings[0].message.find("with versions 13 and 11: the last is taken"),
              std::string::npos);
    const RunResult result = Session::compile(std::make_shared<const Model>(model))
                                 .run({{"x", Tensor::of<float>({1, 2, 2}, {0, 0, 0, 0})}});
    EXPECT_EQ(result.outputs[0].second.tensor().data<float>()[0], 0.25f);
}

// Relu has one form in both opsets; Resize of opset 10 has its scales where opset 17 has a region.
TEST_F(OpsetImportsTest, ANodeThatReadersWouldRefuseIsNotWritten) {
    EXPECT_EQ(reloaded(test::model_of("(x: f32[2]) -> (y)\n y = Relu@13(x)")).opset(), 17);
    std::filesystem::remove(file_);
    const std::string resize = "Resize@10(x, s: f32[4]{1.0,1.0,2.0,2.0})";
    for (const std::string& text :
         {"(x: f32[1,1,2,2]) -> (y)\n y = " + resize,
          "(x: f32[1,1,2,2], c: bool[]) -> (y)\n y = If(c) {then_branch: graph { () -> (a)  a = " +
              resize + " }, else_branch: graph { () -> (b)  b = Neg(x) }}"}) {
        try {
            reloaded(test::model_of(text));
            FAIL() << text;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::not_supported) << error.what();
            const std::string said = error.what();
            EXPECT_NE(said.find("the form of opset 10"), std::string::npos) << said;
            EXPECT_NE(said.find("one of scales and sizes must be given"), std::string::npos)
                << said;
        }
        EXPECT_FALSE(std::filesystem::exists(file_)) << text;
    }
}

/// F(x, scale) = x * scale where `wanted` says so, else x, by a branch that reads `scale` from
/// outside.
Model with_call(const std::string& arguments, const std::string& body) {
    Model model = test::model_of("(x: f32[2]) -> (y)\n y = org.example::F(" + arguments + ")");
    Function f;
    f.domain = "org.example";
    f.name = "F";
    f.opset_imports[""] = 17;
    f.body = std::make_shared<Graph>(parse_graph(body, {.opset = 17}));
    model.functions.push_back(std::move(f));
    return model;
}

TEST_F(OpsetImportsTest, InputsThatACallLeavesOutAreLeftOutInBranchesToo) {
    const Model model = with_call("x, _", R"((x: f32[2], low: f32[]) -> (z)
        z = If(c: bool[]{1}) {then_branch: graph { () -> (a)  a = Clip(x, low) }, else_branch: graph { () -> (b)  )"
                                          R"(b = Identity(x) }})");
    EXPECT_EQ(test::compare_runs(test::model_of("(x: f32[2]) -> (y)\n y = Identity(x)"),
                                 optimize(model, {}).model, {0, 0}),
              "");
}

TEST_F(OpsetImportsTest, AnInputThatACallLeavesOutIsNoOutput) {
    for (const char* body :
         {"(x: f32[2], s: f32[2]) -> (s)",
          "(x: f32[2], s: f32[2]) -> (z)\n z = If(c: bool[]{1}) {then_branch: graph { () -> (s) }, "
          "else_branch: graph { () -> (b)  b = Identity(x) }}"}) {
        try {
            optimize(with_call("x, _", body), {});
            FAIL() << body;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::invalid_model) << error.what();
            EXPECT_NE(std::string(error.what()).find("leaves out"), std::string::npos)
                << error.what();
        }
    }
}

}  // namespace
}  // namespace lapidary
