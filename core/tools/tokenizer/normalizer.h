// SPDX-License-Identifier: Apache-2.0
// The part of a tokenizer that changes texts before they are cut.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <tokenizer/json_fields.h>

namespace lapidary::tokens {

struct NormalText {
    std::string text;
    /// Its first character is not from the first one that was given: characters in front are gone.
    /// A Metaspace that prepends at the front alone does nothing there.
    bool lost_front = false;
};

class Normalizer {
public:
    virtual ~Normalizer() = default;
    virtual void apply(NormalText& text) const = 0;
};
using NormalizerPtr = std::unique_ptr<const Normalizer>;

/// Throws not_supported for a type that is not known.
NormalizerPtr read_normalizer(JsonFields fields);

NormalizerPtr bert_normalizer(JsonFields& fields);
/// As BERT's own: all of it.
NormalizerPtr bert_normalizer(bool lower_case);
/// The table of SentencePiece ("Precompiled"), base64 in `precompiled_charsmap`.
NormalizerPtr charsmap_normalizer(JsonFields& fields);

}  // namespace lapidary::tokens
