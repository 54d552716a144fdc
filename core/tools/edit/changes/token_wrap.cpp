// SPDX-License-Identifier: Apache-2.0
#include "edit/changes/token_wrap.h"

#include <algorithm>
#include <limits>
#include <set>

#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>
#include <lapidary/internal/member_text.h>
#include <lapidary/internal/parse_json.h>
#include <lapidary/internal/text_file.h>

#include "edit/changes/wrapped_ports.h"

namespace lapidary {
namespace {

constexpr std::uint64_t most_vocabulary_bytes = 64 << 20;

constexpr const char* what_to_do =
    "; let the model keep its input of ids, and keep tokenizer.json beside it for programs that "
    "make tokens before they call the model";

std::vector<std::string> lines_of(const std::filesystem::path& file) {
    std::vector<std::string> lines = load_lines(file, most_vocabulary_bytes);
    if (!lines.empty() && lines.back().empty()) lines.pop_back();
    if (lines.empty()) fail_input(quote(file.string(), 4096) + " has no lines");
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (!is_utf8(lines[i]))
            fail_input(quote(file.string(), 4096) + ", line " + std::to_string(i + 1) +
                       ": expected text in UTF-8");
    return lines;
}

[[noreturn]] void refuse_tokens(const std::string& reason) {
    fail_unsupported(reason + what_to_do);
}

const std::string& type_of_part(const nlohmann::json& part, const char* name) {
    static const std::string none;
    if (part.is_null()) return none;
    if (!part.is_object() || !part.contains("type") || !part["type"].is_string())
        fail_input(std::string("the ") + name + " of the tokenizer has no type");
    return part["type"].get_ref<const std::string&>();
}

void read_word_level(const nlohmann::json& model, TokenWords& words) {
    const std::string type = type_of_part(model, "model");
    if (type != "WordLevel")
        refuse_tokens("the tokenizer is of type " + quote(type) +
                      ", which takes words apart; ONNX has operators for whole words only");
    const nlohmann::json vocabulary = model.value("vocab", nlohmann::json());
    if (!vocabulary.is_object() || vocabulary.empty())
        fail_input("the tokenizer has no vocabulary");
    for (const auto& [text, id] : vocabulary.items()) {
        if (!id.is_number_integer()) fail_input("the id of " + quote(text) + " is no number");
        constexpr auto most = std::numeric_limits<std::int64_t>::max();
        if (id.is_number_unsigned() ? id.get<std::uint64_t>() > std::uint64_t{most}
                                    : id.get<std::int64_t>() < 0)
            fail_input("the id of " + quote(text) + " is " + id.dump() + ", expected 0 to " +
                       std::to_string(most));
        words.texts.push_back(text);
        words.ids.push_back(id.get<std::int64_t>());
    }
    if (const auto unknown = model.find("unk_token");
        unknown != model.end() && unknown->is_string())
        words.unknown = unknown->get<std::string>();
}

/// Refuses tokens that are added to the vocabulary: they would be unknown words.
void check_added_tokens(const nlohmann::json& tokens, const nlohmann::json& vocabulary) {
    if (!tokens.is_array()) return;
    for (const nlohmann::json& token : tokens) {
        if (!token.is_object() || !token.contains("content") || !token["content"].is_string())
            fail_input("an added token of the tokenizer has no text");
        const std::string& text = token["content"].get_ref<const std::string&>();
        const auto found = vocabulary.find(text);
        if (found == vocabulary.end() || *found != token.value("id", nlohmann::json()))
            refuse_tokens("the tokenizer adds the token " + quote(text) +
                          ", which the vocabulary does not have with that id");
    }
}

/// Refuses what the operators would not do.
void read_other_parts(const nlohmann::json& file, TokenWords& words) {
    const auto part = [&](const char* name) {
        const auto found = file.find(name);
        return found == file.end() ? nlohmann::json() : *found;
    };
    const std::string normalizer = type_of_part(part("normalizer"), "normalizer");
    words.is_lower = normalizer == "Lowercase";
    if (!normalizer.empty() && !words.is_lower)
        refuse_tokens("the tokenizer changes texts by " + quote(normalizer) +
                      "; ONNX can make them lower case only");
    const std::string splitter = type_of_part(part("pre_tokenizer"), "pre_tokenizer");
    if (splitter != "WhitespaceSplit")
        refuse_tokens("the tokenizer splits texts by " +
                      quote(splitter.empty() ? "nothing" : splitter) +
                      ", ONNX can split at white space (WhitespaceSplit) or at one separator");
    const std::string processor = type_of_part(part("post_processor"), "post_processor");
    if (!processor.empty())
        refuse_tokens("the tokenizer adds tokens by " + quote(processor) +
                      ", for which ONNX has no operator");
    check_added_tokens(part("added_tokens"), file["model"]["vocab"]);
    words.has_own_length = part("truncation").is_object() || part("padding").is_object();
}

/// The first of the usual names that is a word.
std::string usual_name(const TokenWords& words, std::initializer_list<const char*> names) {
    for (const char* name : names)
        if (std::ranges::find(words.texts, name) != words.texts.end()) return name;
    return {};
}

std::int64_t id_of(const TokenWords& words, const std::string& text, const std::string& purpose) {
    const auto found = std::ranges::find(words.texts, text);
    if (text.empty() || found == words.texts.end())
        fail_input("the vocabulary has no word " +
                   (text.empty() ? std::string() : quote(text) + " ") + "for " + purpose +
                   "; name one of its words by `" + (purpose == "padding" ? "padding" : "unknown") +
                   "`");
    return words.ids[static_cast<std::size_t>(found - words.texts.begin())];
}

/// Ids of words of [batch] or [1] texts: [batch, words], padded to the longest text.
ValueId word_ids(GraphEdit& edit, ValueId texts, const TokenWrap& wrap, std::int64_t padding,
                 std::int64_t ml_version, const std::string& name) {
    const TokenWords& words = wrap.words;
    if (words.is_lower)
        texts = edit.node("StringNormalizer", {texts},
                          {{"case_change_action", std::string("LOWER")},
                           {"is_case_sensitive", std::int64_t{1}},
                           // the only language that ONNX Runtime finds on every machine
                           {"locale", std::string("C")}});
    NodeSpec split;
    split.op_type = "StringSplit";
    split.inputs = {texts};
    split.outputs = {edit.add_value(edit.fresh_name(name + "_words")),
                     edit.add_value(edit.fresh_name(name + "_counts"))};
    if (!wrap.separator.empty()) split.attributes = {{"delimiter", wrap.separator}};
    const ValueId pieces = split.outputs.front();
    edit.add_node(std::move(split));
    std::vector<std::string> keys = words.texts;
    std::vector<std::int64_t> ids = words.ids;
    keys.emplace_back();  // what StringSplit puts behind shorter texts
    ids.push_back(padding);
    NodeSpec lookup;
    lookup.domain = "ai.onnx.ml";
    lookup.op_type = "LabelEncoder";
    lookup.version = ml_version;
    lookup.inputs = {pieces};
    lookup.outputs = {edit.add_value(edit.fresh_name(name + "_ids"))};
    lookup.attributes = {{"keys_strings", std::move(keys)},
                         {"values_int64s", std::move(ids)},
                         {"default_int64", id_of(words, words.unknown, "unknown words")}};
    const ValueId found = lookup.outputs.front();
    edit.add_node(std::move(lookup));
    return found;
}

}  // namespace

std::vector<std::string> read_labels(const std::filesystem::path& file) { return lines_of(file); }

TokenWords read_words(const std::filesystem::path& file, const Limits& limits) {
    TokenWords words;
    if (file.extension() == ".json") {
        const nlohmann::json parsed =
            parse_json(load_text(file, most_vocabulary_bytes), "tokenizer");
        if (!parsed.is_object() || !parsed.contains("model"))
            fail_input(quote(file.string(), 4096) + " is no tokenizer.json: it has no model");
        read_word_level(parsed["model"], words);
        read_other_parts(parsed, words);
    } else {
        words.texts = lines_of(file);
        for (std::size_t i = 0; i < words.texts.size(); ++i)
            words.ids.push_back(static_cast<std::int64_t>(i));
        const auto part = std::ranges::find_if(
            words.texts, [](const auto& text) { return text.starts_with("##"); });
        if (part != words.texts.end())
            refuse_tokens("the vocabulary has parts of words (" + quote(*part) +
                          ", WordPiece); ONNX has operators for whole words only");
    }
    if (words.texts.size() > limits.list_elements)
        fail(ErrorCode::limit_exceeded, "the vocabulary has " + std::to_string(words.texts.size()) +
                                            " words; the limit is " +
                                            std::to_string(limits.list_elements));
    std::set<std::string_view> seen;
    for (const std::string& text : words.texts)
        if (text.empty() || !seen.insert(text).second)
            fail_input("the vocabulary has " +
                       (text.empty() ? "an empty word" : "the word " + quote(text) + " twice"));
    if (words.unknown.empty())
        words.unknown = usual_name(words, {"[UNK]", "<unk>", "<UNK>", "UNK"});
    if (words.padding.empty())
        words.padding = usual_name(words, {"[PAD]", "<pad>", "<PAD>", "PAD"});
    return words;
}

std::vector<std::string> notes_of_words(const TokenWrap& wrap) {
    std::vector<std::string> notes;
    const auto find_word = [&](const auto& is_it) -> const std::string* {
        const auto found = std::ranges::find_if(wrap.words.texts, is_it);
        return found == wrap.words.texts.end() ? nullptr : &*found;
    };
    const auto has_blank = [](const std::string& text) {
        return text.find_first_of(" \t") != std::string::npos;
    };
    const auto has_other_letters = [](const std::string& text) {
        return std::ranges::any_of(text, [](char c) { return (c & 0x80) != 0; });
    };
    if (wrap.separator.empty())
        if (const std::string* word = find_word(has_blank))
            notes.push_back("Texts are split at white space, so that words with a blank, such as " +
                            quote(*word) + ", are never found.");
    if (wrap.words.is_lower)
        if (const std::string* word = find_word(has_other_letters))
            notes.push_back("Only the letters A to Z become lower case: words such as " +
                            quote(*word) + " are not found in capitals.");
    if (wrap.words.has_own_length)
        notes.emplace_back(
            "The length and padding that the tokenizer's file asks for are not used: ids are cut "
            "and padded at the end, to the length of the input or of `length`.");
    return notes;
}

void wrap_tokenization(GraphEdit& edit, const std::string& input, const TokenWrap& wrap,
                       std::int64_t opset, std::int64_t ml_version) {
    require_opset(opset, 20, "StringSplit");
    if (ml_version < 2)
        fail_input("LabelEncoder needs version 2 of ai.onnx.ml, the model imports " +
                   std::to_string(ml_version));
    const ValueId id = find_tensor_port(edit.graph(), input, false);
    const Type type = edit.graph().value(id).type;
    const std::size_t rank = type.shape->size();
    if ((type.dtype != DType::i64 && type.dtype != DType::i32) || rank > 2)
        fail_input("input " + quote(input) + " is " + to_string(type) +
                   ", expected ids: int64 or int32 of rank 1 or 2");
    const Dim last = type.shape->back();
    if (wrap.length < 0 || (wrap.length > 0 && last.is_known() && last.value() != wrap.length))
        fail_input("length " + std::to_string(wrap.length) + " does not fit input " + quote(input) +
                   ", " + to_string(type));
    const std::int64_t length = wrap.length > 0 ? wrap.length : last.is_known() ? last.value() : 0;
    const std::int64_t padding = id_of(wrap.words, wrap.words.padding, "padding");
    if (type.dtype == DType::i32)
        for (std::size_t i = 0; i < wrap.words.ids.size(); ++i)
            if (wrap.words.ids[i] > std::numeric_limits<std::int32_t>::max())
                fail_input("the id of " + quote(wrap.words.texts[i]) + ", " +
                           std::to_string(wrap.words.ids[i]) + ", does not fit input " +
                           quote(input) + ", " + to_string(type));
    edit.set_default_version(opset);
    const SymbolicShape texts{rank == 1 ? Dim(1) : type.shape->front()};
    const auto numbers = [&](const std::vector<std::int64_t>& values) {
        return edit.add_initializer(
            edit.fresh_name(input + "_numbers"),
            Tensor::of<std::int64_t>({static_cast<std::int64_t>(values.size())}, values));
    };
    wrap_input(edit, id, Type::tensor(DType::string, texts), [&](ValueId text) {
        ValueId ids = word_ids(edit, text, wrap, padding, ml_version, input);
        if (length > 0) {
            const ValueId sizes =
                edit.node("Concat", {edit.node("Shape", {text}), numbers({length})},
                          {{"axis", std::int64_t{0}}});
            const ValueId fill = edit.node("Expand", {numbers({padding}), sizes});
            ids = edit.node("Concat", {ids, fill}, {{"axis", std::int64_t{1}}});
            ids = edit.node("Slice", {ids, numbers({0}), numbers({length}), numbers({1})});
            const std::vector<std::int64_t> shape = rank == 1
                                                        ? std::vector<std::int64_t>{length}
                                                        : std::vector<std::int64_t>{0, length};
            ids = edit.node("Reshape", {ids, numbers(shape)});
        } else if (rank == 1) {
            ids = edit.node("Squeeze", {ids, numbers({0})});
        }
        if (type.dtype == DType::i32)
            ids = edit.node("Cast", {ids}, {{"to", static_cast<std::int64_t>(DType::i32)}});
        return ids;
    });
}

}  // namespace lapidary
