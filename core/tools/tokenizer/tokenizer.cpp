// SPDX-License-Identifier: Apache-2.0
#include <lapidary/tokenizer/tokenizer.h>

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include <lapidary/base/error.h>

#include <tokenizer/tokenizer_parts.h>

namespace lapidary {
namespace tokens {
namespace {

constexpr std::size_t most_text_bytes = std::size_t{1} << 30;
constexpr std::size_t worth_remembering = 64;   // pieces of a text from which on words recur
constexpr std::size_t longest_remembered = 64;  // bytes of a word

/// Tokens of words that a text has had.
class WordMemory {
public:
    WordMemory(const TokenModel& model, std::size_t pieces)
        : model_(model), remembers_(pieces >= worth_remembering) {
        if (remembers_) words_.reserve(pieces / 4);
    }
    void tokenize(std::string_view word, std::vector<TokenId>& ids) {
        if (!remembers_ || word.size() > longest_remembered) {
            model_.tokenize(word, ids);
            return;
        }
        const auto [at, is_new] = words_.try_emplace(word, 0, 0);
        if (is_new) {
            at->second.first = ids.size();
            model_.tokenize(word, ids);
            at->second.second = ids.size();
            return;
        }
        const auto [begin, end] = at->second;
        for (std::size_t i = begin; i < end; ++i) ids.push_back(ids[i]);
    }

private:
    const TokenModel& model_;
    bool remembers_;
    std::unordered_map<std::string_view, std::pair<std::size_t, std::size_t>> words_;  // in ids
};

std::vector<TokenId> tokens_of(const Tokenizer::Parts& parts, std::string_view text) {
    if (text.size() > most_text_bytes)
        fail_limit("a text has " + std::to_string(text.size()) + " bytes; the limit is " +
                   std::to_string(most_text_bytes));
    if (const std::size_t at = first_invalid_byte(text); at != std::string_view::npos)
        fail_input("the text is not UTF-8: byte " + std::to_string(at) + " cannot be read");
    Pieces pieces{std::string(text), {}};
    pieces.pieces.push_back({{0, static_cast<std::uint32_t>(text.size())}, std::nullopt, true});
    parts.added.extract(pieces, false);
    if (parts.normalizer) {
        std::string all;
        for (Piece& piece : pieces.pieces) {
            const auto begin = static_cast<std::uint32_t>(all.size());
            if (piece.token) {
                all += pieces.view(piece);
            } else {
                NormalText normal{std::string(pieces.view(piece))};
                parts.normalizer->apply(normal);
                piece.is_at_front &= !normal.lost_front;
                all += normal.text;
            }
            if (all.size() > std::numeric_limits<std::int32_t>::max())
                fail_limit("a normalized text has more than 2 GiB");
            piece.range = {begin, static_cast<std::uint32_t>(all.size())};
        }
        pieces.text = std::move(all);
    }
    parts.added.extract(pieces, true);
    if (parts.pre_tokenizer) parts.pre_tokenizer->apply(pieces);
    std::vector<TokenId> ids;
    ids.reserve(pieces.pieces.size() + pieces.pieces.size() / 2);
    WordMemory words(*parts.model, pieces.pieces.size());
    for (const Piece& piece : pieces.pieces) {
        if (piece.token) ids.push_back(*piece.token);
        else if (piece.range.begin < piece.range.end) words.tokenize(pieces.view(piece), ids);
    }
    return ids;
}

void cut_to(std::vector<TokenId>& ids, std::size_t most, bool keeps_end) {
    if (ids.size() <= most) return;
    if (keeps_end) ids.erase(ids.begin(), ids.end() - static_cast<std::ptrdiff_t>(most));
    else ids.resize(most);
}

/// Cuts one text or both to `most` tokens.
void truncate(std::vector<std::vector<TokenId>>& texts, std::size_t most, Truncation::Of of,
              bool keeps_end) {
    std::size_t total = 0;
    for (const auto& text : texts) total += text.size();
    if (total <= most) return;
    if (texts.size() == 1 && of != Truncation::Of::second) {
        cut_to(texts[0], most, keeps_end);
        return;
    }
    if (of == Truncation::Of::longest || most == 0) {
        std::size_t shorter = std::min(texts[0].size(), texts[1].size());
        std::size_t longer = shorter > most ? shorter : std::max(shorter, most - shorter);
        if (shorter + longer > most) {
            shorter = most / 2;
            longer = shorter + most % 2;
        }
        const bool first_is_longer = texts[0].size() > texts[1].size();
        cut_to(texts[0], first_is_longer ? longer : shorter, keeps_end);
        cut_to(texts[1], first_is_longer ? shorter : longer, keeps_end);
        return;
    }
    const std::size_t which = of == Truncation::Of::first ? 0 : 1;
    const std::size_t too_many = total - most;
    if (which >= texts.size() || texts[which].size() <= too_many)
        fail_input("the text has " + std::to_string(total) + " tokens, " +
                   std::to_string(too_many) + " too many, and \"truncation\" takes none from " +
                   (which == 0 ? "the second text" : "the first text"));
    cut_to(texts[which], texts[which].size() - too_many, keeps_end);
}

Encoding assembled(const Template& parts, const std::vector<std::vector<TokenId>>& texts,
                   bool with_special) {
    Encoding made;
    const auto add = [&](const std::vector<TokenId>& ids, std::uint32_t type) {
        made.ids.insert(made.ids.end(), ids.begin(), ids.end());
        made.types.insert(made.types.end(), ids.size(), type);
    };
    for (const TemplatePart& part : parts) {
        if (part.text) add(texts.at(*part.text), part.type);
        else if (with_special) add(part.tokens, part.type);
    }
    made.mask.assign(made.ids.size(), 1);
    return made;
}

void pad(Encoding& made, const Padding& padding) {
    std::size_t length = padding.length.value_or(made.ids.size());
    if (padding.multiple && *padding.multiple > 0)
        length = (length + *padding.multiple - 1) / *padding.multiple * *padding.multiple;
    if (length <= made.ids.size()) return;
    const std::size_t count = length - made.ids.size();
    const auto fill = [&](std::vector<std::int64_t>& list, std::int64_t value) {
        list.insert(padding.in_front ? list.begin() : list.end(), count, value);
    };
    fill(made.ids, padding.id);
    fill(made.types, padding.type);
    fill(made.mask, 0);
}

Encoding encoded(const Tokenizer::Parts& parts, std::vector<std::vector<TokenId>> texts,
                 const EncodeOptions& options) {
    const PostProcessor& processor = parts.post_processor;
    const Template& around = texts.size() == 1 ? processor.single : processor.pair;
    const std::size_t special = options.special_tokens ? PostProcessor::count_special(around) : 0;
    std::optional<std::size_t> most;
    if (options.most_tokens > 0) most = options.most_tokens;
    else if (parts.truncation) most = parts.truncation->most_tokens;
    if (most && *most < special)
        fail_input("at most " + std::to_string(*most) + " tokens were asked for, and " +
                   std::to_string(special) + " special ones stand around each text");
    if (most) {
        const bool keeps_end = parts.truncation && parts.truncation->keeps_end;
        truncate(texts, *most - special,
                 parts.truncation ? parts.truncation->of : Truncation::Of::longest, keeps_end);
    }
    Encoding made = assembled(around, texts, options.special_tokens);
    if (options.padded && parts.padding) pad(made, *parts.padding);
    return made;
}

std::optional<TokenId> token_id(std::int64_t id) {
    if (id < 0 || id >= std::numeric_limits<TokenId>::max()) return std::nullopt;
    return static_cast<TokenId>(id);
}

}  // namespace
}  // namespace tokens

Encoding Tokenizer::encode(std::string_view text, const EncodeOptions& options) const {
    std::vector<std::vector<tokens::TokenId>> texts{tokens::tokens_of(*parts_, text)};
    return tokens::encoded(*parts_, std::move(texts), options);
}

Encoding Tokenizer::encode_pair(std::string_view first, std::string_view second,
                                const EncodeOptions& options) const {
    std::vector<std::vector<tokens::TokenId>> texts{tokens::tokens_of(*parts_, first),
                                                    tokens::tokens_of(*parts_, second)};
    return tokens::encoded(*parts_, std::move(texts), options);
}

std::string Tokenizer::decode(std::span<const std::int64_t> ids, bool skip_special) const {
    std::vector<std::string> texts;
    texts.reserve(ids.size());
    for (const std::int64_t id : ids) {
        const auto number = tokens::token_id(id);
        if (!number) continue;
        if (const tokens::AddedToken* added = parts_->added.find(*number)) {
            if (!skip_special || !parts_->added.is_special(added->text))
                texts.push_back(added->text);
        } else if (const std::string* text = parts_->model->vocabulary().text_of(*number)) {
            texts.push_back(*text);
        }
    }
    if (parts_->decoder) parts_->decoder->apply(texts);
    std::string all;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (i > 0 && !parts_->decoder) all += ' ';
        all += texts[i];
    }
    return all;
}

