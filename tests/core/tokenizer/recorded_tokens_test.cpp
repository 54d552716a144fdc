// SPDX-License-Identifier: Apache-2.0
// Small tokenizers of every model, with tokens and texts that the package `tokenizers` made of
// lines in many scripts: tests/peers/tokenizer_peer.py --record.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>
#include <lapidary/internal/text_file.h>
#include <lapidary/tokenizer/tokenizer.h>

#include "support/test_data.h"

namespace lapidary {
namespace {

class RecordedTokens : public ::testing::TestWithParam<const char*> {
protected:
    RecordedTokens()
        : file_(nlohmann::json::parse(load_text(
              fixtures_folder() / "tokenizers" / (std::string(GetParam()) + ".json"), 1u << 20))),
          tokenizer_(Tokenizer::parse(file_.at("tokenizer").dump())) {}
    static std::vector<std::int64_t> ids_of(const nlohmann::json& list) {
        return list.get<std::vector<std::int64_t>>();
    }
    nlohmann::json file_;
    Tokenizer tokenizer_;
};

TEST_P(RecordedTokens, AreEqual) {
    ASSERT_GE(file_.at("cases").size(), 50u);
    for (const nlohmann::json& one : file_.at("cases")) {
        const auto text = one.at("text").get<std::string>();
        EXPECT_EQ(tokenizer_.encode(text).ids, ids_of(one.at("ids"))) << text;
    }
}

TEST_P(RecordedTokens, BecomeTheSameText) {
    for (const nlohmann::json& one : file_.at("cases"))
        EXPECT_EQ(tokenizer_.decode(ids_of(one.at("ids"))), one.at("decoded").get<std::string>());
}

TEST_P(RecordedTokens, PairsHaveTypes) {
    const Encoding pair = tokenizer_.encode_pair("a pair", "of two texts");
    EXPECT_EQ(pair.ids, ids_of(file_.at("pair").at("ids")));
    EXPECT_EQ(pair.types, ids_of(file_.at("pair").at("types")));
    EXPECT_EQ(pair.mask, std::vector<std::int64_t>(pair.ids.size(), 1));
}

TEST_P(RecordedTokens, ComeOneByOneAsTheWholeText) {
    if (std::string(GetParam()) == "decoder_ctc") return;  // drops what is there twice
    for (const nlohmann::json& one : file_.at("cases")) {
        DecodeStream stream(tokenizer_);
        std::string text;
        for (const std::int64_t id : ids_of(one.at("ids"))) text += stream.next(id);
        text += stream.finish();
        if (std::string(GetParam()) == "suffix") continue;  // a last word has no space behind it
        EXPECT_EQ(text, one.at("decoded").get<std::string>());
    }
}

TEST_P(RecordedTokens, DamagedFilesDoNotCrash) {
    const std::string whole = file_.at("tokenizer").dump();
    const auto text = file_.at("cases").at(1).at("text").get<std::string>();
    std::uint32_t state = 3;
    const auto random = [&] { return (state = state * 1664525 + 1013904223) >> 8; };
    for (int round = 0; round < 300; ++round) {
        std::string damaged = whole;
        for (int i = 0; i < 3; ++i) {
            // digits and letters keep more files readable than any byte would
            constexpr std::string_view signs = "0123456789aZ+/=\"\\,{}[]: -.";
            damaged[random() % damaged.size()] = signs[random() % signs.size()];
        }
        try {
            const Tokenizer tokenizer = Tokenizer::parse(damaged);
            tokenizer.decode(tokenizer.encode(text).ids);
        } catch (const Error& error) {
            EXPECT_NE(error.code(), ErrorCode::internal) << error.what();
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, RecordedTokens,
                         ::testing::Values("gpt2", "llama3", "llama2", "t5", "bert", "kimi",
                                           "suffix", "prefix", "unigram_with_bytes",
                                           "normalizer_nmt", "words_first_of_a_sequence",
                                           "decoder_ctc"),
                         [](const auto& name) { return std::string(name.param); });

}  // namespace
}  // namespace lapidary
