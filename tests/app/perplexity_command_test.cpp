// SPDX-License-Identifier: Apache-2.0
// lapidary-cli perplexity: a text by its tokens or by a tokenizer, alone and against another model.
#include <fstream>

#include <gtest/gtest.h>

#include <lapidary/onnx_io/model_io.h>

#include "app/command_runner.h"
#include "samples/llama.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

class PerplexityCommand : public testing::Test {
protected:
    PerplexityCommand()
        : model_(saved("model.onnx", 5)), other_(saved("other.onnx", 6)),
          tokens_(file("text.ids", "1 15 87\n2 3 4 5\n6 7 8\n")) {}
    std::string saved(const char* name, std::uint64_t seed) const {
        const std::string path = (folder_ / name).string();
        save_model(samples::llama({.name = "small",
                                   .layers = 1,
                                   .width = 32,
                                   .inner = 64,
                                   .heads = 2,
                                   .key_heads = 1,
                                   .vocabulary = 97,
                                   .positions = 64},
                                  seed),
                   path);
        return path;
    }
    std::string file(const char* name, const std::string& text) const {
        const std::string path = (folder_ / name).string();
        std::ofstream(path) << text;
        return path;
    }
    TemporaryFolder folder_;
    std::string model_, other_, tokens_;
};

TEST_F(PerplexityCommand, OfOneModel) {
    const CommandOutcome text = run({"perplexity", model_, "--tokens", tokens_});
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_NE(text.out.find("9 tokens predicted, windows of 512: 1"), std::string::npos)
        << text.out;
    const Json json =
        run({"perplexity", model_, "--tokens", tokens_, "--window", "4", "--json"}).json();
    EXPECT_EQ(json.at("windows"), 3);
    EXPECT_EQ(json.at("tokens"), 3 + 3 + 1);
    EXPECT_GT(json.at("perplexity").get<double>(), 1);
    EXPECT_FALSE(json.contains("against"));
    const Json begun = run({"perplexity", model_, "--tokens", tokens_, "--begin-token", "0",
                            "--most-tokens", "5", "--tokens-per-run", "2", "--json"})
                           .json();
    EXPECT_EQ(begun.at("tokens"), 5);
}

TEST_F(PerplexityCommand, AgainstAnotherModel) {
    const Json same = run({"perplexity", model_, "--against", model_, "--tokens", tokens_,
                           "--most-kl", "0", "--json"})
                          .json();
    EXPECT_EQ(same.at("against").at("kl"), 0);
    EXPECT_EQ(same.at("against").at("changed"), 0);
    EXPECT_EQ(same.at("against").at("is_fine"), true);
    EXPECT_EQ(same.at("against").at("prediction").at("perplexity"), same.at("perplexity"));
    const CommandOutcome far =
        run({"perplexity", model_, "--against", other_, "--tokens", tokens_, "--most-kl", "1e-9"});
    EXPECT_EQ(far.code, 1) << far.err;
    EXPECT_NE(far.out.find("changed tokens"), std::string::npos) << far.out;
    EXPECT_NE(far.out.find("above 1e-09"), std::string::npos) << far.out;
}

TEST_F(PerplexityCommand, OfATextByATokenizer) {
    const std::string tokenizer = file(
        "tokenizer.json",
        R"({"model": {"type": "WordLevel", "vocab": {"<unk>": 0, "a": 1, "b": 2}, "unk_token": "<unk>"},
            "pre_tokenizer": {"type": "Whitespace"}})");
    const std::string text = file("text.txt", "a b a\nb b c\n");
    const Json json =
        run({"perplexity", model_, "--text", text, "--tokenizer", tokenizer, "--json"}).json();
    EXPECT_EQ(json.at("tokens"), 5);
}

TEST_F(PerplexityCommand, MistakesAreToldInASentence) {
    expect_error(run({"perplexity", model_}), 2, {"--text", "--tokens"});
    expect_error(run({"perplexity", model_, "--text", tokens_}), 2, {"--tokenizer"});
    expect_error(run({"perplexity", model_, "--tokens", tokens_, "--most-kl", "1"}), 2,
                 {"--against"});
    expect_error(run({"perplexity", model_, "--tokens", file("bad.ids", "1\n2 x\n")}), 3,
                 {"bad.ids", "line 2"});
    expect_error(run({"perplexity", model_, "--tokens", file("one.ids", "1\n")}), 3,
                 {"at least 2, found 1"});
    expect_error(run({"perplexity", "sample:mlp", "--tokens", tokens_}), 4, {"mlp"});
}

}  // namespace
}  // namespace lapidary
