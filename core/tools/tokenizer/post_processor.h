// SPDX-License-Identifier: Apache-2.0
// The part of a tokenizer that puts special tokens around texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <tokenizer/json_fields.h>
#include <tokenizer/pieces.h>

namespace lapidary::tokens {

/// One place of a template: a text, or tokens.
struct TemplatePart {
    std::optional<std::size_t> text;  // 0: the first, 1: the second of a pair
    std::vector<TokenId> tokens;      // where it is no text
    std::uint32_t type = 0;           // token_type_id
};
using Template = std::vector<TemplatePart>;

/// What becomes of one text and of a pair.
struct PostProcessor {
    Template single{{0, {}, 0}};
    Template pair{{0, {}, 0}, {1, {}, 1}};

    /// Special tokens of a template.
    static std::size_t count_special(const Template& parts);
};

/// Throws not_supported for a type that is not known.
PostProcessor read_post_processor(JsonFields fields);

/// [CLS] first [SEP] second [SEP], either of which may be missing.
PostProcessor bert_post_processor(std::optional<TokenId> cls, std::optional<TokenId> sep);

}  // namespace lapidary::tokens
