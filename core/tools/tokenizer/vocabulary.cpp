// SPDX-License-Identifier: Apache-2.0
#include <lapidary/base/error.h>
#include <lapidary/base/limits.h>

#include <tokenizer/model.h>

namespace lapidary::tokens {

Vocabulary Vocabulary::read(const nlohmann::json& object, const std::string& place) {
    if (!object.is_object())
        throw Error(ErrorCode::invalid_input,
                    std::string("expected an object, found ") + object.type_name())
            .at(place);
    if (object.size() > Limits{}.list_elements)
        throw Error(ErrorCode::limit_exceeded, std::to_string(object.size()) +
                                                   " tokens; the limit is " +
                                                   std::to_string(Limits{}.list_elements))
            .at(place);
    Vocabulary vocabulary;
    vocabulary.numbers_.reserve(object.size());
    vocabulary.texts_.reserve(object.size());
    for (const auto& [text, number] : object.items()) {
        const TokenId id = token_number(number, place);
        if (const std::string* other = vocabulary.text_of(id))
            throw Error(ErrorCode::invalid_input, "tokens " + quote(*other) + " and " +
                                                      quote(text) + " both have number " +
                                                      std::to_string(id))
                .at(place);
        vocabulary.add(text, id);
    }
    return vocabulary;
}

void Vocabulary::add(std::string text, TokenId id) {
    const auto at = numbers_.insert_or_assign(std::move(text), id).first;
    texts_[id] = &at->first;
}

std::optional<TokenId> Vocabulary::find(std::string_view text) const {
    const auto at = numbers_.find(text);
    return at == numbers_.end() ? std::nullopt : std::optional(at->second);
}

const std::string* Vocabulary::text_of(TokenId id) const {
    const auto at = texts_.find(id);
    return at == texts_.end() ? nullptr : at->second;
}

std::string byte_token(unsigned char byte) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    return {'<', '0', 'x', digits[byte >> 4], digits[byte & 15], '>'};
}

TokenModelPtr read_model(JsonFields fields) {
    std::string type = fields.text("type", "");
    if (type.empty()) {  // as older files are
        if (fields.find("merges")) type = "BPE";
        else if (fields.get("vocab").is_array()) type = "Unigram";
        else type = fields.find("max_input_chars_per_word") ? "WordPiece" : "WordLevel";
    }
    TokenModelPtr model;
    if (type == "BPE") model = read_bpe(fields);
    else if (type == "Unigram") model = read_unigram(fields);
    else if (type == "WordPiece") model = read_word_piece(fields);
    else if (type == "WordLevel") model = read_word_level(fields);
    else
        throw Error(ErrorCode::not_supported, "models of type " + quote(type) + " are not known")
            .at(fields.place());
    fields.finish();
    return model;
}

}  // namespace lapidary::tokens
