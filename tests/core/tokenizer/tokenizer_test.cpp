// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>
#include <lapidary/tokenizer/tokenizer.h>

#include "support/test_data.h"

namespace lapidary {
namespace {

using Ids = std::vector<std::int64_t>;
using nlohmann::json;

/// Words of letters, each its own token.
json words_file() {
    return json::parse(R"({
        "version": "1.0",
        "model": {"type": "WordLevel", "unk_token": "<unk>",
                  "vocab": {"<unk>": 0, "<s>": 1, "</s>": 2, "<pad>": 3, "a": 4, "b": 5, "c": 6}},
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": {"type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}},
                       {"Sequence": {"id": "A", "type_id": 0}},
                       {"SpecialToken": {"id": "</s>", "type_id": 0}}],
            "pair": [{"Sequence": {"id": "A", "type_id": 0}},
                     {"SpecialToken": {"id": "</s>", "type_id": 0}},
                     {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]},
                               "</s>": {"id": "</s>", "ids": [2], "tokens": ["</s>"]}}}
    })");
}

Tokenizer made(const json& file) { return Tokenizer::parse(file.dump()); }

json added(std::int64_t id, const std::string& content) {
    return {{"id", id},        {"content", content},  {"single_word", false}, {"lstrip", false},
            {"rstrip", false}, {"normalized", false}, {"special", false}};
}

std::string complaint(const std::function<void()>& call, ErrorCode code) {
    try {
        call();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), code) << error.what();
        return error.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
}

void expect_refused(const json& file, ErrorCode code, const std::vector<std::string>& words) {
    const std::string text = complaint([&] { made(file); }, code);
    for (const std::string& word : words)
        EXPECT_NE(text.find(word), std::string::npos) << "no \"" << word << "\" in " << text;
}

TEST(Tokenizer, SpecialTokensAreAddedAndLeftOut) {
    const Tokenizer tokenizer = made(words_file());
    EXPECT_EQ(tokenizer.encode("a b x").ids, (Ids{1, 4, 5, 0, 2}));
    EXPECT_EQ(tokenizer.encode("a b", {.special_tokens = false}).ids, (Ids{4, 5}));
    EXPECT_EQ(tokenizer.encode("").ids, (Ids{1, 2}));
    const Encoding pair = tokenizer.encode_pair("a", "b c");
    EXPECT_EQ(pair.ids, (Ids{4, 2, 5, 6}));
    EXPECT_EQ(pair.types, (Ids{0, 0, 1, 1}));
    EXPECT_EQ(tokenizer.model_kind(), "WordLevel");
    EXPECT_EQ(tokenizer.size(), 7u);
    EXPECT_EQ(tokenizer.id_of("b"), 5);
    EXPECT_EQ(tokenizer.id_of("d"), std::nullopt);
    EXPECT_EQ(tokenizer.token_of(6), "c");
    EXPECT_EQ(tokenizer.token_of(-1), std::nullopt);
    EXPECT_EQ(tokenizer.token_of(std::int64_t{1} << 40), std::nullopt);
    EXPECT_EQ(tokenizer.padding_id(), 3);
    EXPECT_EQ(tokenizer.decode(Ids{4, 5, 99, -7, 6}), "a b c");
}

TEST(Tokenizer, TextIsCutAndFilledAsTheFileSays) {
    json file = words_file();
    file["truncation"] = {
        {"max_length", 4}, {"strategy", "LongestFirst"}, {"stride", 0}, {"direction", "Left"}};
    file["padding"] = {
        {"strategy", {{"Fixed", 6}}}, {"direction", "Left"},  {"pad_id", 3},
        {"pad_type_id", 1},           {"pad_token", "<pad>"}, {"pad_to_multiple_of", nullptr}};
    const Tokenizer tokenizer = made(file);
    const Encoding encoding = tokenizer.encode("a b c");
    EXPECT_EQ(encoding.ids, (Ids{3, 3, 1, 5, 6, 2}));
    EXPECT_EQ(encoding.mask, (Ids{0, 0, 1, 1, 1, 1}));
    EXPECT_EQ(encoding.types, (Ids{1, 1, 0, 0, 0, 0}));
    EXPECT_EQ(tokenizer.encode("a b c", {.most_tokens = 3, .padded = false}).ids, (Ids{1, 6, 2}));
    complaint([&] { tokenizer.encode("a", {.most_tokens = 1}); }, ErrorCode::invalid_input);
    EXPECT_EQ(tokenizer.encode_pair("a a a a", "b b", {.padded = false}).ids, (Ids{4, 4, 2, 5}))
        << "the longer one loses more";
}

