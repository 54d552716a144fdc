// SPDX-License-Identifier: Apache-2.0
// How many tokens a decoder knows, as far as its graph says it.
#pragma once

#include <cstdint>
#include <optional>

#include "generation/decoder_model.h"

namespace lapidary {

struct VocabularySizes {
    std::optional<std::int64_t> table;   // rows of the constant that tokens are looked up in
    std::optional<std::int64_t> logits;  // of one token
};

VocabularySizes vocabulary_sizes(const Graph& graph, const DecoderModel& decoder);

}  // namespace lapidary
