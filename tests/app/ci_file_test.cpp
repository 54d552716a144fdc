// SPDX-License-Identifier: Apache-2.0
// The file of `ci`: defaults, limits, and mistakes with their lines. tests/packaging/ci_test.py
// runs the command.
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/bench/bench.h>

#include "app/command_runner.h"
#include "cli/ci/ci_baseline.h"
#include "cli/ci/ci_file.h"
#include "cli/exit_code.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

class CiFileTest : public ::testing::Test {
protected:
    std::filesystem::path save(const std::string& text) {
        std::ofstream(folder_ / "models.json") << text;
        return folder_ / "models.json";
    }
    TemporaryFolder folder_;
};

TEST_F(CiFileTest, DefaultsHoldForAllModels) {
    const cli::CiFile file = cli::load_ci_file(save(R"({
        "baselines": "saved",
        "defaults": {"levels": ["basic"], "threads": 2, "limits": {"slower": "5 %", "size": "1MiB"}},
        "models": [
            {"model": "nets/a.onnx", "levels": ["disabled", "all"], "limits": {"size": "2%"}},
            {"model": "sample:mlp", "name": "small", "dimensions": {"batch": 3}, "rtol": 0,
             "rules": ["my.rules"], "accuracy": {"data": "d.npz", "labels": "d.npz:y",
                                                "metric": "topk", "mean": [1, 2.5], "std": 255,
                                                "arrays": {"x": "images"}},
             "reference": {"inputs": "in.npz", "expected": "out.npz"},
             "limits": {"memory": "10 %", "accuracy": 0.5, "accuracy_drop": 1}}]})"));
    const std::filesystem::path& folder = folder_.path();
    EXPECT_EQ(file.baselines, folder / "saved");
    ASSERT_EQ(file.models.size(), 2u);
    const cli::CiModel &first = file.models[0], &second = file.models[1];
    EXPECT_EQ(first.argument, (folder / "nets/a.onnx").string());
    EXPECT_EQ(first.name, "a");
    EXPECT_EQ(first.levels, (std::vector<Level>{Level::disabled, Level::all}));
    EXPECT_EQ(first.threads, 2);
    EXPECT_EQ(first.limits.slower_per_cent, 5);
    EXPECT_EQ(first.limits.size.per_cent, 2);
    EXPECT_FALSE(first.limits.size.bytes) << "a limit of the model replaces that of the defaults";
    EXPECT_FALSE(first.accuracy);
    EXPECT_EQ(second.argument, "sample:mlp");
    EXPECT_EQ(second.name, "small");
    EXPECT_EQ(second.levels, std::vector<Level>{Level::basic});
    EXPECT_EQ(second.dimensions.at("batch"), 3);
    EXPECT_EQ(second.rtol, 0);
    EXPECT_EQ(second.rules.at(0), folder / "my.rules");
    EXPECT_EQ(second.limits.size.bytes, 1024.0 * 1024);
    EXPECT_EQ(second.limits.memory.per_cent, 10);
    EXPECT_EQ(second.limits.least_accuracy, 0.5);
    EXPECT_EQ(second.limits.accuracy_drop, 1);
    ASSERT_TRUE(second.accuracy);
    EXPECT_FALSE(first.reference);
    ASSERT_TRUE(second.reference);
    EXPECT_EQ(second.reference->inputs, folder / "in.npz");
    EXPECT_EQ(second.reference->expected, folder / "out.npz");
    EXPECT_EQ(second.accuracy->data, folder / "d.npz");
    EXPECT_EQ(second.accuracy->labels, (folder / "d.npz:y").string());
    EXPECT_EQ(second.accuracy->metric, "topk");
    EXPECT_EQ(second.accuracy->mean, "1,2.5");
    EXPECT_EQ(second.accuracy->deviation, "255");
    EXPECT_EQ(second.accuracy->arrays.at("x"), "images");
}

TEST_F(CiFileTest, NumbersOfSamplesKeepAllDigits) {
    const cli::CiFile file = cli::load_ci_file(save(R"({"models": [{"model": "sample:mlp",
        "accuracy": {"data": "d.npz", "labels": "d.npz:y", "mean": 127.12346,
                     "std": [0.00392156862745098, 1, 1000000.5]}}]})"));
    EXPECT_EQ(file.models[0].accuracy->mean, "127.12346");
    EXPECT_EQ(file.models[0].accuracy->deviation, "0.00392156862745098,1,1000000.5");
}

