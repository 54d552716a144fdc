// SPDX-License-Identifier: Apache-2.0
// The part of a tokenizer that makes text of tokens.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tokenizer/json_fields.h>

namespace lapidary::tokens {

class Decoder {
public:
    virtual ~Decoder() = default;
    /// Changes the texts of tokens, which one after another are the text.
    virtual void apply(std::vector<std::string>& tokens) const = 0;
};
using DecoderPtr = std::unique_ptr<const Decoder>;

/// Throws not_supported for a type that is not known.
DecoderPtr read_decoder(JsonFields fields);
/// As BERT's own.
DecoderPtr word_piece_decoder();

}  // namespace lapidary::tokens
