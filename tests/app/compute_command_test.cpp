// SPDX-License-Identifier: Apache-2.0
// --compute of the commands that run models, and what they say of its price.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/proof/choose_compute.h>
#include <lapidary/tensor/tensor_file.h>

#include "app/command_runner.h"
#include "support/kernel_compare.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

void expect_choice(const Json& json) {
    ASSERT_TRUE(json.contains("compute_choice"));
    const Json& choice = json["compute_choice"];
    ASSERT_EQ(choice["trials"].size(), 3u);
    const bool is_exact = choice["chosen"] == "exact";
    EXPECT_EQ(choice.contains("reason"), is_exact);
    EXPECT_EQ(json.contains("lowered_precision"), !is_exact);
    EXPECT_EQ(choice["rates"].size(), 5u);
    for (const Json& trial : choice["trials"]) {
        EXPECT_GT(trial["promised"], 0);
        EXPECT_EQ(trial.contains("refusal"), trial["compute"] != choice["chosen"]);
    }
}

TEST(ComputeOption, AutoSaysWhatItChose) {
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"run", "sample:mlp"},
          {"profile", "sample:mlp", "--runs", "1", "--level", "basic"}}) {
        std::vector<std::string> words = command;
        words.insert(words.end(), {"--compute", "auto", "--intra", "1"});
        const CommandOutcome text = run(words);
        ASSERT_EQ(text.code, 0) << text.err;
        EXPECT_NE(text.out.find("\ncompute  "), std::string::npos) << text.out;
        words.emplace_back("--json");
        expect_choice(run(words).json());
    }
}

TEST(ComputeOption, BenchMeasuresEach) {
    const std::vector<std::string> words{
        "bench", "sample:mlp", "--compute", "exact,fp16,int8,auto", "--intra",
        "1",     "--runs",     "8",         "--no-memory"};
    const CommandOutcome text = run(words);
    ASSERT_EQ(text.code, 0) << text.err;
    EXPECT_NE(text.out.find(", fp16 weights"), std::string::npos) << text.out;
    EXPECT_NE(text.out.find(", int8 weights"), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("fp16 weights on cpu moves 'logits'"), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("mlp, --compute auto:"), std::string::npos) << text.out;
    std::vector<std::string> as_json = words;
    as_json.emplace_back("--json");
    const Json rows = run(as_json).json()["configurations"];
    ASSERT_EQ(rows.size(), 4u);
    EXPECT_EQ(rows[0]["compute"], "exact");
    EXPECT_FALSE(rows[0].contains("lowered_precision"));
    EXPECT_EQ(rows[1]["compute"], "fp16");
    const Json& output = rows[1]["lowered_precision"]["outputs"][0];
    EXPECT_GT(output["sqnr_db"], 40);
    EXPECT_EQ(output["answers"], 1);
    EXPECT_EQ(rows[2]["compute"], "int8");
    EXPECT_GT(rows[2]["lowered_precision"]["outputs"][0]["sqnr_db"], 15);
    expect_choice(rows[3]);
    EXPECT_EQ(rows[3]["compute"], rows[3]["compute_choice"]["chosen"]);
}

TEST(ComputeOption, SaysWhereNothingIsLargeEnough) {
    const TemporaryFolder folder;
    const std::string file = (folder / "small.onnx").string();
    Model model;
    model.opset_imports[""] = 20;
    model.graph = parse_graph("(x: f32[2,30]) -> (y)\ny = MatMul(x, w: f32[30,20])\n");
    save_model(model, file);
    const std::string said = nothing_rounded_text();
    for (const char* command : {"run", "profile", "bench"}) {
        std::vector<std::string> words{command, file, "--compute", "bf16", "--intra", "1"};
        if (words[0] == "bench") words.insert(words.end(), {"--runs", "8", "--no-memory"});
        const CommandOutcome text = run(words);
        ASSERT_EQ(text.code, 0) << text.err;
        EXPECT_NE(text.out.find(said), std::string::npos) << text.out;
        EXPECT_EQ(text.out.find("answer changed"), std::string::npos) << text.out;
    }
    const Json json = run({"run", file, "--compute", "bf16", "--json"}).json();
    EXPECT_EQ(json["lowered_precision"]["how"], "nothing");
    EXPECT_EQ(json["lowered_precision"]["reason"], said);
}

TEST(ComputeOption, MayNotContradictTheConfiguration) {
    expect_error(
        run({"run", "sample:mlp", "--compute", "int8", "--config", "lapidary.compute=exact"}), 2,
        {"--compute", "--config lapidary.compute", "int8", "exact"});
    EXPECT_EQ(run({"run", "sample:mlp", "--compute", "fp16", "--config", "lapidary.compute=fp16",
                   "--config", "intra_op_num_threads=1"})
                  .code,
              0);
}

TEST(ComputeOption, BenchRefusesWhatItCannotSay) {
    expect_error(run({"bench", "sample:mlp", "--compute", "fp16", "--vs", "self"}), 2,
                 {"--compute", "--vs"});
    expect_error(run({"bench", "sample:mlp", "--compute", "fp16,exact", "--decode"}), 2,
                 {"--decode takes one --compute"});
    expect_error(run({"bench", "sample:mlp", "--compute", "auto", "--decode"}), 2,
                 {"--decode takes one --compute"});
    expect_error(run({"bench", "sample:mlp", "--compute", "fp16", "--concurrency", "2"}), 2,
                 {"exact weights"});
    EXPECT_EQ(run({"bench", "sample:mlp", "--compute", "fp8"}).code, 2);
    expect_error(run({"bench", "sample:mlp", "--compute", ",", "--no-memory"}), 2,
                 {"--compute: expected exact|fp16|bf16|int8|auto", "found \",\""});
    expect_error(run({"bench", "sample:mlp", "--intra=,,", "--no-memory"}), 2,
                 {"--intra: expected N", "found \",,\""});
}

class CheckedCompute : public testing::Test {
protected:
    CheckedCompute() {
        save_npz(inputs_, {{"input", test::noise({1, 784}, 3)}});
        EXPECT_EQ(run({"run", "sample:mlp", "--inputs", inputs_, "--outputs", expected_}).code, 0);
        words_ = {"check", "sample:mlp", "--inputs", inputs_, "--expected", expected_};
    }
    const TemporaryFolder folder_;
    const std::string inputs_ = (folder_ / "in.npz").string();
    const std::string expected_ = (folder_ / "out.npz").string();
    std::vector<std::string> words_;
};

TEST_F(CheckedCompute, SaysItsPriceAndWhetherItIsTheCause) {
    words_.insert(words_.end(), {"--compute", "bf16", "--rtol", "0.5"});
    const CommandOutcome passed = run(words_);
    EXPECT_EQ(passed.code, 0) << passed.out;
    EXPECT_NE(passed.out.find("precision  bf16 weights on cpu moves 'logits'"), std::string::npos);
    words_.back() = "0.000001";
    const CommandOutcome failed = run(words_);
    EXPECT_EQ(failed.code, 1);
    EXPECT_NE(failed.out.find("outputs differ because of --compute"), std::string::npos)
        << failed.out;
    words_.emplace_back("--json");
    EXPECT_EQ(run(words_).json()["cause"], "compute");
}

}  // namespace
}  // namespace lapidary
