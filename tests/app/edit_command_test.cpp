// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lapidary/edit/edit_script.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/internal/text_file.h>
#include <lapidary/onnx_io/model_io.h>

#include "app/command_runner.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

class EditCommand : public testing::Test {
protected:
    EditCommand()
        : model_((folder_ / "m.onnx").string()), edited_((folder_ / "edited.onnx").string()) {
        save_model(build_sample("mlp"), model_);
    }
    TemporaryFolder folder_;
    std::string model_, edited_;
};

TEST_F(EditCommand, AppliesAScriptAndComparesResults) {
    const std::string script = (folder_ / "edits.txt").string();
    save_text(script, "# nothing that changes results\nrename node * -> my/*\n");
    const CommandOutcome done = run({"edit", model_, "--script", script, "-o", edited_, "--json"});
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(done.json()["report"]["keeps_results"], true);
    EXPECT_EQ(done.json()["guard"]["matches"], true);
    EXPECT_EQ(done.json()["written"], true);
    EXPECT_TRUE(load_model(edited_)
                    .graph.node(load_model(edited_).graph.nodes()[0])
                    .name.starts_with("my/"));
}

TEST_F(EditCommand, RefusesWithTheLine) {
    const CommandOutcome refused = run({"edit", model_, "-e", "delete op:Convv", "-o", edited_});
    EXPECT_NE(refused.code, 0);
    EXPECT_NE(refused.err.find("line 1"), std::string::npos) << refused.err;
    EXPECT_FALSE(std::filesystem::exists(edited_));
    EXPECT_NE(run({"edit", model_, "-e", "opset 19"}).code, 0) << "-o is missing";
    EXPECT_NE(run({"edit", model_, "-o", edited_}).code, 0) << "no edit";
    EXPECT_NE(run({"edit", model_, "-e", "opset 21", "-o", model_}).code, 0) << "the model itself";
}

TEST_F(EditCommand, WeightsInAFileOfTheirOwnStayThere) {
    SaveOptions saving;
    saving.external_data_min_bytes = 1;
    const std::string model = (folder_ / "large.onnx").string();
    save_model(build_sample("mlp"), model, saving);
    const auto weights = load_model(model).external_files;
    ASSERT_EQ(weights.size(), 1u);
    const auto written = std::filesystem::last_write_time(weights[0]);
    for (const std::string& out : {edited_, model}) {
        std::vector<std::string> words{"edit", model, "-e",    "rename node * -> a/*",
                                       "-o",   out,   "--json"};
        if (out == model) words.push_back("--overwrite");
        const CommandOutcome done = run(words);
        ASSERT_EQ(done.code, 0) << done.err;
        const Model read = load_model(out);
        ASSERT_EQ(read.external_files.size(), 1u) << out;
        EXPECT_TRUE(std::filesystem::equivalent(read.external_files[0], weights[0])) << out;
        EXPECT_LT(std::filesystem::file_size(out), std::filesystem::file_size(weights[0])) << out;
        EXPECT_EQ(std::filesystem::last_write_time(weights[0]), written) << out;
    }
    const std::filesystem::path other = folder_ / "other";
    std::filesystem::create_directory(other);
    const std::string copy = (other / "copy.onnx").string();
    ASSERT_EQ(run({"edit", model, "-e", "rename node * -> b/*", "-o", copy}).code, 0);
    std::filesystem::remove(weights[0]);
    EXPECT_NO_THROW(load_model(copy)) << "elsewhere the weights go with the model";
}

TEST_F(EditCommand, PartsAreReportedAndMayBeWrittenAgain) {
    const Model model = load_model(model_);
    const NodeId first = model.graph.nodes()[0];
    const std::string at = model.graph.value(model.graph.node(first).outputs[0]).name;
    const std::string a = (folder_ / "a.onnx").string(), b = (folder_ / "b.onnx").string();
    const auto split = [&](const std::string& left, const std::string& right) {
        return "split at " + edit_word(at) + " into " + edit_word(left) + " and " +
               edit_word(right);
    };
    for (int time = 0; time < 2; ++time) {
        const CommandOutcome done = run({"edit", model_, "-e", split(a, b), "-o", edited_});
        ASSERT_EQ(done.code, 0) << done.err;
        EXPECT_NE(done.out.find("wrote " + a + " (1 node)"), std::string::npos) << done.out;
        EXPECT_NE(done.out.find("wrote " + b), std::string::npos) << done.out;
    }
    const CommandOutcome done = run({"edit", model_, "-e", split(a, b), "-o", edited_, "--json"});
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(done.json()["parts"][0]["nodes"], 1);
    EXPECT_EQ(done.json()["parts"][1]["file"], b);
    std::filesystem::remove(a);
    std::filesystem::remove(b);
    std::filesystem::remove(edited_);

    const std::string absent = (folder_ / "none" / "b.onnx").string();
    const std::string same = folder_.path().string() + "/./a.onnx";
    for (const auto& [left, right] :
         {std::pair{a, a}, {a, same}, {a, edited_}, {model_, b}, {a, absent}}) {
        const CommandOutcome refused =
            run({"edit", model_, "-e", split(left, right), "-o", edited_});
        EXPECT_NE(refused.code, 0) << left << " " << right;
        for (const std::string& file : {a, b, edited_})
            EXPECT_FALSE(std::filesystem::exists(file)) << file << ": " << left << " " << right;
    }
    EXPECT_EQ(load_model(model_).graph.node_count(), model.graph.node_count());
}

TEST_F(EditCommand, OtherTypesOfInputsAreNotCompared) {
    for (const char* line : {"cast model float -> double", "wrap * normalize 0 1"}) {
        std::string text(line);
        const Model model = load_model(model_);
        const std::string input = model.graph.value(model.graph.inputs()[0]).name;
        if (const std::size_t star = text.find('*'); star != std::string::npos)
            text.replace(star, 1, edit_word(input));
        const CommandOutcome done = run({"edit", model_, "-e", text, "--dry-run"});
        EXPECT_EQ(done.code, 0) << done.err;
        EXPECT_NE(done.out.find("inputs changed: results were not compared"), std::string::npos)
            << done.out;
        EXPECT_EQ(done.out.find("does not run"), std::string::npos) << done.out;
    }
}

TEST_F(EditCommand, ADryRunWritesNothing) {
    const CommandOutcome tried = run({"edit", model_, "-e", "delete op:Relu", "--dry-run"});
    EXPECT_EQ(tried.code, 0) << tried.err;
    EXPECT_NE(tried.out.find("removed"), std::string::npos) << tried.out;
    EXPECT_FALSE(std::filesystem::exists(edited_));
}

}  // namespace
}  // namespace lapidary
