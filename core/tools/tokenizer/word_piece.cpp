// SPDX-License-Identifier: Apache-2.0
// The longest tokens from the left (Wu et al. 2016, arXiv 1609.08144), and whole words alone.
#include <algorithm>
#include <utility>

#include <lapidary/base/error.h>

#include <tokenizer/model.h>
#include <tokenizer/token_trie.h>
#include <tokenizer/utf8.h>

namespace lapidary::tokens {
namespace {

struct WordPieceRules {
    std::string unk_token = "[UNK]", prefix = "##";
    std::size_t most_characters = 100;  // of a word; longer ones are unknown
};

[[noreturn]] void fail_without_unk(std::string_view word, const std::string& unk_token) {
    fail_input("the word " + quote(word) + " is not in the vocabulary, and neither is the token " +
               quote(unk_token) + " that is to stand for it");
}

class WordPiece : public TokenModel {
public:
    WordPiece(WordPieceRules rules, Vocabulary vocabulary)
        : rules_(std::move(rules)), vocabulary_(std::move(vocabulary)) {
        unk_ = vocabulary_.find(rules_.unk_token);
        vocabulary_.for_each([&](const std::string& text, TokenId id) {
            first_.add(text, id);
            if (text.starts_with(rules_.prefix)) later_.add(text.substr(rules_.prefix.size()), id);
        });
    }

    std::string_view kind() const override { return "WordPiece"; }
    const Vocabulary& vocabulary() const override { return vocabulary_; }

    void tokenize(std::string_view word, std::vector<TokenId>& ids) const override {
        const std::size_t before = ids.size();
        std::size_t at = count_characters(word) > rules_.most_characters ? word.size() + 1 : 0;
        while (at < word.size()) {
            std::size_t longest = 0;
            TokenId token = 0;
            (at == 0 ? first_ : later_).find_at(word, at, [&](TokenId found, std::size_t length) {
                longest = length;
                token = found;
            });
            if (longest == 0) break;
            ids.push_back(token);
            at += longest;
        }
        if (at == word.size()) return;
        if (!unk_) fail_without_unk(word, rules_.unk_token);
        ids.resize(before);
        ids.push_back(*unk_);
    }

private:
    WordPieceRules rules_;
    Vocabulary vocabulary_;
    std::optional<TokenId> unk_;
    TokenTrie first_, later_;  // later ones without the prefix
};

class WordLevel : public TokenModel {
public:
    WordLevel(std::string unk_token, Vocabulary vocabulary)
        : unk_token_(std::move(unk_token)), vocabulary_(std::move(vocabulary)) {}

    std::string_view kind() const override { return "WordLevel"; }
    const Vocabulary& vocabulary() const override { return vocabulary_; }

    void tokenize(std::string_view word, std::vector<TokenId>& ids) const override {
        auto id = vocabulary_.find(word);
        if (!id) id = vocabulary_.find(unk_token_);
        if (!id) fail_without_unk(word, unk_token_);
        ids.push_back(*id);
    }

private:
    std::string unk_token_;
    Vocabulary vocabulary_;
};

}  // namespace

TokenModelPtr read_word_piece(JsonFields& fields) {
    WordPieceRules rules;
    rules.unk_token = fields.text("unk_token");
    rules.prefix = fields.text("continuing_subword_prefix");
    rules.most_characters = fields.number("max_input_chars_per_word");
    return std::make_unique<WordPiece>(
        rules, Vocabulary::read(fields.get("vocab"), fields.place_of("vocab")));
}

TokenModelPtr read_word_level(JsonFields& fields) {
    std::string unk_token = fields.text("unk_token");
    return std::make_unique<WordLevel>(
        std::move(unk_token), Vocabulary::read(fields.get("vocab"), fields.place_of("vocab")));
}

TokenModelPtr bert_word_piece(Vocabulary vocabulary) {
    return std::make_unique<WordPiece>(WordPieceRules{}, std::move(vocabulary));
}

}  // namespace lapidary::tokens
