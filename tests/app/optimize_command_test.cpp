// SPDX-License-Identifier: Apache-2.0
// optimize, passes, bisect, and --level of the other commands: results, files, exit codes, one-line
// errors.
#include <algorithm>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/engines/onnxruntime_engine.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/tensor/tensor_file.h>

#include "app/command_runner.h"
#include "onnx_io/weights/weights_files.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

class OptimizeCommand : public ::testing::Test {
protected:
    std::string save(const std::string& name, const std::string& text, std::int64_t opset = 17) {
        Model model;
        model.ir_version = 8;
        model.opset_imports[""] = opset;
        model.opset_imports["com.microsoft"] = 1;
        GraphTextOptions options;
        options.opset = opset;
        model.graph = parse_graph(text, options);
        save_model(model, folder_ / name);
        return (folder_ / name).string();
    }
    /// One QuickGelu to fuse, one dead node to remove.
    std::string small() {
        return save("small.onnx",
                    "(x: f32[n,4]) -> (y, z)\n g = Sigmoid(x)\n y = Mul(x, g)\n z = Abs(x)\n dead "
                    "= Neg(x)");
    }
    /// A product that is one condition short of QuickGelu.
    std::string almost() {
        return save(
            "almost.onnx",
            "(x: f32[n,4], w: f32[n,4]) -> (y)\n g = Sigmoid(x)\n y = Mul(w, g) as \"product\"");
    }
    std::string file(const std::string& name) { return (folder_ / name).string(); }
    std::vector<std::string> operators(const std::string& path) {
        const Model model = load_model(path);
        std::vector<std::string> names;
        for (NodeId id : model.graph.nodes()) names.push_back(model.graph.node(id).qualified_op());
        std::ranges::sort(names);
        return names;
    }
    TemporaryFolder folder_;
};

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
    const std::string only_newer = save(
        "rms.onnx", "(x: f32[n,4]) -> (y)\n y = RMSNormalization(x, g: f32[4]) as \"rms\"", 23);
    expect_error(run({"optimize", only_newer, "-o", file("none.onnx"), "--release", "1.20"}), 4,
                 {"ONNX Runtime 1.20", "\"rms\"", "opset 23"});
    EXPECT_FALSE(std::filesystem::exists(file("none.onnx")));
    for (const char* odd : {"newest", "abc", "2.0", "1.", "1..2"})
        expect_error(run({"optimize", newer, "--release", odd}), 2, {"--release", odd});
    expect_error(run({"optimize", newer, "-o", file("o.onnx"), "--engine", "onnxruntime",
                      "--release", "1.20"}),
                 2, {"--release"});
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
    expect_error(run({"optimize", model, "--opset", "9"}), cli::exit_bad_input, {"upwards only"});
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

TEST_F(OptimizeCommand, BisectTellsWhetherARewriteMovesAnOutput) {
    const CommandOutcome fine = run({"bisect", small(), "--dim", "n=2"});
    EXPECT_EQ(fine.code, 0) << fine.err;
    EXPECT_NE(fine.out.find("no rewrite moves an output"), std::string::npos) << fine.out;
    const Json json = run({"bisect", small(), "--level", "all", "--exhaustive", "--json"}).json();
    EXPECT_EQ(json["found"], false);
    EXPECT_EQ(json["rewrites"], 2);
    EXPECT_EQ(json["trials"], 3);
    expect_error(run({"bisect", small(), "--dim", "q=2"}), cli::exit_usage, {"\"q\""});
}

