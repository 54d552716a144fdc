// SPDX-License-Identifier: Apache-2.0
// Byte pair encoding (Sennrich, Haddow, Birch 2016, arXiv 1508.07909).
#include <algorithm>
#include <array>
#include <queue>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/base/limits.h>

#include <tokenizer/key_table.h>
#include <tokenizer/model.h>
#include <tokenizer/utf8.h>

namespace lapidary::tokens {
namespace {

constexpr std::size_t short_word = 32;  // symbols; up to here it is faster to look at all pairs

struct BpeRules {
    std::string unk_token;  // that stands for unknown characters
    bool has_unk = false;
    std::string prefix, suffix;  // of characters inside of a word; of its last
    bool fuse_unk = false, byte_fallback = false, ignore_merges = false;
};

struct Symbol {
    TokenId id;
    std::int32_t previous, next;  // -1: none
    bool is_gone;
};

struct Merge {
    std::uint32_t rank;
    std::int32_t place;  // of the left symbol
    TokenId made;
    bool operator>(const Merge& other) const {
        return rank != other.rank ? rank > other.rank : place > other.place;
    }
};

class Bpe : public TokenModel {
public:
    Bpe(BpeRules rules, Vocabulary vocabulary)
        : rules_(std::move(rules)), vocabulary_(std::move(vocabulary)) {
        if (rules_.has_unk) unk_ = vocabulary_.find(rules_.unk_token);
        vocabulary_.for_each([&](const std::string& text, TokenId id) {
            if (!text.empty() && character_at(text, 0).length == text.size())
                characters_[character_at(text, 0).code] = id;
        });
        for (unsigned byte = 0; byte < 256; ++byte)
            bytes_[byte] = vocabulary_.find(byte_token(static_cast<unsigned char>(byte)));
    }

    /// Throws invalid_input where the two or what they become are no tokens.
    void add_merge(const std::string& left, const std::string& right, std::uint32_t rank,
                   const JsonFields& fields) {
        const auto token = [&](const std::string& text) {
            if (const auto id = vocabulary_.find(text)) return *id;
            fields.fail("merge " + std::to_string(rank) + ", " + quote(left) + " and " +
                        quote(right) + ", needs a token " + quote(text) +
                        " that is not in the vocabulary");
        };
        const TokenId first = token(left), second = token(right);
        if (right.size() < rules_.prefix.size())
            fields.fail("merge " + std::to_string(rank) + ": " + quote(right) +
                        " is shorter than \"continuing_subword_prefix\"");
        const TokenId made = token(left + right.substr(rules_.prefix.size()));
        merges_[key(first, second)] = static_cast<std::uint64_t>(rank) << 32 | made;
    }
    void reserve(std::size_t merges) { merges_.reserve(merges); }

    std::string_view kind() const override { return "BPE"; }
    const Vocabulary& vocabulary() const override { return vocabulary_; }

    void tokenize(std::string_view word, std::vector<TokenId>& ids) const override {
        if (rules_.ignore_merges) {
            if (const auto whole = vocabulary_.find(word)) {
                ids.push_back(*whole);
                return;
            }
        }
        const std::size_t before = ids.size();
        add_symbols(word, ids);
        const std::size_t count = ids.size() - before;
        if (count < 2) return;
        if (count <= short_word) ids.resize(before + merge_short(ids.data() + before, count));
        else merge_long(ids, before);
    }

private:
    static std::uint64_t key(TokenId left, TokenId right) {
        return static_cast<std::uint64_t>(left) << 32 | right;
    }

    std::optional<TokenId> character_token(std::string_view word, std::size_t at,
                                           const Character& one) const {
        const bool has_prefix = at > 0 && !rules_.prefix.empty();
        const bool has_suffix = at + one.length == word.size() && !rules_.suffix.empty();
        if (!has_prefix && !has_suffix) {
            const std::uint64_t* id = characters_.find(one.code);
            return id ? std::optional(static_cast<TokenId>(*id)) : std::nullopt;
        }
        return vocabulary_.find(written(word, at, one));
    }
    std::string written(std::string_view word, std::size_t at, const Character& one) const {
        std::string text = at > 0 ? rules_.prefix : "";
        text += word.substr(at, one.length);
        if (at + one.length == word.size()) text += rules_.suffix;
        return text;
    }

    /// The characters of a word as tokens.
    void add_symbols(std::string_view word, std::vector<TokenId>& ids) const {
        bool has_unknown = false;  // one waits for the next known character
        const auto end_unknown = [&] {
            if (has_unknown) ids.push_back(*unk_);
            has_unknown = false;
        };
        for (std::size_t at = 0; at < word.size();) {
            const Character one = character_at(word, at);
            if (const auto id = character_token(word, at, one)) {
                end_unknown();
                ids.push_back(*id);
            } else if (!(rules_.byte_fallback && add_bytes(written(word, at, one), ids)) &&
                       rules_.has_unk) {
                if (!unk_)
                    fail_input("the character " + quote(word.substr(at, one.length)) +
                               " is not in the vocabulary, and neither is the token " +
                               quote(rules_.unk_token) + " that is to stand for it");
                if (!rules_.fuse_unk) end_unknown();
                has_unknown = true;
            }
            at += one.length;
        }
        end_unknown();
    }
    /// False where the vocabulary lacks one of them.
    bool add_bytes(std::string_view bytes, std::vector<TokenId>& ids) const {
        for (const char byte : bytes)
            if (!bytes_[static_cast<unsigned char>(byte)]) return false;
        for (const char byte : bytes) ids.push_back(*bytes_[static_cast<unsigned char>(byte)]);
        return true;
    }