TEST(Tokenizer, AddedTokensAreFoundByTheirFlags) {
    json file = words_file();
    file.erase("post_processor");
    json mask = added(7, "<m>"), word = added(8, "ab"), big = added(9, "B");
    mask["lstrip"] = mask["rstrip"] = mask["special"] = true;
    word["single_word"] = true;
    big["normalized"] = true;
    file["normalizer"] = {{"type", "Lowercase"}};
    file["added_tokens"] = json::array({mask, word, big});
    const Tokenizer tokenizer = made(file);
    EXPECT_EQ(tokenizer.encode("a  <m>  a").ids, (Ids{4, 7, 4}));
    EXPECT_EQ(tokenizer.encode("a<m><m>").ids, (Ids{4, 7, 7}));
    EXPECT_EQ(tokenizer.encode("ab abc ab").ids, (Ids{8, 4, 9, 6, 8}))
        << "not inside of a word, where the normalized B is found";
    EXPECT_EQ(tokenizer.encode("A B").ids, (Ids{4, 9})) << "what is normalized is looked for so";
    EXPECT_TRUE(tokenizer.is_special(7));
    EXPECT_FALSE(tokenizer.is_special(8));
    EXPECT_EQ(tokenizer.size(), 10u);
    EXPECT_EQ(tokenizer.decode(Ids{7, 8}), "ab");
    EXPECT_EQ(tokenizer.decode(Ids{7, 8}, false), "<m> ab");
}

TEST(Tokenizer, WhatIsUnknownIsRefusedByName) {
    for (const auto& [part, what] :
         std::map<std::string, std::string>{{"normalizer", "normalizers"},
                                            {"pre_tokenizer", "pre-tokenizers"},
                                            {"post_processor", "post-processors"},
                                            {"decoder", "decoders"}}) {
        json file = words_file();
        file[part] = {{"type", "Wondrous"}};
        expect_refused(file, ErrorCode::not_supported, {part, what, "Wondrous"});
        file[part] = {{"type", "Sequence"}};
        expect_refused(file, ErrorCode::invalid_input, {part});
    }
    json file = words_file();
    file["model"]["type"] = "Wondrous";
    expect_refused(file, ErrorCode::not_supported, {"model", "Wondrous"});
    file = words_file();
    file["pre_tokenizer"]["mood"] = "good";
    expect_refused(file, ErrorCode::invalid_input, {"pre_tokenizer", "mood"});
    file = words_file();
    file["secret"] = 1;
    expect_refused(file, ErrorCode::invalid_input, {"secret"});
    file = words_file();
    file["version"] = "2.0";
    expect_refused(file, ErrorCode::not_supported, {"2.0"});
}