TEST_F(CiFileTest, NoModelIsTakenForAnOption) {
    save(R"({"models": [{"model": "--custom-ops=none.so", "name": "n"}]})");
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder_.path());
    const cli::CiFile file = cli::load_ci_file("models.json");
    std::filesystem::current_path(before);
    EXPECT_EQ(file.models.at(0).argument, "./--custom-ops=none.so");
}

TEST_F(CiFileTest, FiguresOfADamagedBaselineAreRefused) {
    const MachineInfo here = machine_info();
    const cli::CiModel model;
    const auto problem = [&](const Json& ci) -> std::string {
        const Json machine = {{"cpu", here.cpu}, {"isa", here.isa}, {"cores", here.cores}};
        try {
            cli::CiBaseline(save(Json{{"machine", machine}, {"ci", ci}}.dump()), model);
        } catch (const Error& error) { return error.what(); }
        return {};
    };
    const auto with = [](const Json& threads, const Json& sizes, const Json& level) {
        return Json{{"threads", threads}, {"dimensions", sizes}, {"levels", {{"all", level}}}};
    };
    const Json none = Json::object();
    const Json good = {{"memory_bytes", 1e6}, {"file_bytes", 7}, {"accuracy", -0.5}};
    EXPECT_EQ(problem(with(1, none, good)), "");
    for (const auto& [name, figure] :
         {std::pair("memory_bytes", 0.0), std::pair("file_bytes", -1.0),
          std::pair("memory_bytes", 1e308), std::pair("accuracy", 1e308),
          std::pair("samples", -1.0)})
        EXPECT_NE(problem(with(1, none, {{name, figure}})).find(name), std::string::npos) << name;
    EXPECT_NE(problem(with(1e308, none, good)).find("\"threads\""), std::string::npos);
    EXPECT_NE(problem(with(here.cores, {{"batch", 1e308}}, good)).find("\"batch\""),
              std::string::npos);
}

struct CiMistake {
    std::string text;
    std::vector<std::string> words;
};

