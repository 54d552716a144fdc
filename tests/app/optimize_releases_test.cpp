// SPDX-License-Identifier: Apache-2.0
// Files that optimize writes for releases of ONNX Runtime: opsets, its own format, and what info
// says of a file.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <lapidary/engines/onnxruntime_engine.h>
#include <lapidary/export/release.h>
#include <lapidary/onnx_io/model_io.h>

#include "app/optimize_command_fixture.h"

namespace lapidary {
namespace {

TEST_F(OptimizeCommand, WritesWhatAReleaseReadsOrNamesTheNode) {
    const std::string newer =
        save("newer.onnx", "(x: f32[n,4]) -> (y)\n g = Sigmoid(x)\n y = Mul(x, g)", 23);
    const CommandOutcome outcome =
        run({"optimize", newer, "-o", file("old.onnx"), "--release", "1.17", "--guard"});
    ASSERT_EQ(outcome.code, 0) << outcome.err << outcome.out;
    EXPECT_NE(outcome.out.find("opset 20 in place of 23"), std::string::npos) << outcome.out;
    const Model written = load_model(file("old.onnx"));
    EXPECT_EQ(written.opset(), 20);
    EXPECT_LE(written.ir_version, 9);
    const std::string only_newer =
        save("bits.onnx", "(x: f32[n,4]) -> (y)\n y = BitCast(x) {to: 6} as \"bits\"", 26);
    expect_error(run({"optimize", only_newer, "-o", file("none.onnx"), "--release", "1.20"}), 4,
                 {"ONNX Runtime 1.20", "\"bits\"", "opset 26"});
    EXPECT_FALSE(std::filesystem::exists(file("none.onnx")));
    for (const char* odd : {"newest", "abc", "2.0", "1.", "1..2"})
        expect_error(run({"optimize", newer, "--release", odd}), 2, {"--release", odd});
    expect_error(run({"optimize", newer, "-o", file("o.onnx"), "--engine", "onnxruntime",
                      "--release", "1.20"}),
                 2, {"--release"});
}

TEST_F(OptimizeCommand, SaysThatAReleaseIsNotKnown) {
    const std::string newest = fmt::format("1.{}", runtime_releases().back().minor);
    const std::string model = save("model.onnx", "(x: f32[n,4]) -> (y)\n y = Relu(x)", 17);
    const std::string words =
        "ONNX Runtime 1.999 is not known here; the model is made for " + newest;
    for (const auto& [release, is_said] : {std::pair("1.999", true), {newest.c_str(), false}}) {
        const CommandOutcome made =
            run({"optimize", model, "-o", file("made.onnx"), "--release", release});
        EXPECT_EQ(made.code, 0) << made.err;
        EXPECT_EQ(made.out.find(words) != std::string::npos, is_said) << made.out;
    }
    for (const char* command : {"optimize", "quantize"})
        EXPECT_NE(run({command, "--help"}).out.find(newest), std::string::npos) << command;
}

TEST_F(OptimizeCommand, InfoSaysWhichReleasesRefuseAFile) {
    const std::string path =
        save("doubles.onnx", "(x: f32[2]) -> (y)\n a = Relu(x) as \"n\"\n y = Neg(a) as \"n\"");
    const CommandOutcome doubles = run({"info", path});
    EXPECT_NE(doubles.out.find(
                  "read by     no ONNX Runtime known here: several nodes have the same name \"n\""),
              std::string::npos)
        << doubles.out;
    EXPECT_NE(doubles.out.find("an export of `optimize` mends it"), std::string::npos)
        << doubles.out;
    const nlohmann::json json = nlohmann::json::parse(run({"info", path, "--json"}).out);
    EXPECT_TRUE(json["onnxruntime"]["from"].is_null());
    const nlohmann::json newer = nlohmann::json::parse(
        run({"info", save("newer.onnx", "(x: f32[2]) -> (y)\n y = Neg(x)", 23), "--json"}).out);
    EXPECT_EQ(newer["onnxruntime"]["from"], "1.23");
    EXPECT_EQ(newer["onnxruntime"]["refused"][0]["below"], "1.23");
    const nlohmann::json old = nlohmann::json::parse(run({"info", small(), "--json"}).out);
    EXPECT_TRUE(old["onnxruntime"]["refused"].empty());
}

// ONNX Runtime's own format: only the user's ONNX Runtime writes it, from the model that this
// program optimized.
TEST_F(OptimizeCommand, HasOnnxRuntimeWriteItsOwnFormat) {
    if (const std::string unusable = describe_onnxruntime({}).unusable; !unusable.empty())
        GTEST_SKIP() << unusable;
    const std::string model = small(), written = file("fast.ort");
    const CommandOutcome outcome = run({"optimize", model, "-o", written, "--guard"});
    ASSERT_EQ(outcome.code, 0) << outcome.err << outcome.out;
    EXPECT_NE(outcome.out.find("written by ONNX Runtime"), std::string::npos) << outcome.out;
    EXPECT_TRUE(is_ort_format(written));
    EXPECT_EQ(operators(written), (std::vector<std::string>{"Abs", "com.microsoft::QuickGelu"}));
    const CommandOutcome info = run({"info", written, "--json"});
    ASSERT_EQ(info.code, 0) << info.err;
    EXPECT_EQ(info.json().at("format"), "ort");
    EXPECT_EQ(run({"info", model, "--json"}).json().at("format"), "onnx");
    for (const std::string& again : {file("again.onnx"), file("again.ort")}) {
        EXPECT_EQ(run({"optimize", written, "-o", again, "--level", "disabled"}).code, 0);
        EXPECT_EQ(operators(again), operators(written));
        EXPECT_EQ(is_ort_format(again), again.ends_with(".ort"));
    }
    expect_error(run({"optimize", written, "-o", written}), cli::exit_bad_input,
                 {"the model itself"});
    EXPECT_EQ(run({"optimize", written, "-o", written, "--overwrite"}).code, 0);
    const CommandOutcome theirs = run({"optimize", written, "-o", file("theirs.ort"), "--engine",
                                       "onnxruntime", "--level", "basic"});
    EXPECT_EQ(theirs.code, 0) << theirs.err;
    EXPECT_TRUE(is_ort_format(file("theirs.ort")));
}

TEST_F(OptimizeCommand, LeavesTheFileWhereNoOnnxRuntimeWritesIt) {
    const std::string written = file("old.ort");
    std::ofstream(written) << "as it was";
    expect_error(run({"optimize", small(), "-o", written, "--onnxruntime", file("nowhere")}),
                 cli::exit_not_supported, {"old.ort", "your own ONNX Runtime", "nowhere"});
    std::ifstream left(written);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(left), {}), "as it was");
}

}  // namespace
}  // namespace lapidary
