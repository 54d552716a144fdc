// SPDX-License-Identifier: Apache-2.0
// Values of a decoder's inputs that are not caches.
#pragma once

#include <cstdint>

#include <lapidary/tensor/runtime_value.h>

#include "generation/decoder_model.h"

namespace lapidary {

/// Where the tokens of a run stand.
struct TokenPlace {
    std::int64_t sequences = 0;
    std::int64_t before = 0;     // tokens in front of the new ones
    std::int64_t count = 0;      // new ones
    std::int64_t mask_rows = 0;  // length of the mask: tokens so far, or rows of fixed caches
};

/// The value of an input; `ids` [sequences, count] of the new tokens.
Tensor decoder_input(const DecoderPort& port, const TokenPlace& place, const std::int64_t* ids);

}  // namespace lapidary
