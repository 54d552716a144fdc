// SPDX-License-Identifier: Apache-2.0
// softmax(Q K^T) V for a block of queries, keys taken tile by tile with a running maximum and sum,
// so that scores never leave the cache.
#pragma once

#include <cstdint>

#include "kernels/vector/isa.h"

namespace lapidary {

/// What is particular to one query.
struct AttentionRow {
    std::int64_t first = 0, last = 0;  // keys that it sees
    const float* padding = nullptr;    // added to its scores, one per key; null for none
    const float* bias = nullptr;       // another one
    bool has_sink = false;             // an extra score without a value takes part in the softmax
    float sink = 0;
    float* out = nullptr;  // [value_size]
};

struct AttentionBlock {
    std::int64_t rows = 0;  // at most AttentionKernels::block_rows
    std::int64_t keys = 0, size = 0, value_size = 0;
    const AttentionRow* row = nullptr;
    const float* q = nullptr;  // scaled, [rows rounded up to row_step, q_stride]
    std::int64_t q_stride = 0;
    const float* k = nullptr;  // packed, or rows k_stride apart
    std::int64_t k_stride = 0;
    const float* v = nullptr;  // packed, or rows v_stride apart
    std::int64_t v_stride = 0;
    // for attend_stream: rows of float16, or of bfloat16, in place of k and v; null: none
    const std::uint16_t *half_k = nullptr, *half_v = nullptr;
    bool halves_are_bfloat = false;
    // or rows of bytes, each with the float that they are multiplied with behind them; null: none
    const std::int8_t *byte_k = nullptr, *byte_v = nullptr;
    float softcap = 0;  // 0: none
    // the output of a query that sees no key, or only masked ones
    float blind = 0;
    float* scores = nullptr;  // [block_rows, score_stride]
    float* sums = nullptr;    // [block_rows, value_size rounded up to panel]
};

struct AttentionKernels {
    std::int64_t panel;     // keys, or elements of values, that lie side by side when packed
    std::int64_t row_step;  // blocks are worked on in multiples of this many rows
    std::int64_t block_rows;
    std::int64_t score_stride;
    /// [ceil(keys / panel)][size][panel], zeros behind the last key.
    void (*pack_keys)(const float* k, std::int64_t stride, std::int64_t keys, std::int64_t size,
                      float* to);
    /// The same from k [size][keys], `stride` floats from row to row.
    void (*pack_key_columns)(const float* k, std::int64_t stride, std::int64_t keys,
                             std::int64_t size, float* to);
    /// [ceil(value_size / panel)][keys][panel], zeros behind the last element.
    void (*pack_values)(const float* v, std::int64_t stride, std::int64_t keys,
                        std::int64_t value_size, float* to);
    void (*attend)(const AttentionBlock& block);  // packed keys and values
    // keys and values as they lie: for a few queries
    void (*attend_stream)(const AttentionBlock& block);
    /// to[i] = (from[i] + bias[i]) * scale; bias may be null, the two may be the same.
    void (*scale_row)(const float* from, const float* bias, std::int64_t count, float scale,
                      float* to);
    /// Turns pairs (x, y) of from's first 2 * half elements to (c x - s y, s x + c y); pairs are
    /// neighbours (interleaved) or half apart. The two may be the same.
    void (*rotate)(const float* from, const float* cosine, const float* sine, std::int64_t half,
                   bool interleaved, float* to);
};
LAPIDARY_PER_ISA(AttentionKernels, attention_kernels)

}  // namespace lapidary
