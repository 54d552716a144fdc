// SPDX-License-Identifier: Apache-2.0
// The tokens of the highest score together (Kudo 2018, arXiv 1804.10959), found as SentencePiece
// does.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/base/limits.h>

#include <tokenizer/model.h>
#include <tokenizer/token_trie.h>
#include <tokenizer/utf8.h>

namespace lapidary::tokens {
namespace {

constexpr double unknown_penalty = 10;

/// A score as the package `tokenizers` reads it: the digits as a whole number, divided by a power
/// of ten, which rounds twice. The last bit decides between ways of the same score.
double score_as_read(double score) {
    std::array<char, 40> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), std::abs(score),
                                   std::chars_format::scientific)
                         .ptr;
    std::uint64_t digits = 0;
    int exponent = 0, decimals = 0;
    const char* at = text.data();
    for (bool is_fraction = false; at < end && *at != 'e'; ++at) {
        if (*at == '.') {
            is_fraction = true;
            continue;
        }
        digits = digits * 10 + static_cast<std::uint64_t>(*at - '0');
        decimals += is_fraction ? 1 : 0;
    }
    if (at < end) std::from_chars(at + (at[1] == '+' ? 2 : 1), end, exponent);
    exponent -= decimals;
    if (std::abs(exponent) > 22) return score;  // powers of ten up to there are exact
    auto read = static_cast<double>(digits);
    for (double power = 1; exponent != 0; exponent += exponent > 0 ? -1 : 1) {
        power *= 10;
        if (exponent == 1) read *= power;
        if (exponent == -1) read /= power;
    }
    return std::signbit(score) ? -read : read;
}

class Unigram : public TokenModel {
public:
    Unigram(const nlohmann::json& tokens, const std::string& place, std::optional<TokenId> unk,
            bool byte_fallback)
        : unk_(unk), byte_fallback_(byte_fallback) {
        TokenId id = 0;
        for (const nlohmann::json& token : tokens) {
            const std::string at = place + "[" + std::to_string(id) + "]";
            if (!token.is_array() || token.size() != 2 || !token[1].is_number())
                throw Error(ErrorCode::invalid_input, "expected a text and its score").at(at);
            const std::string& text = token_text(token[0], at);
            scores_.push_back(score_as_read(token[1].get<double>()));
            least_score_ = std::min(least_score_, scores_.back());
            trie_.add(text, id);
            vocabulary_.add(text, id);
            ++id;
        }
        for (unsigned byte = 0; byte < 256; ++byte)
            bytes_[byte] = vocabulary_.find(byte_token(static_cast<unsigned char>(byte)));
    }

    std::string_view kind() const override { return "Unigram"; }
    const Vocabulary& vocabulary() const override { return vocabulary_; }

    void tokenize(std::string_view word, std::vector<TokenId>& ids) const override {
        const std::vector<Step> best = best_steps(word);
        std::vector<Range> ranges;  // of the tokens, from the last on; unknown ones as one
        bool was_unknown = false;
        for (auto end = static_cast<std::uint32_t>(word.size()); end > 0;) {
            const Step& step = best[end];
            const bool is_unknown = unk_ && step.token == *unk_;
            if (is_unknown && was_unknown) ranges.back().begin = step.begin;
            else ranges.push_back({step.begin, end});
            was_unknown = is_unknown;
            end = step.begin;
        }
        for (std::size_t i = ranges.size(); i-- > 0;)
            add(word.substr(ranges[i].begin, ranges[i].end - ranges[i].begin), ids);
    }

private:
    /// The last token of the best way to a place.
    struct Step {
        double score = 0;  // of the whole way
        std::uint32_t begin = 0;
        TokenId token = 0;
        bool is_reached = false;
    };

    std::vector<Step> best_steps(std::string_view word) const {
        std::vector<Step> best(word.size() + 1);
        for (std::uint32_t at = 0; at < word.size();) {
            const double before = best[at].score;
            const std::size_t length = character_at(word, at).length;
            bool has_character = false;
            const auto offer = [&](double score, std::size_t bytes, TokenId token) {
                Step& step = best[at + bytes];
                if (!step.is_reached || before + score > step.score)
                    step = {before + score, at, token, true};
            };
            trie_.find_at(word, at, [&](TokenId token, std::size_t bytes) {
                offer(scores_[token], bytes, token);
                has_character |= bytes == length;
            });
            if (!has_character) {
                if (!unk_) fail_unknown(word.substr(at, length));
                offer(least_score_ - unknown_penalty, length, *unk_);
            }
            at += static_cast<std::uint32_t>(length);
        }
        return best;
    }

    void add(std::string_view text, std::vector<TokenId>& ids) const {
        if (const auto id = trie_.find(text)) {
            ids.push_back(*id);
            return;
        }
        const bool has_bytes = byte_fallback_ && std::ranges::all_of(text, [&](char byte) {
                                   return bytes_[static_cast<unsigned char>(byte)].has_value();
                               });
        if (has_bytes) {
            for (const char byte : text) ids.push_back(*bytes_[static_cast<unsigned char>(byte)]);
            return;
        }
        if (!unk_) fail_unknown(text);
        ids.push_back(*unk_);
    }
    [[noreturn]] static void fail_unknown(std::string_view text) {
        fail_input(quote(text) +
                   " is not in the vocabulary, which has no token for what is "
                   "unknown (\"unk_id\")");
    }

    std::optional<TokenId> unk_;
    bool byte_fallback_;
    std::vector<double> scores_;
    double least_score_ = std::numeric_limits<double>::infinity();
    TokenTrie trie_;
    Vocabulary vocabulary_;
    std::array<std::optional<TokenId>, 256> bytes_;
};

}  // namespace

TokenModelPtr read_unigram(JsonFields& fields) {
    const nlohmann::json& tokens = fields.get("vocab");
    if (!tokens.is_array()) fields.fail("\"vocab\" of a Unigram is a list");
    if (tokens.size() > Limits{}.list_elements)
        fail_limit("\"vocab\" has " + std::to_string(tokens.size()) + " tokens; the limit is " +
                   std::to_string(Limits{}.list_elements));
    std::optional<TokenId> unk;
    if (fields.find("unk_id")) unk = fields.number("unk_id");
    if (unk && *unk >= tokens.size())
        fields.fail("\"unk_id\" is " + std::to_string(*unk) + "; the vocabulary has " +
                    std::to_string(tokens.size()) + " tokens");
    const bool byte_fallback = fields.flag("byte_fallback", false);
    return std::make_unique<Unigram>(tokens, fields.place_of("vocab"), unk, byte_fallback);
}

}  // namespace lapidary::tokens
