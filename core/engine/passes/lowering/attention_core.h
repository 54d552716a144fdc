// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "passes/lowering/plain_nodes.h"

namespace lapidary::lowering {

/// Scaled dot-product attention on separate heads, in f32 or f64.
struct AttentionCore {
    ValueId q, k, v;  // [B, N, S, size], past rows included in k and v
    ValueId mask;     // as MaskForm says; empty: none
    ValueId bias;     // [B or 1, N or 1, S, T], added to the scores
    double scale = 1, filter = -10000;
    bool causal = false;
};

enum class MaskForm : std::uint8_t { none, lengths, start_and_end, keys, queries_and_keys };

/// The form of a mask, by its type. `problem`: why it cannot be determined.
MaskForm mask_form(const PassContext& context, ValueId mask, ValueId input, bool has_past,
                   std::string& problem);

/// Why the model's opset has no operators for such a mask. Empty: it has; attention without a mask
/// can be written in every opset.
std::string opset_problem(const PassContext& context, MaskForm form, bool causal);

/// The result [B, S, N * size].
ValueId attend(PlainNodes& plain, const AttentionCore& core, MaskForm form);
/// Every pair (a, b) of the last axis (of 4, `size` long) becomes (c a - s b, s a + c b) over the
/// first 2 * half elements; pairs are (i, half + i), or neighbours when interleaved. c and s
/// broadcast to [.., .., .., half].
ValueId rotate_pairs(PlainNodes& plain, ValueId x, ValueId c, ValueId s, std::int64_t half,
                     std::int64_t size, bool interleaved);
/// [B, S, N * size] to [B, N, S, size].
inline ValueId split_heads(PlainNodes& plain, ValueId x, std::int64_t heads) {
    return plain.transpose(plain.reshape(x, {0, 0, heads, -1}), {0, 2, 1, 3});
}

}  // namespace lapidary::lowering
