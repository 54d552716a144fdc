// SPDX-License-Identifier: Apache-2.0
// Names for the positions of inputs behind the third: multi_head_input::past_key is 6. Plain and
// fast kernels of an operator read their inputs by the same names; a test holds them against the
// schemas.
#pragma once

#include <cstddef>

namespace lapidary {

#define LAPIDARY_INPUT(space, name, index, domain, op, schema_name) \
    namespace space {                                               \
    inline constexpr std::size_t name = index;                      \
    }
#include "kernels/input_index.inc"
#undef LAPIDARY_INPUT

/// Outputs that hold attention scores, in MultiHeadAttention and GroupQueryAttention
/// (com.microsoft).
inline constexpr std::size_t scores_output = 3;

}  // namespace lapidary
