// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include <lapidary/graph/graph_text.h>
#include <lapidary/internal/text_file.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/tensor/tensor_file.h>

#include "app/command_runner.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

class CheckRecorded : public testing::Test {
protected:
    CheckRecorded()
        : good_(save("good.onnx", "{1.0, 2.0}")), bad_(save("bad.onnx", "{1.0, 2.5}")),
          run_((folder_ / "run.npz").string()) {
        const Json tensor = {{"name", ""}, {"shape", {2}}, {"dtype", "float32"}, {"stride", 1}};
        const auto entry = [&](const std::string& name, const std::string& array) {
            Json made = tensor;
            made["name"] = name;
            made["array"] = array;
            return made;
        };
        const auto module = [&](const std::string& path, const std::string& array) {
            return Json{{"path", path},
                        {"class", "torch.nn.Scale"},
                        {"call", 0},
                        {"line", "net.py:7"},
                        {"outputs", Json::array({entry("", array)})}};
        };
        const Json index = {
            {"format", "lapidary recording"},
            {"version", 1},
            {"framework", "torch 2.6"},
            {"model", "net.Net"},
            {"inputs", Json::array({entry("x", "a0")})},
            {"outputs", Json::array({entry("y", "a3")})},
            {"modules", Json::array({module("shift", "a1"), module("scale", "a2")})}};
        const std::string text = index.dump();
        const auto floats = [](float a, float b) {
            return Tensor::of(Shape{2}, std::vector<float>{a, b});
        };
        save_npz(run_, {{"index", Tensor::of(Shape{static_cast<std::int64_t>(text.size())},
                                             std::vector<std::uint8_t>(text.begin(), text.end()))},
                        {"a0", floats(3, -4)},
                        {"a1", floats(4, -3)},
                        {"a2", floats(4, -6)},
                        {"a3", floats(4, -6)}});
    }

    std::string save(const std::string& name, const std::string& scale) {
        Model model;
        model.opset_imports[""] = 17;
        model.graph = parse_graph(
            "(x: f32[2]) -> (y)\n"
            "h = Add(x, one: f32[1]{1.0}) as \"/shift/Add\"\n"
            "y = Mul(h, by: f32[2]" +
            scale + ") as \"/scale/Mul\"\n");
        const auto path = folder_ / name;
        save_model(model, path);
        return path.string();
    }

    TemporaryFolder folder_;
    const std::string good_, bad_, run_;
};

TEST_F(CheckRecorded, TheRightModelPasses) {
    const CommandOutcome text = run({"check", good_, "--recorded", run_});
    EXPECT_EQ(text.code, 0) << text.out << text.err;
    for (const char* part : {"PASSED", "net.Net, torch 2.6", "2 recorded outputs: 2 agree\n"})
        EXPECT_NE(text.out.find(part), std::string::npos) << part << " in " << text.out;
    const Json json = run({"check", good_, "--recorded", run_, "--json"}).json();
    EXPECT_TRUE(json["passes"]);
    EXPECT_EQ(json["level"], "disabled");
    EXPECT_FALSE(json["recording"].contains("first"));
    EXPECT_EQ(json["recording"]["modules"].size(), 2u);
}

TEST_F(CheckRecorded, TheModuleThatDiffersIsNamed) {
    const CommandOutcome text = run({"check", bad_, "--recorded", run_});
    EXPECT_EQ(text.code, cli::exit_check_failed) << text.err;
    for (const char* part :
         {"FAILED", "first    scale (Scale) differs", "called at net.py:7", "/scale/Mul"})
        EXPECT_NE(text.out.find(part), std::string::npos) << part << " in " << text.out;
    const Json json = run({"check", bad_, "--recorded", run_, "--json"}).json();
    EXPECT_EQ(json["recording"]["first"], 1);
    EXPECT_EQ(json["recording"]["modules"][0]["state"], "agrees");
    EXPECT_EQ(json["recording"]["modules"][1]["state"], "differs");
}

TEST_F(CheckRecorded, MistakesAreSaid) {
    expect_error(run({"check", good_, "--recorded", run_, "--inputs", run_, "--expected", run_}),
                 cli::exit_usage, {"--recorded"});
    for (const char* option : {"--engine-first", "--slice-mb=4"})
        expect_error(run({"diverge", good_, "--recorded", run_, option}), cli::exit_usage,
                     {"needs --engine"});
    expect_error(run({"diverge", good_, bad_, "--recorded", run_}), cli::exit_usage,
                 {"--recorded takes the place of A"});
    expect_error(run({"diverge", good_, "--recorded", run_, "--of-output", "y"}), cli::exit_usage,
                 {"--of-output", "--recorded takes the place of"});
}