std::optional<std::int64_t> Tokenizer::id_of(std::string_view token) const {
    if (const tokens::AddedToken* added = parts_->added.find(token)) return added->id;
    return parts_->model->vocabulary().find(token);
}

std::optional<std::string> Tokenizer::token_of(std::int64_t id) const {
    const auto number = tokens::token_id(id);
    if (!number) return std::nullopt;
    if (const tokens::AddedToken* added = parts_->added.find(*number)) return added->content;
    const std::string* text = parts_->model->vocabulary().text_of(*number);
    return text ? std::optional(*text) : std::nullopt;
}

bool Tokenizer::is_special(std::int64_t id) const {
    const auto number = tokens::token_id(id);
    const tokens::AddedToken* added = number ? parts_->added.find(*number) : nullptr;
    return added && added->special;
}

std::optional<std::int64_t> Tokenizer::padding_id() const {
    if (parts_->padding) return parts_->padding->id;
    const auto pad = id_of("[PAD]");
    return pad ? pad : id_of("<pad>");
}

std::size_t Tokenizer::size() const {
    return parts_->model->vocabulary().size() +
           parts_->added.count_beside(parts_->model->vocabulary());
}

std::string_view Tokenizer::model_kind() const { return parts_->model->kind(); }

}  // namespace lapidary
