// SPDX-License-Identifier: Apache-2.0
// What a Tokenizer consists of.
#pragma once

#include <cstddef>
#include <optional>

#include <lapidary/tokenizer/tokenizer.h>

#include <tokenizer/added_tokens.h>
#include <tokenizer/decoder.h>
#include <tokenizer/model.h>
#include <tokenizer/normalizer.h>
#include <tokenizer/post_processor.h>
#include <tokenizer/pre_tokenizer.h>

namespace lapidary::tokens {

/// "truncation": which tokens go where a text has too many.
struct Truncation {
    enum class Of { longest, first, second };
    std::size_t most_tokens;
    Of of = Of::longest;  // of a pair
    bool keeps_end = false;
};

/// "padding"
struct Padding {
    std::optional<std::size_t> length;    // none: as long as the text
    std::optional<std::size_t> multiple;  // filled up to a multiple of it
    bool in_front = false;
    TokenId id = 0;
    std::uint32_t type = 0;
};

}  // namespace lapidary::tokens

namespace lapidary {

struct Tokenizer::Parts {
    tokens::NormalizerPtr normalizer;  // may be null, as may the next and the decoder
    tokens::PreTokenizerPtr pre_tokenizer;
    tokens::TokenModelPtr model;
    tokens::AddedTokens added;
    tokens::PostProcessor post_processor;
    tokens::DecoderPtr decoder;
    std::optional<tokens::Truncation> truncation;
    std::optional<tokens::Padding> padding;
};

}  // namespace lapidary
