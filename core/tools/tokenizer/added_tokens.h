// SPDX-License-Identifier: Apache-2.0
// Tokens beside those of the model, which are found in the text before anything else is done.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include <tokenizer/model.h>
#include <tokenizer/normalizer.h>
#include <tokenizer/pieces.h>
#include <tokenizer/token_trie.h>

namespace lapidary::tokens {

struct AddedToken {
    TokenId id = 0;
    std::string content;
    bool single_word = false;  // not where a letter or digit stands beside it
    bool lstrip = false;       // takes spaces on its left with it
    bool rstrip = false;       // on its right
    bool normalized = true;    // found in normalized text, as what the normalizer makes of it
    bool special = false;      // left out when tokens become text
    std::string text = {};     // what is looked for
};

class AddedTokens {
public:
    AddedTokens() = default;
    /// `normalizer` may be null. Throws invalid_input where a number is another one's already.
    AddedTokens(std::vector<AddedToken> tokens, const TokenModel& model,
                const Normalizer* normalizer);

    /// Cuts out those that are looked for in the text as it was given, or in normalized text.
    void extract(Pieces& pieces, bool normalized) const;

    /// Null where it is no added token.
    const AddedToken* find(TokenId id) const;
    const AddedToken* find(std::string_view content) const;
    /// Whether a text is the content of a special one.
    bool is_special(std::string_view text) const;
    /// Those that the model does not have itself.
    std::size_t count_beside(const Vocabulary& vocabulary) const;

private:
    void extract_from(const Pieces& pieces, const Piece& piece, const TokenTrie& trie,
                      std::vector<Piece>& cut) const;

    std::vector<AddedToken> tokens_;
    std::unordered_map<TokenId, std::size_t> by_id_;
    TokenTrie as_given_, normalized_;  // places in tokens_
};

/// The members of the list "added_tokens".
std::vector<AddedToken> read_added_tokens(std::vector<JsonFields> list);

}  // namespace lapidary::tokens
