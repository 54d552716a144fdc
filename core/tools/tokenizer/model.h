// SPDX-License-Identifier: Apache-2.0
// The part of a tokenizer that splits words into tokens of a vocabulary.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <tokenizer/json_fields.h>
#include <tokenizer/pieces.h>

namespace lapidary::tokens {

/// Tokens by text and text by token.
class Vocabulary {
public:
    Vocabulary() = default;
    Vocabulary(Vocabulary&&) = default;  // a copy would point into the original
    Vocabulary& operator=(Vocabulary&&) = default;

    /// {"token": number}. Throws invalid_input where two tokens have one number, limit_exceeded
    /// above `Limits::list_elements` tokens.
    static Vocabulary read(const nlohmann::json& object, const std::string& place);

    /// Of two equal texts the last one is found.
    void add(std::string text, TokenId id);
    std::optional<TokenId> find(std::string_view text) const;
    /// Null where no token has the number.
    const std::string* text_of(TokenId id) const;
    std::size_t size() const { return numbers_.size(); }

    template <typename Visit>
    void for_each(Visit visit) const {
        for (const auto& [text, id] : numbers_) visit(text, id);
    }

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const {
            return std::hash<std::string_view>()(text);
        }
    };
    std::unordered_map<std::string, TokenId, Hash, std::equal_to<>> numbers_;
    std::unordered_map<TokenId, const std::string*> texts_;  // keys of the former
};

class TokenModel {
public:
    virtual ~TokenModel() = default;
    virtual std::string_view kind() const = 0;
    /// Appends the tokens of a word. Throws invalid_input for what the vocabulary lacks.
    virtual void tokenize(std::string_view word, std::vector<TokenId>& ids) const = 0;
    virtual const Vocabulary& vocabulary() const = 0;
};
using TokenModelPtr = std::unique_ptr<const TokenModel>;

/// Throws not_supported for a type that is not known. Without "type" the members tell.
TokenModelPtr read_model(JsonFields fields);

TokenModelPtr read_bpe(JsonFields& fields);
TokenModelPtr read_unigram(JsonFields& fields);
TokenModelPtr read_word_piece(JsonFields& fields);
TokenModelPtr read_word_level(JsonFields& fields);
/// With [UNK] and ## as in BERT.
TokenModelPtr bert_word_piece(Vocabulary vocabulary);

/// "<0x0A>"
std::string byte_token(unsigned char byte);

}  // namespace lapidary::tokens
