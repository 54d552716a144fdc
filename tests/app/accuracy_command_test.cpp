// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/tensor/tensor_file.h>

#include "app/command_runner.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

class AccuracyCommand : public ::testing::Test {
protected:
    AccuracyCommand() {
        Model model;
        model.opset_imports[""] = 17;
        model.graph = parse_graph("(x: f32[n,3]) -> (y)\ny = Identity(x)");
        save_model(model, folder_ / "m.onnx");
        std::vector<float> values;
        std::vector<std::int64_t> labels;
        for (int i = 0; i < 20; ++i) {
            for (int c = 0; c < 3; ++c) values.push_back(c == i % 3 ? 1 : 0);
            labels.push_back(i < 15 ? i % 3 : (i + 1) % 3);
        }
        save_npz(folder_ / "d.npz", {{"x", Tensor::of<float>({20, 3}, values)},
                                     {"y", Tensor::of<std::int64_t>({20}, labels)}});
    }
    std::string file(const std::string& name) const { return (folder_ / name).string(); }
    CommandOutcome accuracy(std::vector<std::string> more) const {
        std::vector<std::string> words{"accuracy",    file("m.onnx"), "--data",
                                       file("d.npz"), "--labels",     file("d.npz") + ":y"};
        words.insert(words.end(), more.begin(), more.end());
        return run(words);
    }
    TemporaryFolder folder_;
};

