// SPDX-License-Identifier: Apache-2.0
// run, profile, check and compare with a level: what they optimize first, and how they report it.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/tensor/tensor_file.h>

#include "app/optimize_command_fixture.h"

namespace lapidary {
namespace {

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

// Without any tolerance a fused kernel, which rounds differently, differs from one kernel per node.
TEST_F(OptimizeCommand, CheckSaysWhetherTheFileOrTheOptimizingMakesTheDifference) {
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

// The terms of each sum of the Conv nearly cancel, so that the result depends mostly on the order
// in which they are rounded.
TEST_F(OptimizeCommand, CheckAndCompareNameRoundingAsTheCause) {
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

}  // namespace
}  // namespace lapidary
