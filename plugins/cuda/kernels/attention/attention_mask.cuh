// SPDX-License-Identifier: Apache-2.0
// Adds biases and masks to the scores of a tile and hides scores. A thread holds pairs of keys, 8
// apart, for each of its rows: element e of key tile t belongs to row e / 2 and key t * 8 + e % 2.
#pragma once

#include "kernels/attention/attention_score.cuh"

namespace lapidary::cuda {

/// Rows of a thread, and of what lies beside scores in the block's head.
template <int row_count>
struct MaskRows {
    int from[row_count], to[row_count];  // the range of keys that the row sees
    int bias_row[row_count];             // where the row begins in the bias of the head
    long long bias_head;

    GPU_METHOD void set(const AttentionArgs& args, int batch, int head, int row, int query,
                        int length, int end_of_block) {
        from[row] = 0;
        to[row] = end_of_block;
        if (args.is_causal) {
            const int end = causal_end(args, query, length);
            if (end < to[row]) to[row] = end;
            if (args.window > 0) from[row] = end - args.window;
        }
        bias_row[row] = (query < args.queries ? query : args.queries - 1) * args.bias_strides.row;
        bias_head = place_of(args.bias_strides, batch, head, 0, 0);
    }
};

template <int row_count, int key_tiles>
GPU_DEVICE void hide_outside(float (&score)[row_count / 2][key_tiles][4],
                             const MaskRows<row_count>& rows, int first_key) {
    GPU_UNROLL for (int i = 0; i < row_count / 2; ++i)
        GPU_UNROLL for (int t = 0; t < key_tiles; ++t) GPU_UNROLL for (int e = 0; e < 4; ++e) {
        const int key = first_key + t * 8 + e % 2, row = 2 * i + e / 2;
        if (key >= rows.to[row] || key < rows.from[row]) score[i][t][e] = -INFINITY;
    }
}

/// Pairs of a bias of 16-bit floats, loaded ahead of their use.
template <int row_count, int key_tiles>
struct BiasPairs {
    std::uint32_t of[row_count][key_tiles];

