// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/generation/generator.h>
#include <lapidary/generation/text_files.h>

#include "samples/llama.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

using Tokens = std::vector<std::int64_t>;

Tokenizer words(const std::string& added = "", const std::string& truncation = "null") {
    return Tokenizer::parse(
        R"({"version":"1.0","truncation":)" + truncation + R"(,"added_tokens":[)" + added +
        R"(],"pre_tokenizer":{"type":"WhitespaceSplit"},"model":{"type":"WordLevel",)"
        R"("vocab":{"a":0,"b":1,"c":2,"</s>":3,"end":4,"far":90},"unk_token":"a"}})");
}

std::string special(int id, const std::string& name) {
    return R"({"id":)" + std::to_string(id) + R"(,"content":")" + name +
           R"(","single_word":false,"lstrip":false,"rstrip":false,"normalized":false,)"
           R"("special":true})";
}

class TextFiles : public testing::Test {
protected:
    void write(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name) << text;
    }
    EndTokens ends(const Tokenizer* tokenizer = nullptr) const {
        return find_end_tokens(model(), folder_ / "tokenizer.json", tokenizer);
    }
    std::string refusal() const {
        try {
            ends();
        } catch (const Error& error) { return error.what(); }
        return "";
    }
    std::filesystem::path model() const { return folder_ / "onnx" / "model.onnx"; }
    const TemporaryFolder folder_;
};

TEST_F(TextFiles, TheTokenizerLiesBesideTheModelOrAboveIt) {
    EXPECT_TRUE(find_tokenizer(model()).empty());
    EXPECT_TRUE(find_tokenizer({}).empty());
    write("tokenizer.json", "{}");
    EXPECT_EQ(find_tokenizer(model()), folder_ / "tokenizer.json");
    write("onnx/tokenizer.json", "{}");
    EXPECT_EQ(find_tokenizer(model()), folder_ / "onnx" / "tokenizer.json");
    EXPECT_EQ(tokenizer_places("model.onnx"),
              (std::vector<std::filesystem::path>{"tokenizer.json", "../tokenizer.json"}));
    EXPECT_EQ(tokenizer_places("a/onnx/model.onnx"),
              (std::vector<std::filesystem::path>{"a/onnx/tokenizer.json", "a/tokenizer.json"}));
}

TEST_F(TextFiles, EndTokensComeFromTheFirstFileThatNamesThem) {
    EXPECT_TRUE(ends().ids.empty());
    write("config.json", R"({"text_config": {"eos_token_id": 9}})");
    EXPECT_EQ(ends().ids, (Tokens{9}));
    write("config.json", R"({"eos_token_id": 8, "text_config": {"eos_token_id": 9}})");
    EXPECT_EQ(ends().ids, (Tokens{8}));
    write("onnx/genai_config.json", R"({"model": {"eos_token_id": [6, 7]}})");
    EXPECT_EQ(ends().ids, (Tokens{6, 7}));
    write("generation_config.json", R"({"eos_token_id": null})");
    EXPECT_EQ(ends().ids, (Tokens{6, 7})) << "null names none";
    write("generation_config.json", R"({"eos_token_id": 5})");
    EXPECT_EQ(ends().ids, (Tokens{5}));
    EXPECT_EQ(ends().source, "generation_config.json");
}

TEST_F(TextFiles, EndTokensMayBeNamedByTheirText) {
    const Tokenizer plain = words(), with_special = words(special(3, "</s>"));
    EXPECT_TRUE(ends(&plain).ids.empty()) << "a word is no special token";
    EXPECT_EQ(ends(&with_special).ids, (Tokens{3}));
    write("special_tokens_map.json", R"({"eos_token": {"content": "end", "lstrip": false}})");
    EXPECT_EQ(ends(&with_special).ids, (Tokens{4}));
    write("tokenizer_config.json", R"({"eos_token": "c"})");
    EXPECT_EQ(ends(&with_special).ids, (Tokens{2}));
    EXPECT_TRUE(ends().ids.empty()) << "only a tokenizer knows its number";
}

TEST_F(TextFiles, WhatIsNoTokenIsRefusedByFileAndMember) {
    for (const char* wrong : {R"("x")", "-1", "[1, null]", "1.5", "true"}) {
        write("config.json", std::string(R"({"eos_token_id": )") + wrong + "}");
        EXPECT_NE(refusal().find("config.json"), std::string::npos) << wrong << refusal();
        EXPECT_NE(refusal().find("eos_token_id"), std::string::npos) << wrong << refusal();
    }
    write("config.json", "{");
    EXPECT_NE(refusal().find("config.json"), std::string::npos) << refusal();
}

TEST_F(TextFiles, APromptIsWholeAndOfTheModelsTokens) {
    const Model model = samples::llama({.name = "small",
                                        .layers = 1,
                                        .width = 32,
                                        .inner = 64,
                                        .heads = 4,
                                        .key_heads = 2,
                                        .vocabulary = 50,
                                        .positions = 64},
                                       5);
    EXPECT_EQ(vocabulary_size(model), 50);
    const Tokenizer short_one =
        words("", R"({"max_length":2,"stride":0,"strategy":"LongestFirst","direction":"Right"})");
    EXPECT_EQ(short_one.encode("b c b").ids.size(), 2u);
    EXPECT_EQ(encode_prompt(short_one, "b c b", model), (Tokens{1, 2, 1}));
    EXPECT_THROW(encode_prompt(short_one, "", model), Error);
    try {
        encode_prompt(short_one, "b far", model);
        FAIL() << "the model has no token 90";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("0 to 49"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace lapidary