TEST_F(CiFileTest, MistakesAreNamedWithTheirLine) {
    const std::vector<CiMistake> mistakes{
        {"{\"models\": [\n{\"model\": \"sample:mlp\",\n \"limits\": {\"slowr\": 5}}]}",
         {"line 3", "limits has no member \"slowr\"", "did you mean \"slower\"?"}},
        {"{\"modles\": []}", {"line 1", "\"modles\"", "\"models\""}},
        {"{\n\n\"defaults\": {\"model\": \"a.onnx\"}, \"models\": []}", {"line 3", "\"model\""}},
        {"{\"models\": []}", {"models: expected at least one"}},
        {"{}", {"needs \"models\""}},
        {"[]", {"the file: expected an object, found a list"}},
        {"{\"models\": {}}", {"models: expected a list, found an object"}},
        {"{\"models\": [{}]}", {"needs \"model\""}},
        {"{\"models\": [{\"model\": \"\"}]}", {"model: expected a text, found an empty one"}},
        {"{\"models\": [{\"model\": \"a.onnx\",\n\"model\": \"b.onnx\"}]}",
         {"line 2", "\"model\" is there twice"}},
        {"{\"models\": [{\"model\": \"a/x.onnx\"},\n{\"model\": \"b/x.onnx\"}]}",
         {"line 2", "two models have the name \"x\""}},
        {"{\"models\": [{\"model\": \"a b.onnx\"}]}", {"no name for a baseline"}},
        {"{\"models\": [{\"model\": \"a.onnx\", \"name\": \"../a\"}]}", {"no name for a baseline"}},
        {"{\"models\": [{\"model\": \"a.onnx\", \"levels\": [\"basci\"]}]}",
         {"there is no level \"basci\"", "\"basic\"", "disabled, basic, extended, all"}},
        {"{\"models\": [{\"model\": \"a.onnx\", \"levels\": [\"session\"]}]}", {"no level"}},
        {"{\"models\": [{\"model\": \"a.onnx\", \"levels\": []}]}", {"at least one"}},
        {"{\"models\": [{\"model\": \"a.onnx\", \"levels\": [\"all\",\n \"all\"]}]}",
         {"line 2", "twice"}},
        {"{\"models\": [{\"model\": \"a.onnx\", \"threads\": 1.5}]}", {"threads", "whole number"}},
        {"{\"models\": [{\"model\": \"a.onnx\", \"threads\": 0}]}", {"from 1 to 1024", "found 0"}},
        {"{\"models\": [{\"model\": \"a.onnx\", \"threads\": \"2\"}]}",
         {"expected a number, found a text"}},
        {"{\"models\": [{\"model\": \"a.onnx\", \"limits\": {\"slower\": \"5 ms\"}}]}",
         {"per cent such as \"5%\"", "\"5 ms\""}},
        {"{\"models\": [{\"model\": \"a.onnx\", \"limits\": {\"slower\": -1}}]}",
         {"at least 0 per cent"}},
        {"{\"models\": [{\"model\": \"a.onnx\", \"limits\": {\"size\": \"5 parsecs\"}}]}",
         {"\"200 MB\"", "\"5 parsecs\""}},
        {"{\"models\": [{\"model\": \"a.onnx\", \"limits\": {\"size\": \"7\"}}]}", {"\"7\""}},
        {"{\"models\": [{\"model\": \"a.onnx\", \"limits\": {\"size\": \"1e308 GB\"}}]}",
         {"at most a billion GB", "\"1e308 GB\""}},
        {"{\"models\": [{\"model\": \"a.onnx\", \"threads\": 1024.001}]}",
         {"from 1 to 1024, found 1024.001"}},
        {"{\"models\": [{\"model\": \"a.onnx\", \"dimensions\": {\"batch\": 1,\n\"batch\": 3}}]}",
         {"line 2", "\"batch\" is there twice"}},
        {"{\"models\": [{\"model\": \"a.onnx\", \"accuracy\": {\"data\": \"x\", \"labels\": \"y\", "
         "\"arrays\": {\"x\": \"a\",\n\"x\": \"b\"}}}]}",
         {"line 2", "\"x\" is there twice"}},
        {"{\"models\": [{\"model\": \"a.onnx\",\n\"limits\": {\"accuracy\": 0.5}}]}",
         {"limit of accuracy", "\"data\" and \"labels\""}},
        {"{\"models\": [{\"model\": \"a.onnx\", \"reference\": {\"inputs\": \"x\"}}]}",
         {"needs \"inputs\" and \"expected\""}},
        {"{\"models\": [{\"model\": \"a.onnx\", \"accuracy\": {\"data\": \"x\"}}]}",
         {"needs \"data\" and \"labels\""}},
        {"{\"models\": [{\"model\": \"a.onnx\", \"accuracy\": {\"data\": \"x\", \"labels\": \"y\", "
         "\"metric\": \"top\"}}]}",
         {"there is no metric \"top\"", "macro_f1"}},
        {"{\"models\": [", {"models.json", "no JSON"}}};
    for (const CiMistake& mistake : mistakes) {
        const CommandOutcome outcome = run({"ci", save(mistake.text).string()});
        std::vector<std::string> words = mistake.words;
        words.emplace_back("models.json");
        SCOPED_TRACE(mistake.text);
        expect_error(outcome, cli::exit_bad_input, words);
    }
}

TEST_F(CiFileTest, OptionsAreChecked) {
    const std::string file = save(R"({"models": [{"model": "sample:mlp"}]})").string();
    expect_error(run({"ci", file, "--only", "mpl"}), cli::exit_usage,
                 {"--only", "no model \"mpl\"", "\"mlp\""});
    expect_error(run({"ci", file, "--junit", "report.txt"}), cli::exit_usage, {"--junit", ".xml"});
    expect_error(run({"ci", file, "--summary", (folder_ / "gone/report.md").string()}),
                 cli::exit_bad_input, {"report.md"});
    expect_error(run({"ci", file, "--summary", file}), cli::exit_bad_input, {"models.json"});
    expect_error(run({"ci", (folder_ / "none.json").string()}), cli::exit_bad_input, {"none.json"});
    expect_error(run({"ci"}), cli::exit_usage, {"file is required"});
}

}  // namespace
}  // namespace lapidary