TEST(Tokenizer, MistakesOfFilesAreNamed) {
    const auto changed = [](const std::string& where, const json& value) {
        json file = words_file();
        file[json::json_pointer(where)] = value;
        return file;
    };
    const auto bad = ErrorCode::invalid_input;
    expect_refused(changed("/model/vocab/d", 6), bad, {"model.vocab", "\"c\"", "\"d\"", "6"});
    expect_refused(changed("/model/vocab/d", -1), bad, {"model.vocab", "-1"});
    expect_refused(changed("/model/vocab/d", 1e300), bad, {"model.vocab"});
    expect_refused(changed("/model/vocab", 5), bad, {"model.vocab", "object"});
    expect_refused(changed("/post_processor/special_tokens", json::object()), bad,
                   {"<s>", "special_tokens"});
    expect_refused(changed("/post_processor/single/1/Sequence/id", "B"), bad, {"sequence \"B\""});
    expect_refused(changed("/added_tokens", json::array({added(4, "b")})), bad,
                   {"added_tokens", "\"a\""});
    expect_refused(changed("/added_tokens", json::array({added(9, "x"), added(9, "y")})), bad,
                   {"9", "twice"});
    expect_refused(changed("/pre_tokenizer", {{"type", "Split"},
                                              {"pattern", {{"Regex", "("}}},
                                              {"behavior", "Isolated"},
                                              {"invert", false}}),
                   bad, {"pre_tokenizer.pattern", "regular expression", "\"(\""});
    expect_refused(changed("/normalizer", {{"type", "Precompiled"}, {"precompiled_charsmap", "?"}}),
                   bad, {"normalizer", "base64"});
    expect_refused(
        changed("/normalizer", {{"type", "Precompiled"}, {"precompiled_charsmap", "////////"}}),
        bad, {"cut off"});
    complaint([] { Tokenizer::parse("{"); }, bad);
    complaint([] { Tokenizer::parse("[]"); }, bad);
    complaint([] { Tokenizer::parse("{}"); }, bad);
    complaint([] { Tokenizer::load("/no/such/tokenizer.json"); }, ErrorCode::io_failure);
}

TEST(Tokenizer, MistakesOfMergesAreNamed) {
    json file;
    file["model"] = {{"type", "BPE"},
                     {"vocab", {{"a", 0}, {"b", 1}, {"ab", 2}}},
                     {"merges", json::array({"a b"})}};
    EXPECT_EQ(made(file).encode("abba").ids, (Ids{2, 1, 0}));
    EXPECT_EQ(made(file).encode("axb").ids, (Ids{2})) << "as the package leaves it out";
    file["model"]["merges"] = json::array({json::array({"b", "a"})});
    expect_refused(file, ErrorCode::invalid_input, {"merge 0", "\"ba\""});
    file["model"]["merges"] = json::array({"a b a"});
    expect_refused(file, ErrorCode::invalid_input, {"merge 0", "a b a"});
    file["model"]["merges"] = json::array();
    file["model"]["dropout"] = 0.1;
    expect_refused(file, ErrorCode::not_supported, {"dropout"});
    file["model"].erase("dropout");
    file["model"]["unk_token"] = "<unk>";
    complaint([&] { made(file).encode("x"); }, ErrorCode::invalid_input);
}

