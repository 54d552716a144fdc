// SPDX-License-Identifier: Apache-2.0
#include <fstream>

#include <gtest/gtest.h>

#include "app/command_runner.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

class TokenizeCommand : public testing::Test {
protected:
    TokenizeCommand() : tokenizer_((folder_ / "tokenizer.json").string()) {
        std::ofstream(tokenizer_) << R"({"model": {"type": "WordPiece", "unk_token": "[UNK]",
            "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
            "vocab": {"[UNK]": 0, "the": 1, "cat": 2, "##s": 3}},
            "pre_tokenizer": {"type": "BertPreTokenizer"},
            "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true}})";
    }
    std::string file(const std::string& text) {
        const std::string path = (folder_ / "text.txt").string();
        std::ofstream(path) << text;
        return path;
    }
    TemporaryFolder folder_;
    std::string tokenizer_;
};

TEST_F(TokenizeCommand, EncodesTexts) {
    EXPECT_EQ(run({"tokenize", tokenizer_, "--text", "the cats", "--ids"}).out, "1 2 3\n");
    const CommandOutcome table = run({"tokenize", tokenizer_, "--text", "the cats"});
    EXPECT_EQ(table.code, 0) << table.err;
    EXPECT_NE(table.out.find("3 ##s"), std::string::npos) << table.out;
    EXPECT_EQ(run({"tokenize", tokenizer_, "--file", file("the\ncats"), "--ids"}).out, "1 2 3\n");
    EXPECT_EQ(
        run({"tokenize", tokenizer_, "--file", file("the\n\ncats\n"), "--lines", "--ids"}).out,
        "1\n\n2 3\n");
    const Json texts =
        run({"tokenize", tokenizer_, "--text", "cat", "--pair", "the x", "--json"}).json();
    EXPECT_EQ(texts.at("model"), "WordPiece");
    EXPECT_EQ(texts.at("vocabulary_size"), 4);
    EXPECT_EQ(texts.at("texts").at(0).at("ids"), (std::vector<int>{2, 1, 0}));
    EXPECT_EQ(texts.at("texts").at(0).at("types"), (std::vector<int>{0, 1, 1}));
    EXPECT_EQ(run({"tokenize", tokenizer_, "--text", "the cat", "--most-tokens", "1", "--ids"}).out,
              "1\n");
}

TEST_F(TokenizeCommand, AnEmptyTextIsOneInBothForms) {
    const CommandOutcome apart = run({"tokenize", tokenizer_, "--text", "", "--ids"}),
                         joined = run({"tokenize", tokenizer_, "--text=", "--ids"});
    EXPECT_EQ(joined.code, apart.code) << joined.err;
    EXPECT_EQ(joined.out, apart.out);
}

TEST_F(TokenizeCommand, DecodesTokens) {
    EXPECT_EQ(run({"tokenize", tokenizer_, "--decode", "1,2,3"}).out, "the cats\n");
    EXPECT_EQ(run({"tokenize", tokenizer_, "--decode-file", file("1 2\n2 3\n")}).out,
              "the cat\ncats\n");
    const Json pieces =
        run({"tokenize", tokenizer_, "--decode", "1,2,3", "--stream", "--json"}).json();
    EXPECT_EQ(pieces.at("decoded").at(0).at("pieces"),
              (std::vector<std::string>{"the", " cat", "s"}));
    EXPECT_EQ(run({"tokenize", tokenizer_, "--decode", "1,2", "--stream"}).out, "the\n cat\n");
}

TEST_F(TokenizeCommand, NumbersThatNoTokenHasAreNamed) {
    const CommandOutcome outcome = run({"tokenize", tokenizer_, "--decode", "1,70000,2,70000"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.out, "the cat\n");
    EXPECT_NE(outcome.err.find("the tokenizer has no token 70000 among its "), std::string::npos)
        << outcome.err;
    EXPECT_EQ(run({"tokenize", tokenizer_, "--decode", "1,2"}).err, "");
}

TEST_F(TokenizeCommand, MistakesAreReportedInASentence) {
    expect_error(run({"tokenize", tokenizer_}), 2, {"--text"});
    expect_error(run({"tokenize", tokenizer_, "--text", "a", "--decode", "1"}), 2, {"--decode"});
    expect_error(run({"tokenize", tokenizer_, "--text", "a", "--stream"}), 2, {"--stream"});
    expect_error(run({"tokenize", tokenizer_, "--decode-file", file("1 x\n")}), 3, {"line 1"});
    expect_error(run({"tokenize", tokenizer_, "--file", file("a\n\xFF\n"), "--lines"}), 3,
                 {"line 2", "UTF-8"});
    std::ofstream(tokenizer_) << R"({"model": {"type": "Magic"}})";
    expect_error(run({"tokenize", tokenizer_, "--text", "a"}), 4, {"tokenizer.json", "Magic"});
}

}  // namespace
}  // namespace lapidary
