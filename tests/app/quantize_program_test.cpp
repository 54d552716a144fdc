// SPDX-License-Identifier: Apache-2.0
// The quantize command for a release of ONNX Runtime: the program for its tools, and what the
// release can read.
#include <filesystem>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <lapidary/onnx_io/model_io.h>
#include <lapidary/internal/text_file.h>

#include "app/quantize_command_fixture.h"
#include "cli/exit_code.h"

namespace lapidary {
namespace {

TEST_F(QuantizeCommand, WritesAProgramForTheToolsOfOnnxRuntime) {
    const std::string data = data_folder(10);
    const CommandOutcome outcome =
        run({"quantize", model_file(), "-o", file("q.onnx"), "--mode", "static", "--data", data,
             "--keep-float", "second", "--snippet", file("program.py"), "--release", "1.23"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("wrote " + file("program.py")), std::string::npos) << outcome.out;
    const std::string program = load_text(file("program.py"), 1 << 20);
    const auto python = [](const std::string& path) {  // a text of the program
        std::string text = "\"";
        for (const char c : path) text += c == '\\' ? "\\\\" : std::string(1, c);
        return text + '"';
    };
    for (const std::string& part :
         {std::string("onnxruntime==1.23.*"), "MODEL = " + python(model_file()),
          "QUANTIZED = " + python(file("q.onnxruntime.onnx")), "DATA = " + python(data),
          std::string("KEPT_FLOAT = {\n    \"y\",\n}"), std::string("quantize_static(")})
        EXPECT_NE(program.find(part), std::string::npos) << part << " in\n" << program;
    // The file says how it was made, which gives the same program.
    const CommandOutcome again =
        run({"snippet", model_file(), "--language", "python", "--quantized", file("q.onnx"),
             "--data", data, "--onnxruntime", "1.23"});
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(again.out, program);
    EXPECT_NE(again.err.find("--onnxruntime 1.23 is taken as --release 1.23"), std::string::npos)
        << again.err;
    const CommandOutcome renamed =
        run({"snippet", model_file(), "--language", "python", "--quantized", file("q.onnx"),
             "--data", data, "--release", "1.23"});
    EXPECT_EQ(renamed.out, program);
    EXPECT_EQ(renamed.err, "");
}

TEST_F(QuantizeCommand, WritesWhatAReleaseReadsOrNamesTheNode) {
    const auto quantize = [&](const char* mode, const char* release) {
        return run(
            {"quantize", model_file(), "-o", file("q.onnx"), "--mode", mode, "--release", release});
    };
    ASSERT_NE(quantize("static", "1.17").code, cli::exit_not_supported);
    const Model written = load_model(file("q.onnx"));
    EXPECT_LE(written.ir_version, 9);
    EXPECT_LE(written.opset(), 20);
    std::filesystem::remove(file("q.onnx"));
    const CommandOutcome refused = quantize("fp8", "1.15");  // needs opset 23
    const bool is_refused = refused.code == cli::exit_not_supported;
    EXPECT_EQ(refused.err.find("ONNX Runtime 1.15") != std::string::npos, is_refused)
        << refused.err;
    EXPECT_EQ(std::filesystem::exists(file("q.onnx")), !is_refused);
    EXPECT_EQ(quantize("static", "1.9").code, cli::exit_not_supported);
}

TEST_F(QuantizeCommand, SaysWhatTheSearchChoseInTheProgram) {
    const CommandOutcome outcome =
        run({"quantize", model_file(), "-o", file("q.onnx"), "--mode", "static", "--data",
             data_folder(20), "--search", "--budget", "0", "--snippet", file("program.py")});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::string program = load_text(file("program.py"), 1 << 20);
    std::string recipe;
    for (const auto& [key, value] : load_model(file("q.onnx")).metadata)
        if (key == "lapidary.quantization") recipe = value;
    ASSERT_NE(recipe.find("\"mode\":\"static\""), std::string::npos) << recipe;
    for (const auto& [member, limit] :
         {std::pair("\"compensated_rounding\":true", "\n# - compensated rounding"),
          {"\"smoothing\":", "\n# - smoothing"},
          {"\"equalize\":true", "\n# - equalization"}})
        EXPECT_EQ(program.find(limit) != std::string::npos,
                  recipe.find(member) != std::string::npos)
            << recipe << '\n'
            << program;
}

TEST_F(QuantizeCommand, RefusesTheProgramBeforeTheWork) {
    CommandOutcome outcome = run({"quantize", model_file(), "-o", file("q.onnx"), "--mode", "bf16",
                                  "--snippet", file("program.py")});
    EXPECT_NE(outcome.code, 0);
    EXPECT_NE(outcome.err.find("bfloat16"), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(file("q.onnx")));
    EXPECT_FALSE(std::filesystem::exists(file("program.py")));
    EXPECT_EQ(run({"quantize", model_file(), "--onnxruntime", "1.23"}).code,
              2);  // without --snippet
    const auto snippet = [&](const std::string& language, const std::string& quantized) {
        return run({"snippet", model_file(), "--language", language, "--quantized", quantized});
    };
    outcome = snippet("python", model_file());
    EXPECT_NE(outcome.code, 0);
    EXPECT_NE(outcome.err.find("does not say how it was quantized"), std::string::npos)
        << outcome.err;
    ASSERT_EQ(run({"quantize", model_file(), "-o", file("q.onnx")}).code, 0);
    outcome = snippet("cpp", file("q.onnx"));
    EXPECT_NE(outcome.code, 0);
    EXPECT_NE(outcome.err.find("in Python alone, not in cpp"), std::string::npos) << outcome.err;
    EXPECT_EQ(run({"snippet", model_file(), "--language", "python", "--data", "x"}).code, 2);
    EXPECT_EQ(run({"snippet", model_file(), "--language", "python", "--quantized", file("q.onnx"),
                   "--optimized"})
                  .code,
              2);
}

}  // namespace
}  // namespace lapidary
