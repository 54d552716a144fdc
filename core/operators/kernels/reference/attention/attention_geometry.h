// SPDX-License-Identifier: Apache-2.0
// Sizes of one Attention node and the bias that masks add to its scores.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/reference/elementwise/widening.h"

namespace lapidary::reference {

/// Checked against all inputs; throws invalid_input or invalid_model with expected and found.
struct AttentionGeometry {
    explicit AttentionGeometry(const KernelContext& context);

    // 3-D inputs: [batch, sequence, heads * size]; else [batch, heads, sequence, size]
    bool heads_last;
    // keys = past_keys + new_keys
    std::int64_t batch, query_heads, key_heads, queries, new_keys, past_keys, keys;
    std::int64_t head_size, value_size;
    bool is_causal;
    // how many keys before and behind its own place a query sees; -1: all
    std::int64_t left_window, right_window;
    double scale;

    /// Where one head's first row starts, and the distance between its rows, in a [batch, heads,
    /// sequence, size] or heads-last tensor.
    std::int64_t head_offset(std::int64_t b, std::int64_t head, std::int64_t heads,
                             std::int64_t sequence, std::int64_t size) const;
    std::int64_t row_stride(std::int64_t heads, std::int64_t size) const {
        return heads_last ? heads * size : size;
    }
};

/// What the attn_mask input, causality, windows and nonpad_kv_seqlen add to the scores.
template <typename T>
class AttentionBias {
public:
    AttentionBias(KernelContext& context, const AttentionGeometry& geometry);
    struct Sight {
        std::int64_t begin, end;  // other keys are out of sight: -infinity, whatever their products
        bool attends;             // false when every key is masked out (-infinity)
    };
    /// bias[j] for all keys of one query.
    Sight row(std::int64_t b, std::int64_t head, std::int64_t query, T* bias) const;

private:
    const AttentionGeometry& g_;
    std::vector<T> mask_;         // the mask's own elements; bool as 0 and -infinity
    std::int64_t mask_keys_ = 0;  // its last size; later keys are masked out
    std::int64_t batch_stride_ = 0, head_stride_ = 0, query_stride_ = 0, key_stride_ = 0;
    bool has_mask_ = false;
    std::vector<std::int64_t> valid_keys_;  // nonpad_kv_seqlen, per batch; empty when not given
};

extern template class AttentionBias<float>;
extern template class AttentionBias<double>;

}  // namespace lapidary::reference