TEST_F(AccuracyCommand, ReportsSharesWithIntervals) {
    const CommandOutcome outcome = accuracy({"--json", "--top", "2"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json json = outcome.json();
    EXPECT_EQ(json.at("samples"), 20);
    EXPECT_DOUBLE_EQ(json.at("top1").at("share").get<double>(), 0.75);
    EXPECT_LT(json.at("top1").at("low").get<double>(), 0.6);
    EXPECT_GT(json.at("top1").at("high").get<double>(), 0.85);
    EXPECT_EQ(json.at("k"), 2);
    EXPECT_NE(accuracy({}).out.find("top-1  0.7500"), std::string::npos) << accuracy({}).out;
}

TEST_F(AccuracyCommand, ShardsMergeToTheWhole) {
    for (const char* i : {"0", "1", "2"})
        ASSERT_EQ(
            accuracy({"--shard", std::string(i) + "/3", "--counts", file(std::string(i) + ".json")})
                .code,
            0);
    const CommandOutcome merged =
        run({"accuracy", "--merge", file("0.json"), file("1.json"), file("2.json"), "--json"});
    ASSERT_EQ(merged.code, 0) << merged.err;
    Json whole = accuracy({"--json"}).json();
    // merging runs nothing
    for (const char* condition : {"level", "threads"}) EXPECT_EQ(whole.erase(condition), 1u);
    EXPECT_EQ(merged.json(), whole);
}

TEST_F(AccuracyCommand, ComparesWithAnotherModelWithoutLabels) {
    const CommandOutcome outcome = run({"accuracy", file("m.onnx"), "--data", file("d.npz"),
                                        "--against", file("m.onnx"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("against").at("outputs").at(0).at("flips"), 0);
    EXPECT_EQ(outcome.json().at("against").at("samples"), 20);
}

TEST_F(AccuracyCommand, MistakesAreOneSentence) {
    expect_error(run({"accuracy", file("m.onnx")}), 2, {"--data"});
    expect_error(run({"accuracy", file("m.onnx"), "--data", file("d.npz")}), 2,
                 {"--labels", "--against"});
    expect_error(accuracy({"--shard", "3/3"}), 2, {"--shard", "3/3"});
    expect_error(accuracy({"--output", "z"}), 3, {"z"});
    expect_error(accuracy({"--array", "z=x"}), 3, {"no input", "z"});
    std::ofstream(file("short.csv")) << "1\n2\n";
    expect_error(
        run({"accuracy", file("m.onnx"), "--data", file("d.npz"), "--labels", file("short.csv")}),
        3, {"2 labels", "20 samples"});
    for (const char* top : {"0", "-1", "2147483648", "nan"})
        expect_error(accuracy({"--top", top}), 2, {"--top", top});
    expect_error(accuracy({"--mean", "nan"}), 2, {"--mean", "finite"});
    expect_error(accuracy({"--std", "inf"}), 2, {"--std", "finite"});
    std::ofstream(file("junk.npy")) << "junk";
    const CommandOutcome junk =
        run({"accuracy", file("m.onnx"), "--data", file("junk.npy"), "--against", file("m.onnx")});
    expect_error(junk, 3, {file("junk.npy")});
    EXPECT_EQ(junk.err.find(file("junk.npy")), junk.err.rfind(file("junk.npy")))
        << "the file is named once";
    std::ofstream(file("bad.json")) << "{\"samples\": -1}";
    expect_error(run({"accuracy", "--merge", file("bad.json")}), 3, {"bad.json", "samples"});
}

TEST_F(AccuracyCommand, SpeechGivesWordErrors) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph("(x: f32[1,t,4]) -> (y)\ny = Identity(x)");
    save_model(model, folder_ / "speech.onnx");
    std::filesystem::create_directory(folder_ / "said");
    for (const char* name : {"one", "two"}) {
        std::vector<float> scores(12, 0);  // a, space, b
        scores[1] = scores[7] = scores[10] = 1;
        save_npz(folder_ / "said" / (std::string(name) + ".npz"),
                 {{"x", Tensor::of<float>({1, 3, 4}, scores)}});
    }
    std::ofstream(folder_ / "tokens.txt") << "<pad>\na\nb\n|\n";
    std::ofstream(folder_ / "said.tsv") << "one.npz\ta b\ntwo.npz\ta a\n";
    const std::vector<std::string> words{"accuracy",   file("speech.onnx"), "--data",
                                         file("said"), "--labels",          file("said.tsv"),
                                         "--speech",   file("tokens.txt")};
    const CommandOutcome text = run(words);
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_NE(text.out.find("word error rate 0.2500 (1 of 4 words)"), std::string::npos)
        << text.out;
    std::vector<std::string> counted = words;
    counted.insert(counted.end(), {"--counts", file("c.json"), "--json"});
    EXPECT_EQ(run(counted).json().at("words"), 4);
    const CommandOutcome merged = run({"accuracy", "--merge", file("c.json"), file("c.json")});
    EXPECT_NE(merged.out.find("(2 of 8 words)"), std::string::npos) << merged.out << merged.err;
}

TEST_F(AccuracyCommand, DetectorsGiveMeanAveragePrecision) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph("(x: f32[1,n,6]) -> (y)\ny = Identity(x)");
    save_model(model, folder_ / "detector.onnx");
    std::filesystem::create_directory(folder_ / "pictures");
    std::ofstream boxes(folder_ / "boxes.csv");
    for (int i = 0; i < 6; ++i) {
        // one of three is found well, the others hardly
        const float low = i % 3 == 0 ? 0.0F : 6.0F;
        save_npz(
            folder_ / ("pictures/" + std::to_string(i) + ".npz"),
            {{"x", Tensor::of<float>({1, 1, 6}, {low, 0, 10, 10, 0.9F - 0.1F * float(i), 1})}});
        boxes << i << ".npz,1,0,0,10,10\n";
    }
    boxes.close();
    const auto measured = [&](std::vector<std::string> more) {
        std::vector<std::string> words{
            "accuracy", file("detector.onnx"), "--data",   file("pictures"),
            "--labels", file("boxes.csv"),     "--metric", "map",
            "--json"};
        words.insert(words.end(), more.begin(), more.end());
        return run(words);
    };
    const CommandOutcome whole = measured({});
    ASSERT_EQ(whole.code, 0) << whole.err;
    Json json = whole.json();
    // merging runs nothing
    for (const char* condition : {"level", "threads"}) EXPECT_EQ(json.erase(condition), 1u);
    EXPECT_EQ(json.at("expected_boxes"), 6);
    // By falling score: right, wrong, wrong, right, wrong, wrong: 1 up to a recall of 1/6 (17 of
    // 101 steps), then 1/2 up to 2/6 (17 steps more).
    EXPECT_NEAR(json.at("map50").get<double>(), (17 + 17 * 0.5) / 101, 1e-12);
    EXPECT_NEAR(json.at("map").get<double>(), json.at("map50").get<double>(), 1e-12);
    for (const char* i : {"0", "1"})
        ASSERT_EQ(
            measured({"--shard", std::string(i) + "/2", "--counts", file(std::string(i) + ".json")})
                .code,
            0);
    const CommandOutcome merged =
        run({"accuracy", "--merge", file("1.json"), file("0.json"), "--json"});
    ASSERT_EQ(merged.code, 0) << merged.err;
    EXPECT_EQ(merged.json(), json);
    EXPECT_NE(run({"accuracy", "--merge", file("0.json"), file("1.json")}).out.find("mAP 0.25"),
              std::string::npos);
    expect_error(run({"accuracy", file("detector.onnx"), "--data", file("pictures"), "--labels",
                      file("boxes.csv"), "--metric", "map", "--boxes", "nowhere"}),
                 3, {"nowhere"});
}

}  // namespace
}  // namespace lapidary