TEST_F(OptimizeCommand, OtherCommandsTakeALevel) {
    const std::string model = small();
    const CommandOutcome text = run({"run", model, "--level", "extended", "--dim", "n=2"});
    ASSERT_EQ(text.code, 0) << text.err;
    EXPECT_NE(text.out.find("extended: 4 nodes became 2"), std::string::npos) << text.out;
    const Json plain = run({"run", model, "--dim", "n=2", "--level", "disabled", "--json"}).json();
    const Json fused = run({"run", model, "--dim", "n=2", "--json"}).json();
    EXPECT_EQ(plain["level"], "disabled");
    EXPECT_EQ(plain["optimization"]["nodes_after"], 4);
    EXPECT_EQ(fused["level"], "all") << "as sessions of ONNX Runtime";
    EXPECT_EQ(fused["sizes"], Json({{"n", 2}}));
    EXPECT_EQ(fused["optimization"]["nodes_after"], 2);
    EXPECT_EQ(plain["outputs"][1]["values"], fused["outputs"][1]["values"]);
    EXPECT_EQ(run({"run", model, "--dim", "n=2", "--disable-pass", "QuickGeluFusion", "--json"})
                  .json()["optimization"]["nodes_after"],
              3);
    const Json profile =
        run({"profile", model, "--runs", "1", "--warmup", "0", "--level", "extended", "--json"})
            .json();
    EXPECT_EQ(profile["nodes"].size(), 2u);
    ASSERT_EQ(run({"run", model, "--dim", "n=2", "--outputs", file("y.npz")}).code, 0);
    save_npz(folder_ / "x.npz", {{"x", Tensor::of<float>({1, 4}, {1, 2, 3, 4})}});
    ASSERT_EQ(run({"run", model, "--inputs", file("x.npz"), "--outputs", file("y.npz")}).code, 0);
    const CommandOutcome checked = run({"check", model, "--inputs", file("x.npz"), "--expected",
                                        file("y.npz"), "--level", "extended"});
    EXPECT_EQ(checked.code, 0) << checked.out << checked.err;
    EXPECT_NE(checked.out.find("level  extended"), std::string::npos) << checked.out;
}

// Without any tolerance a fused kernel, which rounds otherwise, differs from one kernel per node.
TEST_F(OptimizeCommand, CheckTellsWhetherTheFileOrTheOptimizingMakesTheDifference) {
    ASSERT_EQ(run({"sample", "bert-tiny", "-o", file("bert.onnx")}).code, 0);
    const std::string model = file("bert.onnx");
    std::vector<std::string> inputs{"check", model, "--inputs", file("in.npz"), "--expected"};
    save_npz(folder_ / "in.npz",
             {{"input_ids", Tensor::of<std::int64_t>({1, 4}, {1, 2, 3, 4})},
              {"attention_mask", Tensor::of<std::int64_t>({1, 4}, {1, 1, 1, 1})},
              {"token_type_ids", Tensor::of<std::int64_t>({1, 4}, {0, 0, 0, 0})}});
    ASSERT_EQ(run({"run", model, "--inputs", file("in.npz"), "--level", "disabled", "--outputs",
                   file("out.npz")})
                  .code,
              0);
    const auto check = [&](const std::string& expected, std::vector<std::string> more) {
        std::vector<std::string> words = inputs;
        words.push_back(file(expected));
        words.insert(words.end(), more.begin(), more.end());
        return run(words);
    };
    const CommandOutcome fine = check("out.npz", {"--json"});
    EXPECT_EQ(fine.code, 0) << fine.out;
    EXPECT_EQ(fine.json()["level"], "all");
    EXPECT_EQ(fine.json()["sizes"], Json({{"batch", 1}, {"sequence", 4}}));
    EXPECT_FALSE(fine.json().contains("cause"));
    const CommandOutcome by_level = check("out.npz", {"--rtol", "0", "--atol", "0", "--json"});
    EXPECT_EQ(by_level.code, 1);
    EXPECT_EQ(by_level.json()["cause"], "optimizing");
    EXPECT_EQ(by_level.json()["at_disabled"]["passes"], true);
    NamedValues wrong;
    for (auto& [name, value] : load_npz(folder_ / "out.npz"))
        wrong.emplace_back(
            name,
            Tensor::of<float>(value.tensor().shape(),
                              std::vector<float>(static_cast<std::size_t>(value.tensor().size()))));
    save_npz(folder_ / "wrong.npz", wrong);
    const CommandOutcome by_file = check("wrong.npz", {});
    EXPECT_EQ(by_file.code, 1);
    EXPECT_NE(by_file.out.find("outputs differ because of the file"), std::string::npos)
        << by_file.out;
    EXPECT_EQ(check("out.npz", {"--rtol", "0", "--atol", "0", "--level", "disabled"}).code, 0);
}