    /// `keys`: even.
    GPU_METHOD void load(const AttentionArgs& args, const MaskRows<row_count>& rows,
                         int first_key) {
        const auto* const head = static_cast<const std::uint16_t*>(args.bias) + rows.bias_head;
        const int last = args.keys - 2;
        const bool is_whole = first_key + 8 * (key_tiles - 1) <= last;
        GPU_UNROLL for (int r = 0; r < row_count; ++r) {
            const std::uint16_t* const row = head + rows.bias_row[r] + (is_whole ? first_key : 0);
            GPU_UNROLL for (int t = 0; t < key_tiles; ++t) {
                const int key = first_key + t * 8, place = is_whole     ? t * 8
                                                           : key < last ? key
                                                                        : last;
                of[r][t] = *reinterpret_cast<const std::uint32_t*>(row + place);
            }
        }
    }
    template <typename B>
    GPU_METHOD void add_to(float (&score)[row_count / 2][key_tiles][4]) const {
        GPU_UNROLL for (int i = 0; i < row_count / 2; ++i)
            GPU_UNROLL for (int t = 0; t < key_tiles; ++t) GPU_UNROLL for (int r = 0; r < 2; ++r) {
            B pair[2];
            memcpy(static_cast<void*>(pair), &of[2 * i + r][t], 4);
            score[i][t][2 * r] += bias_of(pair);
            score[i][t][2 * r + 1] += bias_of(pair + 1);
        }
    }
};

/// The same of any bias, element by element.
template <typename B, int row_count, int key_tiles>
GPU_DEVICE void add_bias(float (&score)[row_count / 2][key_tiles][4], const AttentionArgs& args,
                         const MaskRows<row_count>& rows, int first_key) {
    const B* const head = static_cast<const B*>(args.bias) + rows.bias_head;
    GPU_UNROLL for (int i = 0; i < row_count / 2; ++i)
        GPU_UNROLL for (int t = 0; t < key_tiles; ++t) GPU_UNROLL for (int e = 0; e < 4; ++e) {
        const int key = first_key + t * 8 + e % 2, last = args.keys - 1;
        const int place =
            rows.bias_row[2 * i + e / 2] + (key < last ? key : last) * args.bias_strides.column;
        score[i][t][e] += bias_of(head + place);
    }
}

template <int row_count, int key_tiles>
GPU_DEVICE void hide_forbidden(float (&score)[row_count / 2][key_tiles][4],
                               const AttentionArgs& args, const MaskRows<row_count>& rows,
                               int first_key) {
    const std::uint8_t* const head = args.allowed + rows.bias_head;
    GPU_UNROLL for (int i = 0; i < row_count / 2; ++i)
        GPU_UNROLL for (int t = 0; t < key_tiles; ++t) GPU_UNROLL for (int e = 0; e < 4; ++e) {
        const int key = first_key + t * 8 + e % 2, last = args.keys - 1;
        const int place =
            rows.bias_row[2 * i + e / 2] + (key < last ? key : last) * args.bias_strides.column;
        if (head[place] == 0) score[i][t][e] = -INFINITY;
    }
}

/// The value that the padding mask adds to all scores of a key.
template <int row_tiles, int key_tiles>
GPU_DEVICE void filter_keys(float (&score)[row_tiles][key_tiles][4], const AttentionArgs& args,
                            int batch, int first_key, int length) {
    const std::int32_t* const mask =
        args.key_mask ? args.key_mask + static_cast<long long>(batch) * args.keys : nullptr;
    GPU_UNROLL for (int t = 0; t < key_tiles; ++t) GPU_UNROLL for (int e = 0; e < 2; ++e) {
        const int key = first_key + t * 8 + e, last = args.keys - 1;
        float added = 0;
        if (mask && mask[key < last ? key : last] <= 0) added = args.key_filter;
        if (args.length_filters && key >= length) added += args.key_filter;
        GPU_UNROLL for (int i = 0; i < row_tiles; ++i) {
            score[i][t][e] += added;
            score[i][t][2 + e] += added;
        }
    }
}

/// Turns products into scores, for all keys that are not hidden by their position. `pairs`: the
/// loaded bias where `has_pairs`.
template <int row_count, int key_tiles>
GPU_DEVICE void finish_scores(float (&score)[row_count / 2][key_tiles][4],
                              const AttentionArgs& args, int batch, const MaskRows<row_count>& rows,
                              int first_key, int length, bool has_pairs,
                              const BiasPairs<row_count, key_tiles>& pairs) {
    constexpr int row_tiles = row_count / 2;
    const bool has_cap = args.softcap > 0;
    const float factor = has_cap ? args.scale / args.softcap : args.scale;
    GPU_UNROLL for (int i = 0; i < row_tiles; ++i) GPU_UNROLL for (int t = 0; t < key_tiles; ++t)
        GPU_UNROLL for (int e = 0; e < 4; ++e) score[i][t][e] *= factor;
    if (has_cap) {
        GPU_UNROLL for (int i = 0; i < row_tiles; ++i)
            GPU_UNROLL for (int t = 0; t < key_tiles; ++t) GPU_UNROLL for (int e = 0; e < 4; ++e)
                score[i][t][e] = about_tanh(score[i][t][e]) * args.softcap;
    }
    if (has_pairs) {
        if (args.bias_type == 10) pairs.template add_to<half_t>(score);
        else pairs.template add_to<bfloat_t>(score);
    } else if (args.bias) {
        if (args.bias_type == 1) add_bias<float>(score, args, rows, first_key);
        else if (args.bias_type == 10) add_bias<half_t>(score, args, rows, first_key);
        else add_bias<bfloat_t>(score, args, rows, first_key);
    }
    if (args.key_mask || args.length_filters) filter_keys(score, args, batch, first_key, length);
    if (args.allowed) hide_forbidden(score, args, rows, first_key);
}

}  // namespace lapidary::cuda
