// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/internal/parse_json.h>
#include <lapidary/internal/text_file.h>

#include <tokenizer/tokenizer_parts.h>

namespace lapidary {
namespace tokens {
namespace {

constexpr std::uint64_t most_file_bytes = 256u << 20;

Truncation read_truncation(JsonFields fields) {
    Truncation made{fields.number("max_length")};
    made.of = static_cast<Truncation::Of>(
        fields.word("strategy", {"LongestFirst", "OnlyFirst", "OnlySecond"}, 0));
    made.keeps_end = fields.word("direction", {"Right", "Left"}, 0) == 1;
    fields.ignore("stride");  // of the texts cut off, which are not asked for
    fields.finish();
    return made;
}

Padding read_padding(JsonFields fields) {
    Padding made;
    if (fields.get("strategy").is_object()) {
        JsonFields strategy = fields.object("strategy");
        made.length = strategy.number("Fixed");
        strategy.finish();
        constexpr std::size_t most = 1u << 24;
        if (*made.length > most)
            fail_limit("padding fills up to " + std::to_string(*made.length) +
                       " tokens; the limit is " + std::to_string(most));
    } else {
        fields.word("strategy", {"BatchLongest"});
    }
    if (fields.find("pad_to_multiple_of")) made.multiple = fields.number("pad_to_multiple_of");
    if (made.multiple && *made.multiple > (1u << 24))
        fields.fail("\"pad_to_multiple_of\" is " + std::to_string(*made.multiple));
    made.in_front = fields.word("direction", {"Right", "Left"}) == 1;
    made.id = fields.number("pad_id");
    made.type = fields.number("pad_type_id");
    fields.text("pad_token");
    fields.finish();
    return made;
}

std::shared_ptr<const Tokenizer::Parts> read_parts(const nlohmann::json& file) {
    JsonFields fields(file, "");
    if (const std::string version = fields.text("version", "1.0"); version != "1.0")
        fail_unsupported("tokenizer.json of version " + quote(version) +
                         " is not known: expected 1.0");
    auto parts = std::make_shared<Tokenizer::Parts>();
    if (fields.find("normalizer")) parts->normalizer = read_normalizer(fields.object("normalizer"));
    if (fields.find("pre_tokenizer"))
        parts->pre_tokenizer = read_pre_tokenizer(fields.object("pre_tokenizer"));
    parts->model = read_model(fields.object("model"));
    if (fields.find("post_processor"))
        parts->post_processor = read_post_processor(fields.object("post_processor"));
    if (fields.find("decoder")) parts->decoder = read_decoder(fields.object("decoder"));
    if (fields.find("added_tokens"))
        parts->added = AddedTokens(read_added_tokens(fields.list("added_tokens")), *parts->model,
                                   parts->normalizer.get());
    if (fields.find("truncation")) parts->truncation = read_truncation(fields.object("truncation"));
    if (fields.find("padding")) parts->padding = read_padding(fields.object("padding"));
    fields.finish();
    return parts;
}

}  // namespace
}  // namespace tokens

Tokenizer Tokenizer::parse(std::string_view json) {
    return Tokenizer(tokens::read_parts(parse_json(json, "tokenizer.json")));
}

Tokenizer Tokenizer::load(const std::filesystem::path& file) {
    try {
        return parse(load_text(file, tokens::most_file_bytes));
    } catch (Error& error) { throw error.at(quote(file.string(), 4096)); }
}

Tokenizer Tokenizer::word_piece(const std::vector<std::string>& vocabulary, bool lower_case) {
    tokens::Vocabulary tokens;
    tokens::TokenId number = 0;
    for (const std::string& token : vocabulary) {
        if (tokens::first_invalid_byte(token) != std::string::npos)
            fail_input("token " + std::to_string(number) + " of the vocabulary, " + quote(token) +
                       ", is not UTF-8");
        if (!tokens.find(token)) tokens.add(token, number);
        ++number;
    }
    if (!tokens.find("[UNK]"))
        fail_input("the vocabulary has no token [UNK]: expected one with a token per line");
    auto parts = std::make_shared<Parts>();
    parts->normalizer = tokens::bert_normalizer(lower_case);
    parts->pre_tokenizer = tokens::bert_pre_tokenizer();
    parts->post_processor = tokens::bert_post_processor(tokens.find("[CLS]"), tokens.find("[SEP]"));
    parts->decoder = tokens::word_piece_decoder();
    parts->model = tokens::bert_word_piece(std::move(tokens));
    std::vector<tokens::AddedToken> special;
    for (const char* name : {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"})
        if (const auto id = parts->model->vocabulary().find(name))
            special.push_back({.id = *id, .content = name, .normalized = false, .special = true});
    parts->added = tokens::AddedTokens(std::move(special), *parts->model, nullptr);
    return Tokenizer(std::move(parts));
}

}  // namespace lapidary
