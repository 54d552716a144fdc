// SPDX-License-Identifier: Apache-2.0
#include <tokenizer/added_tokens.h>

#include <algorithm>
#include <utility>

#include <lapidary/base/error.h>

#include <tokenizer/characters.h>

namespace lapidary::tokens {
namespace {

std::size_t begin_of_spaces(std::string_view text, std::size_t end) {
    while (end > 0) {
        const Character one = character_before(text, end);
        if (!is_white_space(one.code)) break;
        end -= one.length;
    }
    return end;
}

std::size_t end_of_spaces(std::string_view text, std::size_t at) {
    while (at < text.size()) {
        const Character one = character_at(text, at);
        if (!is_white_space(one.code)) break;
        at += one.length;
    }
    return at;
}

bool is_inside_word(std::string_view text, std::size_t begin, std::size_t end) {
    return (begin > 0 && is_word_character(character_before(text, begin).code)) ||
           (end < text.size() && is_word_character(character_at(text, end).code));
}

}  // namespace

AddedTokens::AddedTokens(std::vector<AddedToken> tokens, const TokenModel& model,
                         const Normalizer* normalizer)
    : tokens_(std::move(tokens)) {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        AddedToken& token = tokens_[i];
        const std::string* other = model.vocabulary().text_of(token.id);
        const auto known = model.vocabulary().find(token.content);
        if ((other && *other != token.content) || (known && *known != token.id))
            fail_input("added_tokens: " + quote(token.content) + " has number " +
                       std::to_string(token.id) + ", but " +
                       (other && *other != token.content ? "that is " + quote(*other)
                                                         : "has " + std::to_string(*known)) +
                       " in the model's vocabulary");
        if (!by_id_.try_emplace(token.id, i).second)
            fail_input("added_tokens: number " + std::to_string(token.id) + " is there twice");
        token.text = token.content;
        if (token.normalized && normalizer) {
            NormalText text{token.content};
            normalizer->apply(text);
            token.text = std::move(text.text);
        }
        (token.normalized ? normalized_ : as_given_).add(token.text, static_cast<std::uint32_t>(i));
    }
}

void AddedTokens::extract(Pieces& pieces, bool normalized) const {
    const TokenTrie& trie = normalized ? normalized_ : as_given_;
    std::vector<Piece> cut;
    for (const Piece& piece : pieces.pieces) {
        if (piece.token) cut.push_back(piece);
        else if (piece.range.begin < piece.range.end) extract_from(pieces, piece, trie, cut);
    }
    pieces.pieces = std::move(cut);
}

void AddedTokens::extract_from(const Pieces& pieces, const Piece& piece, const TokenTrie& trie,
                               std::vector<Piece>& cut) const {
    const std::string_view text = pieces.view(piece);
    std::size_t after = 0;  // of the last token, its spaces included
    const auto add = [&](std::size_t begin, std::size_t end, std::optional<TokenId> token) {
        if (begin >= end) return;
        const auto place = [&](std::size_t at) {
            return piece.range.begin + static_cast<std::uint32_t>(at);
        };
        cut.push_back({{place(begin), place(end)}, token, piece.is_at_front && begin == 0});
    };
    for (std::size_t at = 0; at < text.size() && !trie.empty();) {
        std::size_t longest = 0;
        std::uint32_t which = 0;
        trie.find_at(text, at, [&](std::uint32_t found, std::size_t length) {
            longest = length;
            which = found;
        });
        if (longest == 0) {
            ++at;
            continue;
        }
        std::size_t begin = at, end = at + longest;
        at = end;
        const AddedToken& token = tokens_[which];
        if (token.single_word && is_inside_word(text, begin, end)) continue;
        if (token.lstrip) begin = std::max(begin_of_spaces(text, begin), after);
        if (token.rstrip) end = end_of_spaces(text, end);
        if (after < begin) add(after, begin, std::nullopt);
        add(begin, end, token.id);
        after = end;
    }
    add(after, text.size(), std::nullopt);
}

const AddedToken* AddedTokens::find(TokenId id) const {
    const auto at = by_id_.find(id);
    return at == by_id_.end() ? nullptr : &tokens_[at->second];
}

const AddedToken* AddedTokens::find(std::string_view content) const {
    const auto at = std::ranges::find(tokens_, content, &AddedToken::content);
    return at == tokens_.end() ? nullptr : &*at;
}

bool AddedTokens::is_special(std::string_view text) const {
    return std::ranges::any_of(
        tokens_, [&](const AddedToken& token) { return token.special && token.content == text; });
}

std::size_t AddedTokens::count_beside(const Vocabulary& vocabulary) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        tokens_, [&](const AddedToken& token) { return !vocabulary.find(token.content); }));
}

std::vector<AddedToken> read_added_tokens(std::vector<JsonFields> list) {
    std::vector<AddedToken> tokens;
    for (JsonFields& fields : list) {
        AddedToken token;
        token.id = fields.number("id");
        token.content = fields.text("content");
        token.single_word = fields.flag("single_word");
        token.lstrip = fields.flag("lstrip");
        token.rstrip = fields.flag("rstrip");
        token.normalized = fields.flag("normalized");
        token.special = fields.flag("special");
        fields.finish();
        if (!token.content.empty()) tokens.push_back(std::move(token));
    }
    return tokens;
}

}  // namespace lapidary::tokens
