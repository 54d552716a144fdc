// SPDX-License-Identifier: Apache-2.0
// What masks and biases of com.microsoft's attention operators add to scores, as rows that
// TiledAttention reads.
#pragma once

#include "kernels/attention/tiled_attention.h"

namespace lapidary {

/// Rows of mask_index or key_padding_mask in any of its forms: as many floats per query as there
/// are keys, in `holder`; without data where nothing is hidden. Throws invalid_input for a shape
/// that is none of the forms.
HeadRows<const float> padding_rows(KernelContext& context, const Tensor* mask, std::int64_t batch,
                                   std::int64_t queries, std::int64_t keys, std::int64_t past,
                                   float filter, Tensor& holder);

/// Rows of attention_bias [batch or 1, heads or 1, queries, at least keys]; false where it is no
/// such float tensor.
bool bias_rows(const Tensor* bias, std::int64_t batch, std::int64_t heads, std::int64_t queries,
               std::int64_t keys, HeadRows<const float>& rows);

/// Whether the node has an output and somebody reads it.
inline bool is_wanted(const KernelContext& context, std::size_t output) {
    return output < context.output_count() && context.wants_output(output);
}

}  // namespace lapidary
