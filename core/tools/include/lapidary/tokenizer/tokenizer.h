// SPDX-License-Identifier: Apache-2.0
// Text to tokens of a language model and back, as its file tokenizer.json says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

/// How a text is encoded.
struct EncodeOptions {
    /// put the special tokens around that the file asks for, such as [CLS] and [SEP]
    bool special_tokens = true;
    /// tokens at most, special ones counted; 0: as the file's "truncation" says
    std::size_t most_tokens = 0;
    bool padded = true;  // fill up as the file's "padding" says
};

/// The tokens of a text. The three lists have one length.
struct Encoding {
    std::vector<std::int64_t> ids;    // of the tokens
    std::vector<std::int64_t> types;  // token_type_ids: 0, or 1 in the second text of a pair
    std::vector<std::int64_t> mask;   // attention_mask: 1, or 0 where filled up
};

/// What tokenizer.json describes, the format of Hugging Face's package `tokenizers`: a text is
/// normalized, cut by a pre-tokenizer, each piece is split into tokens of the vocabulary, and a
/// post-processor puts special tokens around. Tokens are those of the package. Copies share
/// everything; all functions may be called by several threads at once.
///
/// Models: BPE (also with bytes for unknown characters), Unigram, WordPiece, WordLevel. Refused by
/// name: other kinds of parts and members, and BPE with dropout, whose tokens are random.
class Tokenizer {
public:
    /// Throws Error{io_failure, limit_exceeded, invalid_input, not_supported} that names file and
    /// part.
    static Tokenizer load(const std::filesystem::path& file);
    /// Of the text of such a file.
    static Tokenizer parse(std::string_view json);
    /// BERT's own with this vocabulary, numbered from 0 on: WordPiece (Wu et al. 2016, arXiv
    /// 1609.08144), words cut at spaces, punctuation and Chinese characters, [CLS] and [SEP]
    /// around where the vocabulary has them. With `lower_case` letters become small and lose their
    /// accents. Throws invalid_input for a vocabulary without [UNK].
    static Tokenizer word_piece(const std::vector<std::string>& vocabulary, bool lower_case);

    /// Throws invalid_input for text that is not UTF-8 and for characters that the vocabulary
    /// lacks where it names no token for them; limit_exceeded for text of more than 1 GiB.
    Encoding encode(std::string_view text, const EncodeOptions& options = {}) const;
    /// Two texts as one input, as a model that compares them takes them.
    Encoding encode_pair(std::string_view first, std::string_view second,
                         const EncodeOptions& options = {}) const;
    /// The text of tokens; numbers that no token has give nothing. Bytes that are no UTF-8 become
    /// U+FFFD.
    std::string decode(std::span<const std::int64_t> ids, bool skip_special = true) const;

    /// Number and text of a token, as the vocabulary has it; nothing where there is none.
    std::optional<std::int64_t> id_of(std::string_view token) const;
    std::optional<std::string> token_of(std::int64_t id) const;
    /// Whether it is one of the added tokens marked special, which decode() leaves out.
    bool is_special(std::int64_t id) const;
    /// The token that fills up: of "padding", else [PAD] or <pad>.
    std::optional<std::int64_t> padding_id() const;
    std::size_t size() const;             // tokens, added ones counted
    std::string_view model_kind() const;  // "BPE"

    struct Parts;
    /// Of parts that were read.
    explicit Tokenizer(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}

private:
    std::shared_ptr<const Parts> parts_;
};

/// Text of tokens that come one after another, as in generation: a piece is handed out as soon as
/// later tokens cannot change it, so that characters of several tokens come whole.
class DecodeStream {
public:
    /// Keeps a copy of the tokenizer.
    explicit DecodeStream(Tokenizer tokenizer, bool skip_special = true);

    /// What is new with this token; empty while a character is not complete.
    std::string next(std::int64_t id);
    /// What was held back; the stream is as new then.
    std::string finish();

private:
    Tokenizer tokenizer_;
    bool skip_special_;
    std::vector<std::int64_t> ids_;  // those whose text is still needed
    std::string given_;              // text of the first `given_count_` of them
    std::size_t given_count_ = 0;
};

}  // namespace lapidary