    /// Merges in place the pair of the lowest rank, the first of several, until there is none.
    std::size_t merge_short(TokenId* ids, std::size_t count) const {
        constexpr std::uint64_t none = ~std::uint64_t{0};
        std::array<std::uint64_t, short_word> merges;  // rank and token, of each and the next
        const auto merge_at = [&](std::size_t i) {
            const std::uint64_t* found = merges_.find(key(ids[i], ids[i + 1]));
            return found ? *found : none;
        };
        for (std::size_t i = 0; i + 1 < count; ++i) merges[i] = merge_at(i);
        while (count > 1) {
            const auto* least = std::min_element(merges.data(), merges.data() + count - 1);
            if (*least == none) break;
            const auto at = static_cast<std::size_t>(least - merges.data());
            ids[at] = static_cast<TokenId>(*least);
            std::copy(ids + at + 2, ids + count, ids + at + 1);
            std::copy(merges.data() + std::min(at + 1, count - 1), merges.data() + count - 1,
                      merges.data() + at);
            --count;
            if (at > 0) merges[at - 1] = merge_at(at - 1);
            if (at + 1 < count) merges[at] = merge_at(at);
        }
        return count;
    }

    void merge_long(std::vector<TokenId>& ids, std::size_t before) const {
        std::vector<Symbol> symbols;
        symbols.reserve(ids.size() - before);
        const auto count = static_cast<std::int32_t>(ids.size() - before);
        for (std::int32_t i = 0; i < count; ++i)
            symbols.push_back({ids[before + static_cast<std::size_t>(i)], i - 1,
                               i + 1 < count ? i + 1 : -1, false});
        const auto symbol = [&](std::int32_t i) -> Symbol& {
            return symbols[static_cast<std::size_t>(i)];
        };
        std::priority_queue<Merge, std::vector<Merge>, std::greater<>> queue;
        const auto offer = [&](std::int32_t left) {
            const std::int32_t right = symbol(left).next;
            if (right < 0) return;
            if (const std::uint64_t* found = merges_.find(key(symbol(left).id, symbol(right).id)))
                queue.push(
                    {static_cast<std::uint32_t>(*found >> 32), left, static_cast<TokenId>(*found)});
        };
        for (std::int32_t i = 0; i < count; ++i) offer(i);
        while (!queue.empty()) {
            const Merge merge = queue.top();
            queue.pop();
            Symbol& left = symbol(merge.place);
            if (left.is_gone || left.next < 0) continue;
            Symbol& right = symbol(left.next);
            const std::uint64_t* found = merges_.find(key(left.id, right.id));
            if (!found || static_cast<TokenId>(*found) != merge.made) continue;
            left.id = merge.made;
            left.next = right.next;
            right.is_gone = true;
            if (left.next >= 0) symbol(left.next).previous = merge.place;
            if (left.previous >= 0) offer(left.previous);
            offer(merge.place);
        }
        ids.resize(before);
        for (const Symbol& one : symbols)
            if (!one.is_gone) ids.push_back(one.id);
    }

    BpeRules rules_;
    Vocabulary vocabulary_;
    std::optional<TokenId> unk_;
    KeyTable characters_;  // tokens of one character
    std::array<std::optional<TokenId>, 256> bytes_;
    KeyTable merges_;  // rank and token by pair
};

}  // namespace

TokenModelPtr read_bpe(JsonFields& fields) {
    BpeRules rules;
    rules.has_unk = fields.find("unk_token") != nullptr;
    rules.unk_token = fields.text("unk_token", "");
    rules.prefix = fields.text("continuing_subword_prefix", "");
    rules.suffix = fields.text("end_of_word_suffix", "");
    rules.fuse_unk = fields.flag("fuse_unk", false);
    rules.byte_fallback = fields.flag("byte_fallback", false);
    rules.ignore_merges = fields.flag("ignore_merges", false);
    fields.ignore("cache_capacity");
    if (const nlohmann::json* dropout = fields.find("dropout"))
        if (!dropout->is_number() || dropout->get<double>() != 0)
            throw Error(
                ErrorCode::not_supported,
                "dropout makes tokens random: expected null or 0, found " + quote(dropout->dump()))
                .at(fields.place());
    auto model = std::make_unique<Bpe>(
        rules, Vocabulary::read(fields.get("vocab"), fields.place_of("vocab")));
    const nlohmann::json& merges = fields.get("merges");
    if (!merges.is_array()) fields.fail("\"merges\" is no list");
    if (merges.size() > Limits{}.list_elements)
        fail_limit("\"merges\" has " + std::to_string(merges.size()) + " elements; the limit is " +
                   std::to_string(Limits{}.list_elements));
    model->reserve(merges.size());
    std::uint32_t rank = 0;
    for (const nlohmann::json& merge : merges) {
        const std::string place = fields.place_of("merges");
        if (merge.is_array() && merge.size() == 2) {
            model->add_merge(token_text(merge[0], place), token_text(merge[1], place), rank,
                             fields);
        } else {
            const std::string& text = token_text(merge, place);
            if (text.starts_with("#version")) continue;
            const std::size_t space = text.find(' ');
            if (space == std::string::npos || text.find(' ', space + 1) != std::string::npos)
                fields.fail("merge " + std::to_string(rank) +
                            ": expected two tokens with a space between them, found " +
                            quote(text));
            model->add_merge(text.substr(0, space), text.substr(space + 1), rank, fields);
        }
        ++rank;
    }
    return model;
}

}  // namespace lapidary::tokens
