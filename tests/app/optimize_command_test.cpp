// SPDX-License-Identifier: Apache-2.0
// optimize, passes and bisect: results, files, exit codes, one-line errors.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lapidary/onnx_io/model_io.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/tensor/tensor_file.h>

#include "app/optimize_command_fixture.h"
#include "onnx_io/weights/weights_files.h"

namespace lapidary {
namespace {

TEST_F(OptimizeCommand, WritesTheOptimizedModel) {
    const CommandOutcome outcome = run({"optimize", small(), "-o", file("out.onnx"), "--guard"});
    ASSERT_EQ(outcome.code, 0) << outcome.err << outcome.out;
    EXPECT_NE(outcome.out.find("extended: 4 nodes became 2"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("PASSED: 2 of 2 outputs agree"), std::string::npos) << outcome.out;
    EXPECT_EQ(operators(file("out.onnx")),
              (std::vector<std::string>{"Abs", "com.microsoft::QuickGelu"}));
    EXPECT_EQ(run({"run", file("out.onnx"), "--dim", "n=2"}).code, 0);
}

TEST_F(OptimizeCommand, TheGuardRunsOnTheGivenInputs) {
    const std::string model = small();
    save_npy(folder_ / "x.npy", Tensor::of<float>({5, 4}, std::vector<float>(20, 0.25f)));
    save_npy(folder_ / "wrong.npy", Tensor::of<float>({5, 3}, std::vector<float>(15, 0.25f)));
    const CommandOutcome outcome =
        run({"optimize", model, "--guard", "--input", "x=" + file("x.npy"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("f32[5,4]"), std::string::npos)
        << "of the size that was given: " << outcome.out;
    EXPECT_NE(run({"optimize", model, "--guard", "--input", "x=" + file("wrong.npy")}).code, 0);
    expect_error(run({"optimize", model, "--input", "x=" + file("x.npy")}), cli::exit_usage,
                 {"--guard"});
}

TEST_F(OptimizeCommand, LevelsAndPassesAreChosen) {
    const auto nodes_of = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"optimize", small(), "--json"});
        return run(arguments).json()["report"]["nodes_after"].get<int>();
    };
    EXPECT_EQ(nodes_of({"--level", "disabled"}), 4);
    EXPECT_EQ(nodes_of({"--level", "basic"}), 3);
    EXPECT_EQ(nodes_of({"--level", "extended"}), 2);
    EXPECT_EQ(nodes_of({"--disable-pass", "QuickGeluFusion"}), 3);
    EXPECT_EQ(
        nodes_of({"--disable-pass", "fuse_quick_gelu", "--disable-pass", "eliminate_dead_nodes"}),
        4);
    EXPECT_EQ(nodes_of({"--only-pass", "eliminate_dead_nodes"}), 3);
    EXPECT_EQ(nodes_of({"--stop-after", "0"}), 4);
    EXPECT_EQ(nodes_of({"--only-pass", "eliminate_dead_nodes", "--only-pass", "fuse_quick_gelu",
                        "--stop-after", "1"}),
              3);
    expect_error(run({"optimize", small(), "--disable-pass", "fuse_quick_gel"}), cli::exit_usage,
                 {"fuse_quick_gel\"", "\"fuse_quick_gelu\""});
}

TEST_F(OptimizeCommand, ExplainsRewritesAndNearMisses) {
    const CommandOutcome done = run({"optimize", small(), "--explain"});
    ASSERT_EQ(done.code, 0) << done.err;
    for (const char* part : {"rewrites", "fuse_quick_gelu (extended): 1 time",
                             "eliminate_dead_nodes (basic): 1 time", "near misses"})
        EXPECT_NE(done.out.find(part), std::string::npos) << part << " in\n" << done.out;
    const CommandOutcome missed =
        run({"optimize", almost(), "--explain", "--report", file("report.json")});
    ASSERT_EQ(missed.code, 0) << missed.err;
    EXPECT_NE(missed.out.find("fuse_quick_gelu, 100 % of the time (estimated) did not apply: "),
              std::string::npos)
        << missed.out;
    EXPECT_NE(missed.out.find("node \"product\" (Mul)"), std::string::npos) << missed.out;
    const Json report = Json::parse(std::ifstream(folder_ / "report.json"));
    ASSERT_FALSE(report["near_misses"].empty());
    EXPECT_EQ(report["near_misses"][0]["node_text"], "node \"product\" (Mul)");
    EXPECT_FALSE(report["near_misses"][0]["reason"].get<std::string>().empty());
    EXPECT_EQ(report["passes"].size(), all_passes().size());
}

TEST_F(OptimizeCommand, ReportHoldsEveryRewrite) {
    const std::string model = small();
    ASSERT_EQ(run({"optimize", model, "--report", file("report.json")}).code, 0);
    const Json report = Json::parse(std::ifstream(folder_ / "report.json"));
    EXPECT_EQ(report["nodes_before"], 4);
    EXPECT_EQ(report["nodes_after"], 2);
    ASSERT_EQ(report["rewrites"].size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(report["rewrites"][i]["number"], i + 1);
    const auto fused = std::ranges::find_if(
        report["rewrites"], [](const Json& r) { return r["pass"] == "fuse_quick_gelu"; });
    ASSERT_NE(fused, report["rewrites"].end());
    EXPECT_EQ((*fused)["removed"].size(), 2u);
    EXPECT_EQ((*fused)["added"].size(), 1u);
    EXPECT_EQ((*fused)["place"], "main");
    EXPECT_EQ(run({"optimize", model, "--json"}).json()["report"]["rewrites"].size(), 2u);
    expect_error(run({"optimize", model, "--report", file("no/where.json")}), cli::exit_bad_input,
                 {"no/where.json"});
}

TEST_F(OptimizeCommand, TargetsAreKept) {
    const std::string model = small();
    ASSERT_EQ(run({"optimize", model, "-o", file("plain.onnx"), "--target", "plain"}).code, 0);
    for (const std::string& op : operators(file("plain.onnx")))
        EXPECT_EQ(op.find("::"), std::string::npos) << op;
    ASSERT_EQ(run({"optimize", model, "-o", file("portable.onnx"), "--target", "portable"}).code,
              0);
    EXPECT_EQ(operators(file("portable.onnx")).back(), "com.microsoft::QuickGelu");
    const std::string mask = save(
        "mask.onnx",
        "(x: f32[2,8]) -> (y, m)\n y, m = com.microsoft::BiasDropout(x, b: f32[8]) as \"drop\"");
    expect_error(run({"optimize", mask, "-o", file("no.onnx"), "--target", "plain"}),
                 cli::exit_not_supported, {"\"drop\"", "its mask is read"});
    EXPECT_FALSE(std::filesystem::exists(folder_ / "no.onnx"));
    EXPECT_EQ(run({"optimize", model, "--json", "--target", "cpu"}).json()["report"]["level"],
              "all");
    EXPECT_EQ(run({"optimize", model, "--json", "--target", "cpu", "--level", "basic"})
                  .json()["report"]["level"],
              "basic");
    EXPECT_EQ(run({"optimize", model, "--json", "--level", "basic", "--target", "cpu"})
                  .json()["report"]["level"],
              "basic");
}

TEST_F(OptimizeCommand, DimensionsBatchAndOpset) {
    const std::string model = small();
    ASSERT_EQ(run({"optimize", model, "-o", file("fixed.onnx"), "--dim", "n=3", "--guard"}).code,
              0);
    EXPECT_EQ(run({"info", file("fixed.onnx"), "--json"}).json()["inputs"][0]["shape"],
              Json({3, 4}));
    ASSERT_EQ(
        run({"optimize", model, "-o", file("batch.onnx"), "--static-batch", "5", "--guard"}).code,
        0);
    EXPECT_EQ(run({"info", file("batch.onnx"), "--json"}).json()["inputs"][0]["shape"],
              Json({5, 4}));
    const CommandOutcome up = run({"optimize", model, "-o", file("up.onnx"), "--opset", "21"});
    ASSERT_EQ(up.code, 0) << up.err;
    EXPECT_EQ(load_model(folder_ / "up.onnx").opset(), 21);
    ASSERT_EQ(
        run({"optimize", file("up.onnx"), "-o", file("down.onnx"), "--opset", "13", "--guard"})
            .code,
        0);
    EXPECT_EQ(load_model(folder_ / "down.onnx").opset(), 13);
    expect_error(run({"optimize", model, "--opset", "5"}), cli::exit_bad_input,
                 {"the oldest is 7"});
}

TEST_F(OptimizeCommand, SavingNeverHitsTheSourceUnasked) {
    const std::string model = small();
    const auto size = std::filesystem::file_size(model);
    expect_error(run({"optimize", model, "-o", model}), cli::exit_bad_input, {"small.onnx"});
    EXPECT_EQ(std::filesystem::file_size(model), size);
    EXPECT_EQ(run({"optimize", model, "-o", model, "--overwrite"}).code, 0);
    EXPECT_EQ(operators(model).size(), 2u);
    const std::string weights =
        save("weights.onnx", "(x: f32[2,64]) -> (y)\n y = MatMul(x, w: f32[64,64])");
    ASSERT_EQ(run({"optimize", weights, "-o", file("apart.onnx"), "--external-data", "1000"}).code,
              0);
    EXPECT_EQ(std::filesystem::file_size(folder_ / "apart.onnx.data"),
              64u * 64u * 4u + onnx_io::weights_mark.size());
}

TEST_F(OptimizeCommand, TheGuardStopsAWrongResult) {
    // A tolerance that not even rounding meets stands in for a wrong pass.
    const std::string model = small();
    const CommandOutcome fine = run({"optimize", model, "--guard", "--json", "--seeds", "3"});
    EXPECT_EQ(fine.json()["guard"]["matches"], true);
    // per seed: the inputs, changed ones, NaN and Inf, the inputs again
    EXPECT_EQ(fine.json()["guard"]["runs"], 12);
    EXPECT_EQ(fine.json()["written"], false);
    const std::string rounding = save("rounding.onnx", R"((x: f32[64,64]) -> (y)
        a = MatMul(x, w: f32[64,64])
        b = Add(a, c: f32[64])
        g = Sigmoid(b)
        y = Mul(b, g))");
    const CommandOutcome strict = run({"optimize", rounding, "-o", file("strict.onnx"), "--guard",
                                       "--rtol", "0", "--atol", "0", "--json"});
    const bool equal = strict.json()["guard"]["matches"].get<bool>();
    EXPECT_EQ(strict.code, equal ? cli::exit_fine : cli::exit_check_failed);
    EXPECT_EQ(std::filesystem::exists(folder_ / "strict.onnx"), equal);
}

TEST_F(OptimizeCommand, PassesAreListed) {
    const CommandOutcome text = run({"passes"});
    EXPECT_EQ(text.code, 0);
    EXPECT_NE(text.out.find("QuickGeluFusion"), std::string::npos);
    const Json list = run({"passes", "--json"}).json()["passes"];
    ASSERT_EQ(list.size(), all_passes().size());
    for (const Json& pass : list) {
        for (const char* key : {"name", "level", "providers", "summary"})
            EXPECT_FALSE(pass[key].get<std::string>().empty()) << pass;
        EXPECT_TRUE(pass["ort_names"].is_array());
    }
}

TEST_F(OptimizeCommand, BisectSaysWhetherARewriteMovesAnOutput) {
    const CommandOutcome fine = run({"bisect", small(), "--dim", "n=2"});
    EXPECT_EQ(fine.code, 0) << fine.err;
    EXPECT_NE(fine.out.find("no rewrite moves an output"), std::string::npos) << fine.out;
    const Json json = run({"bisect", small(), "--level", "all", "--exhaustive", "--json"}).json();
    EXPECT_EQ(json["found"], false);
    EXPECT_EQ(json["rewrites"], 2);
    EXPECT_EQ(json["trials"], 3);
    expect_error(run({"bisect", small(), "--dim", "q=2"}), cli::exit_usage, {"\"q\""});
}

TEST_F(OptimizeCommand, UsageErrors) {
    const std::string model = small();
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"optimize"},
                                               {"optimize", model, "--level", "extreme"},
                                               {"optimize", model, "--target", "moon"},
                                               {"optimize", model, "--dim", "n"},
                                               {"optimize", model, "--static-batch", "0"},
                                               {"optimize", model, "--external-data", "10"},
                                               {"optimize", model, "--stop-after", "x"},
                                               {"run", model, "--disable-pass", "x"},
                                               {"run", model, "--level", "high"},
                                               {"bisect"},
                                               {"passes", "extra"}}) {
        const CommandOutcome outcome = run(arguments);
        expect_error(outcome, cli::exit_usage, {});
    }
    CancelToken cancel;
    cancel.cancel();
    EXPECT_EQ(run({"optimize", model}, cancel).code, cli::exit_cancelled);
}

}  // namespace
}  // namespace lapidary
