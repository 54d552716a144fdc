// SPDX-License-Identifier: Apache-2.0
// What attention kernels share: where elements and parts are stored, and what is added to scores.
#pragma once

#include <cfloat>
#include <type_traits>

#include "kernels/attention/attention.h"
#include "kernels/load_store.cuh"

namespace lapidary::cuda {

/// The work of a block: a tile of queries of a head and a part of its keys. Blocks are numbered
/// along x alone, because y and z of a grid end at 65,535. There are no more blocks than elements
/// of the result, so 31 bits are enough.
struct AttentionBlock {
    int batch, head, tile, slice;
};
/// Quotient and remainder. Divisions are slow and often by 1, which is skipped.
struct Divided {
    int times, rest;
};
GPU_DEVICE Divided divided(int a, int b) {
    if (b == 1) return {a, 0};
    const int times = a / b;
    return {times, a - times * b};
}
/// The head of keys and values that a head of queries uses.
GPU_DEVICE int key_head_of(const AttentionArgs& args, int head) {
    return args.heads == args.key_heads ? head : head / (args.heads / args.key_heads);
}
GPU_DEVICE AttentionBlock attention_block(const AttentionArgs& args, int tile_queries) {
    const int tiles = (args.queries - 1) / tile_queries + 1, block = static_cast<int>(block_x());
    const Divided slice = divided(block, args.parts), tile = divided(slice.times, tiles);
    const int batch = args.batch == 1 ? 0 : tile.times / args.heads;
    return {batch, tile.times - batch * args.heads, tile.rest, slice.rest};
}
inline Grid attention_grid(const AttentionArgs& args, int tile_queries) {
    const auto tiles = static_cast<unsigned>((args.queries - 1) / tile_queries + 1);
    return {
        tiles * static_cast<unsigned>(args.parts * args.heads) * static_cast<unsigned>(args.batch),
        1, 1};
}

GPU_DEVICE long long place_of(const HeadStrides& s, int batch, int head, int row, int column) {
    return static_cast<long long>(batch) * s.batch + static_cast<long long>(head) * s.head +
           static_cast<long long>(row) * s.row + static_cast<long long>(column) * s.column;
}

/// The number of valid keys of the batch.
GPU_DEVICE int length_of(const AttentionArgs& args, int batch) {
    return args.key_lengths ? args.key_lengths[batch] + args.length_offset : args.keys;
}

/// The number of keys of the past, which come before the new ones.
GPU_DEVICE int past_of(const AttentionArgs& args, int length) {
    if (args.capacity == 0) return 0;
    return args.past_follows_length ? length - args.fresh_rows : args.past;
}

/// The first key that the causal query does not see.
GPU_DEVICE int causal_end(const AttentionArgs& args, int query, int length) {
    return (args.end_follows_length ? length - args.queries + 1 : args.first_end) + query;
}

/// The bias of a score. The lowest float16 becomes the lowest float32: adding a score to it changes
/// nothing, as in 16-bit arithmetic.
template <typename B>
GPU_DEVICE float bias_of(const B* from) {
    const float bias = load_element(from);
    if constexpr (std::is_same_v<B, half_t>) return bias == -65504.0f ? -FLT_MAX : bias;
    else return bias;
}
GPU_DEVICE float bias_at(const AttentionArgs& args, long long place) {
    if (args.bias_type == 1) return bias_of(static_cast<const float*>(args.bias) + place);
    if (args.bias_type == 10) return bias_of(static_cast<const half_t*>(args.bias) + place);
    return bias_of(static_cast<const bfloat_t*>(args.bias) + place);
}

/// True where the mask hides the key from the query.
GPU_DEVICE bool is_hidden(const AttentionArgs& args, int batch, int head, int query, int key,
                          int length) {
    if (query >= args.queries || key >= args.keys || (!args.length_filters && key >= length))
        return true;
    const int end = causal_end(args, query, length);
    if (args.is_causal && (key >= end || (args.window > 0 && key < end - args.window))) return true;
    return args.allowed && args.allowed[place_of(args.bias_strides, batch, head, query, key)] == 0;
}

/// The score of a key that is not hidden, from its product with the query.
GPU_DEVICE float score_of_product(const AttentionArgs& args, float product, int batch, int head,
                                  int query, int key, int length) {
    float sum = product * args.scale;
    if (args.softcap > 0) sum = std::tanh(sum / args.softcap) * args.softcap;
    if (args.bias) sum += bias_at(args, place_of(args.bias_strides, batch, head, query, key));
    if (args.key_mask && args.key_mask[batch * args.keys + key] <= 0) sum += args.key_filter;
    if (args.length_filters && key >= length) sum += args.key_filter;
    return sum;
}

inline constexpr float log2_of_e = 1.4426950408889634f;

/// Masks add the lowest float32, which overflows when multiplied by log2_of_e. So scores below this
/// one are compressed towards it and keep their order. They still count where all keys of a query
/// have such scores; -infinity is left to hidden keys.
inline constexpr float least_score = -0x1p126f;
GPU_DEVICE float nearer_score(float score) {
    return score < least_score ? least_score + (score - least_score) * 0.25f : score;
}

/// tanh to an absolute 2^-20.
GPU_DEVICE float about_tanh(float x) {
    return 1 - 2 * about_reciprocal(power_of_two(2 * log2_of_e * x) + 1);
}

/// True where a score is only the product times the scale. The scale can then be applied with the
/// exponential.
GPU_DEVICE bool is_plain(const AttentionArgs& args) {
    return !args.bias && !args.allowed && !args.key_mask && !args.length_filters &&
           args.softcap == 0 && args.scale > 0;
}

/// The running result over the keys so far: the largest score (as a power of two), the sum of
/// weights and the weighted sums of values, both relative to that score.
template <int columns>
struct SeenKeys {
    float most = -INFINITY, total = 0, sum[columns] = {};

    /// Adds the running result of other keys.
    GPU_METHOD void join(float other_most, float other_total, const float (&other_sum)[columns]) {
        const float larger = most > other_most ? most : other_most,
                    base = larger == -INFINITY ? 0.0f : larger;
        const float share = power_of_two(most - base),
                    other_share = power_of_two(other_most - base);
        most = larger;
        total = total * share + other_total * other_share;
        GPU_UNROLL for (int c = 0; c < columns; ++c) sum[c] =
            sum[c] * share + other_sum[c] * other_share;
    }
};

/// Where the result of one part of a query is stored: sums of values that are not divided yet, the
/// largest score (as a power of two) and the sum of weights.
struct PartOfQuery {
    float *sums, *most, *total;
};
GPU_DEVICE PartOfQuery part_of(const AttentionArgs& args, int part, int batch, int head,
                               int query) {
    const long long rows = static_cast<long long>(args.batch) * args.heads * args.queries;
    const long long row =
        ((static_cast<long long>(part) * args.batch + batch) * args.heads + head) * args.queries +
        query;
    float* const most = args.partial + rows * args.parts * args.value_size + 2 * row;
    return {args.partial + row * args.value_size, most, most + 1};
}

}  // namespace lapidary::cuda