TEST(Tokenizer, LongWordsAreMergedAsShortOnes) {
    json vocabulary, merges = json::array();
    std::int64_t id = 0;
    for (const char* token : {"a", "b", "ab", "ba", "abab", "aab"}) vocabulary[token] = id++;
    for (const auto& [left, right] : std::vector<std::pair<std::string, std::string>>{
             {"a", "b"}, {"ab", "ab"}, {"a", "ab"}, {"b", "a"}})
        merges.push_back(json::array({left, right}));
    json file;
    file["model"] = {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", merges}};
    const Tokenizer tokenizer = made(file);
    std::uint32_t state = 1;
    for (int round = 0; round < 200; ++round) {
        std::string word;
        for (int i = 0; i < 30; ++i)
            word += (state = state * 1664525 + 1013904223) >> 31 ? 'a' : 'b';
        // what stands behind "bb" on the right cannot join what stands before
        const Ids once = tokenizer.encode(word + "bb").ids;
        const Ids twice = tokenizer.encode(word + "bb" + word + "bb").ids;
        Ids joined = once;
        joined.insert(joined.end(), once.begin(), once.end());
        if (word.front() != 'a') { EXPECT_EQ(twice, joined) << word; }
        std::string text;
        for (const std::int64_t token : twice) text += *tokenizer.token_of(token);
        EXPECT_EQ(text, word + "bb" + word + "bb");
    }
}

TEST(Tokenizer, TextThatCannotBeReadIsRefused) {
    const Tokenizer tokenizer = made(words_file());
    for (const char* text : {"a \xFF", "\xC3", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xC0\xAF"})
        complaint([&] { tokenizer.encode(text); }, ErrorCode::invalid_input);
    json file = words_file();
    file["pre_tokenizer"] = {{"type", "Split"},
                             {"pattern", {{"Regex", "^(a|aa|aaa)+$"}}},
                             {"behavior", "Isolated"},
                             {"invert", false}};
    const std::string text = complaint([&] { made(file).encode(std::string(60, 'a') + "b"); },
                                       ErrorCode::limit_exceeded);
    EXPECT_NE(text.find("(a|aa|aaa)+"), std::string::npos) << text;
}

TEST(Tokenizer, DamagedFilesDoNotCrash) {
    json file = words_file();
    file["normalizer"] = {{"type", "Sequence"},
                          {"normalizers", {{{"type", "NFKC"}}, {{"type", "Lowercase"}}}}};
    file["decoder"] = {{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}};
    file["added_tokens"] = json::array({added(7, "<m>")});
    const std::string whole = file.dump();
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_THROW(Tokenizer::parse(whole.substr(0, size)), Error) << size;
    std::uint32_t state = 7;
    for (int round = 0; round < 4000; ++round) {
        std::string damaged = whole;
        state = state * 1664525 + 1013904223;
        const std::size_t at = (state >> 8) % damaged.size();
        state = state * 1664525 + 1013904223;
        damaged[at] = static_cast<char>(state >> 24);
        try {
            const Tokenizer tokenizer = Tokenizer::parse(damaged);
            tokenizer.decode(tokenizer.encode("A b <m> \xC3\xA9 c").ids);
        } catch (const Error& error) {
            EXPECT_NE(error.code(), ErrorCode::internal) << error.what();
        }
    }
}

TEST(Tokenizer, BertLosesAccentsWithItsCapitals) {
    const std::vector<std::string> vocabulary{"[PAD]", "[UNK]", "[CLS]",       "[SEP]",
                                              "cafe",  "##s",   "\xE7\x8C\xAB"};
    const Tokenizer small = Tokenizer::word_piece(vocabulary, true);
    EXPECT_EQ(small.encode("CAF\xC3\x89s \xE7\x8C\xAB\xE7\x8C\xAB").ids, (Ids{2, 4, 5, 6, 6, 3}));
    EXPECT_EQ(small.decode(Ids{2, 4, 5, 6, 3}), "cafes \xE7\x8C\xAB");
    const Tokenizer cased = Tokenizer::word_piece(vocabulary, false);
    EXPECT_EQ(cased.encode("CAF\xC3\x89").ids, (Ids{2, 1, 3}));
    EXPECT_EQ(cased.padding_id(), 0);
    EXPECT_THROW(Tokenizer::word_piece({"a"}, true), Error);
}

TEST(DecodeStream, HoldsBackHalvesOfCharacters) {
    json file;
    file["model"] = {{"type", "BPE"}, {"merges", json::array()}};
    file["model"]["vocab"] = {{"a", 0}, {"\xC3\xA2", 1}, {"\xC4\xA4", 2}, {"\xC2\xAC", 3}};
    file["decoder"] = {{"type", "ByteLevel"}};
    const Tokenizer tokenizer = made(file);  // E2 82 AC, the euro, in three tokens
    DecodeStream stream(tokenizer);
    EXPECT_EQ(stream.next(0), "a");
    EXPECT_EQ(stream.next(1), "");
    EXPECT_EQ(stream.next(2), "");
    EXPECT_EQ(stream.next(3), "\xE2\x82\xAC");
    EXPECT_EQ(stream.next(1), "");
    EXPECT_EQ(stream.finish(), "\xEF\xBF\xBD");
    EXPECT_EQ(stream.next(0), "a") << "as new";
}

}  // namespace
}  // namespace lapidary
