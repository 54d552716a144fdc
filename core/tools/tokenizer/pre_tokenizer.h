// SPDX-License-Identifier: Apache-2.0
// The part of a tokenizer that cuts texts into words.
#pragma once

#include <memory>

#include <tokenizer/json_fields.h>
#include <tokenizer/pieces.h>

namespace lapidary::tokens {

class PreTokenizer {
public:
    virtual ~PreTokenizer() = default;
    virtual void apply(Pieces& pieces) const = 0;
};
using PreTokenizerPtr = std::unique_ptr<const PreTokenizer>;

/// Throws not_supported for a type that is not known.
PreTokenizerPtr read_pre_tokenizer(JsonFields fields);
PreTokenizerPtr bert_pre_tokenizer();

/// Where a Metaspace puts its character in front of a piece that does not begin with it.
enum class PrependScheme { first, never, always };

/// What pre-tokenizer and decoder of type Metaspace have in common.
struct MetaspaceRules {
    explicit MetaspaceRules(JsonFields& fields);
    char32_t replacement;
    PrependScheme scheme;
    bool splits;
};

}  // namespace lapidary::tokens
