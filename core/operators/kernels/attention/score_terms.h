// SPDX-License-Identifier: Apache-2.0
// Masks and biases of com.microsoft's attention operators, as rows that TiledAttention adds to
// scores.
#pragma once

#include "kernels/attention/tiled_attention.h"

namespace lapidary {

/// Rows for mask_index or key_padding_mask in any of its forms: one float per query and key, kept
/// in `holder`. Without data where the mask hides nothing. Throws invalid_input for a shape of
/// another form.
HeadRows<const float> padding_rows(KernelContext& context, const Tensor* mask, std::int64_t batch,
                                   std::int64_t queries, std::int64_t keys, std::int64_t past,
                                   float filter, Tensor& holder);

/// Rows of attention_bias [batch or 1, heads or 1, queries, at least keys]; false where it is no
/// such float tensor.
bool bias_rows(const Tensor* bias, std::int64_t batch, std::int64_t heads, std::int64_t queries,
               std::int64_t keys, HeadRows<const float>& rows);

/// Whether the node has this output and something reads it.
inline bool is_wanted(const KernelContext& context, std::size_t output) {
    return output < context.output_count() && context.wants_output(output);
}

}  // namespace lapidary