// Each sum of the Conv has terms that all but cancel, so that rounding by their order is most of
// what is left of it.
TEST_F(OptimizeCommand, CheckAndCompareCallRoundingByItsName) {
    constexpr std::int64_t channels = 512, filters = 64, places = 16;
    std::uint32_t state = 7;
    const auto next = [&] {  // -1..1
        state = state * 1664525u + 1013904223u;
        return static_cast<float>(state >> 8) / static_cast<float>(1 << 23) - 1;
    };
    std::vector<float> x, w;
    for (std::int64_t i = 0; i < channels / 2 * places; ++i) x.push_back(next());
    for (std::int64_t i = 0; i < channels / 2 * places; ++i)
        x.push_back(-x[static_cast<std::size_t>(i)]);
    for (std::int64_t f = 0; f < filters; ++f) {
        const std::size_t first = w.size();
        for (std::int64_t c = 0; c < channels / 2; ++c) w.push_back(next());
        for (std::size_t c = 0; c < channels / 2; ++c)
            w.push_back(w[first + c] * (1 + 5e-5f * next()));
    }
    const std::string path = file("constant.onnx");
    Model model = load_model(
        save("conv.onnx", "(x: f32[1,512,4,4], k: f32[64,512,1,1]) -> (y)\n y = Conv(x, k)"));
    GraphEdit edit(model.graph);
    const Tensor weights = Tensor::of<float>({filters, channels, 1, 1}, w);
    edit.set_input(*model.graph.nodes().begin(), 1, edit.add_initializer("w", weights));
    edit.finish();
    save_model(model, path);
    save_npz(folder_ / "in.npz",
             {{"x", Tensor::of<float>({1, channels, 4, 4}, x)}, {"k", weights}});
    ASSERT_EQ(run({"run", path, "--inputs", file("in.npz"), "--level", "disabled", "--outputs",
                   file("out.npz")})
                  .code,
              0);
    const CommandOutcome check =
        run({"check", path, "--inputs", file("in.npz"), "--expected", file("out.npz"), "--json"});
    if (check.code == 0) GTEST_SKIP() << "level all sums in the same order on this processor";
    EXPECT_EQ(check.json()["cause"], "rounding") << check.out;
    const CommandOutcome compare =
        run({"compare", path, "--inputs", file("in.npz"), "--level", "disabled", "--level", "all",
             "--runs", "1", "--seconds", "0.05", "--json"});
    EXPECT_EQ(compare.code, 0) << compare.out << compare.err;
    EXPECT_NE(compare.json()["outputs"][0]["reason"].get<std::string>().find(
                  "in another order of its sums"),
              std::string::npos)
        << compare.out;
}

TEST_F(OptimizeCommand, ProfileRollsTimesBackOntoTheOriginalNodes) {
    const std::string model = small();
    const std::vector<std::string> arguments = {"profile", model, "--runs", "2", "--dim", "n=2"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), arguments.begin(), arguments.end());
        return run(more);
    };
    const Json json = with({"--level", "extended", "--json"}).json();
    double measured = 0, rolled_back = json["unattributed_ms"].get<double>();
    for (const Json& node : json["nodes"]) measured += node["ms"].get<double>();
    std::vector<std::string> operators;
    for (const Json& node : json["original_nodes"]) {
        operators.push_back(node["operator"]);
        rolled_back += node["ms"].get<double>();
        const bool fused = node["operator"] != "Abs";
        EXPECT_EQ(node["shared_among"], fused ? 2 : 1);
        EXPECT_EQ(node["split"], fused ? "by_work" : "whole");
    }
    std::ranges::sort(operators);
    EXPECT_EQ(operators, (std::vector<std::string>{"Abs", "Mul", "Sigmoid"}));
    EXPECT_NEAR(rolled_back, measured, 1e-6);

    const CommandOutcome text = with({"--level", "extended"});
    ASSERT_EQ(text.code, 0) << text.err;
    for (const char* part :
         {"original nodes\n", "shared among", "Sigmoid",
          "1 node stands for several original nodes; its time is divided by estimated work"})
        EXPECT_NE(text.out.find(part), std::string::npos) << part << " in\n" << text.out;
    EXPECT_EQ(with({"--level", "disabled"}).out.find("original nodes"), std::string::npos);
    EXPECT_FALSE(with({"--level", "disabled", "--json"}).json().contains("original_nodes"));
    const auto cost_of = [&](const char* op) {
        return std::ranges::find_if(json["original_nodes"],
                                    [&](const Json& node) { return node["operator"] == op; })
            ->at("ms")
            .get<double>();
    };
    EXPECT_NEAR(cost_of("Mul"), 2 * cost_of("Sigmoid"), 1e-3 * cost_of("Mul"))
        << "it reads twice as much";
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