TEST_F(CheckRecorded, FaultsOfTheRecordingNameItsFile) {
    const std::string other = (folder_ / "other.npz").string();
    const auto expect_fault = [&](const std::vector<std::string>& words) {
        for (const char* command : {"check", "diverge"}) {
            const CommandOutcome outcome = run({command, good_, "--recorded", other});
            EXPECT_EQ(outcome.code, cli::exit_bad_input) << outcome.out << outcome.err;
            EXPECT_NE(outcome.err.find("other.npz"), std::string::npos) << outcome.err;
            EXPECT_EQ(outcome.err.find("good.onnx"), std::string::npos) << outcome.err;
            EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
            for (const std::string& part : words)
                EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
        }
    };
    const auto tensor = [](std::size_t size) {
        return Tensor::of(Shape{static_cast<std::int64_t>(size)}, std::vector<float>(size, 1.0f));
    };
    expect_fault({"cannot be opened"});
    save_npz(other, {{"weights", tensor(1)}});
    expect_fault({"no recording of this model", "record.py"});
    save_npz(other, {{"x", tensor(3)}});
    expect_fault({"f32[3]", "f32[2]"});
    save_npz(other, {{"y", tensor(2)}});
    expect_fault({"no input for \"x\""});
    save_npz(other, {{"x", tensor(2)}});
    expect_fault({"nothing of the recording could be compared"});
    std::filesystem::resize_file(other, std::filesystem::file_size(other) - 30);
    expect_fault({"npz"});
    for (const char* text : {"", "no archive"}) {
        save_text(other, text);
        expect_fault({"npz"});
    }
    std::filesystem::resize_file(other, 10'000'000'000);  // takes no room on the disk
    expect_fault({"npz"});
}

TEST_F(CheckRecorded, DivergeNamesTheNode) {
    const CommandOutcome same = run({"diverge", good_, "--recorded", run_});
    EXPECT_EQ(same.code, 0) << same.err;
    EXPECT_NE(same.out.find("SAME"), std::string::npos) << same.out;
    const CommandOutcome text = run({"diverge", bad_, "--recorded", run_});
    EXPECT_EQ(text.code, cli::exit_check_failed) << text.err;
    for (const char* part : {"scale (Scale) differs", "cause    /scale/Mul"})
        EXPECT_NE(text.out.find(part), std::string::npos) << part << " in " << text.out;
    const Json json = run({"diverge", bad_, "--recorded", run_, "--json"}).json();
    EXPECT_EQ(json["verdict"], "differs");
    EXPECT_EQ(json["recording"]["suspects"], Json::array({"/scale/Mul"}));
    EXPECT_EQ(json["a"]["engine"], "torch 2.6");
}

TEST_F(CheckRecorded, InputsThatADumpLacksAreGiven) {
    const auto pair = [](float a, float b) {
        return Tensor::of(Shape{2}, std::vector<float>{a, b});
    };
    const std::string dump = (folder_ / "dump.npz").string(),
                      inputs = (folder_ / "inputs.npz").string();
    save_npz(dump, {{"h", pair(4, -3)}, {"y", pair(4, -6)}});
    save_npz(inputs, {{"x", pair(3, -4)}});
    EXPECT_EQ(run({"diverge", good_, "--recorded", dump, "--inputs", inputs}).code, 0);
    const CommandOutcome text = run({"diverge", bad_, "--recorded", dump, "--inputs", inputs});
    EXPECT_EQ(text.code, cli::exit_check_failed) << text.err;
    EXPECT_NE(text.out.find("cause    /scale/Mul"), std::string::npos) << text.out;
}

TEST_F(CheckRecorded, ValuesInsideDecideWhereNoOutputWasCompared) {
    const auto pair = [](float a, float b) {
        return Tensor::of(Shape{2}, std::vector<float>{a, b});
    };
    const std::string dump = (folder_ / "dump.npz").string();
    const auto expect = [&](int code, const std::string& words) {
        const CommandOutcome text = run({"check", good_, "--recorded", dump});
        EXPECT_EQ(text.code, code) << text.out << text.err;
        EXPECT_NE(text.out.find(words), std::string::npos) << text.out;
        const Json json = run({"check", good_, "--recorded", dump, "--json"}).json();
        EXPECT_EQ(json["passes"], code == 0);
    };
    save_npz(dump, {{"x", pair(3, -4)}, {"h", pair(4, -3)}});
    expect(0, "PASSED: no output was compared; the values inside agree");
    save_npz(dump, {{"x", pair(3, -4)}, {"h", pair(4, -2)}});
    expect(cli::exit_check_failed, "FAILED: no output was compared; a value inside differs");
    // With outputs, they decide alone; diverge names the value inside.
    save_npz(dump, {{"x", pair(3, -4)}, {"h", pair(4, -2)}, {"y", pair(4, -6)}});
    expect(0, "the difference does not reach them");
    EXPECT_EQ(run({"diverge", good_, "--recorded", dump}).code, cli::exit_check_failed);
}

TEST_F(CheckRecorded, TheScriptIsPrinted) {
    const std::string file = (folder_ / "record.py").string();
    ASSERT_EQ(run({"record", "-o", file}).code, 0);
    const std::string script = load_text(file, 1 << 20);
    EXPECT_EQ(run({"record"}).out, script);
    EXPECT_NE(script.find("def Recorder"), std::string::npos);
}

}  // namespace
}  // namespace lapidary
