// SPDX-License-Identifier: Apache-2.0
// Attention of few queries, as new tokens have them: a block takes one query of a head and a part of its keys, 256 at a
// time. A few neighbouring threads share a key out for the scores, then a row of values, in pieces of 16 bytes where
// they lie so.
#include "kernels/attention_score.cuh"
#include "kernels/block_reduce.cuh"

namespace lapidary::cuda {
namespace {

constexpr int row_threads = static_cast<int>(reduce_threads), tile_keys = 256, most_lanes = 32;

/// Columns from `column` on of a row; 0 behind `columns`.
template <typename T>
GPU_DEVICE void load_columns(const T* row, int step, int column, int columns, bool in_pieces,
                             float (&to)[per_piece<T>]) {
    constexpr int per = per_piece<T>;
    if (in_pieces && column < columns) {
        elements_of<T>(piece_at(row + column), to);
        return;
    }
    GPU_UNROLL for (int i = 0; i < per; ++i)
        to[i] = column + i < columns ? load_element(row + static_cast<long long>(column + i) * step) : 0.0f;
}

GPU_DEVICE float block_largest(float value) {
    GPU_SHARED float largest[row_threads / 32];
    GPU_UNROLL for (int mask = 16; mask > 0; mask /= 2) value = Larger()(value, shuffle_xor(value, mask));
    if (thread_index() % 32 == 0) largest[thread_index() / 32] = value;
    block_barrier();
    GPU_UNROLL for (int i = 0; i < row_threads / 32; ++i) value = Larger()(value, largest[i]);
    block_barrier();  // the next one writes there
    return value;
}

/// How operands lie: lanes of a key and of a row of values, powers of two, and whether they lie in pieces.
struct RowLanes {
    int k = 1, v = 1;
    bool k_in_pieces = false, v_in_pieces = false;
};

template <typename T>
GPU_GLOBAL void attention_rows(AttentionArgs args, RowLanes lanes) {
    kernel_begin();
    constexpr int per = per_piece<T>, warps = row_threads / 32;
    GPU_SHARED float weights[tile_keys];
    GPU_SHARED float sums[warps][most_lanes * per];
    const AttentionBlock block = attention_block(args, 1);
    const int thread = static_cast<int>(thread_index()), head = block.head, batch = block.batch, query = block.tile;
    const int slice = block.slice, first_key = slice * args.part_keys;
    const int end_key = args.keys - first_key < args.part_keys ? args.keys : first_key + args.part_keys;
    const int length = length_of(args, batch), key_head = head / (args.heads / args.key_heads);
    const T* const k = static_cast<const T*>(args.k) + place_of(args.k_strides, batch, key_head, 0, 0);
    const T* const v = static_cast<const T*>(args.v) + place_of(args.v_strides, batch, key_head, 0, 0);
    const int k_column = thread % lanes.k * per, v_column = thread % lanes.v * per;
    float q[per], sum[per] = {}, most = -INFINITY, total = 0;
    load_columns(static_cast<const T*>(args.q) + place_of(args.q_strides, batch, head, query, 0),
                 args.q_strides.column, k_column, args.size, false, q);
    for (int at = first_key; at < end_key; at += tile_keys) {
        const int count = end_key - at < tile_keys ? end_key - at : tile_keys;
        for (int first = 0; first < count; first += row_threads / lanes.k) {
            const int i = first + thread / lanes.k;
            float score = 0;
            if (i < count) {
                float of_key[per];
                load_columns(k + static_cast<long long>(at + i) * args.k_strides.row, args.k_strides.column, k_column,
                             args.size, lanes.k_in_pieces, of_key);
                GPU_UNROLL for (int c = 0; c < per; ++c) score = multiply_add(q[c], of_key[c], score);
            }
            for (int mask = lanes.k / 2; mask > 0; mask /= 2) score += shuffle_xor(score, mask);
            if (i < count && k_column == 0)
                weights[i] = is_hidden(args, batch, head, query, at + i, length)
                                 ? -INFINITY
                                 : score_of_product(args, score, batch, head, query, at + i, length);
        }
        block_barrier();
        float best = most;
        for (int i = thread; i < count; i += row_threads) best = Larger()(best, weights[i]);
        best = block_largest(best);
        float share = 0;
        for (int i = thread; i < count; i += row_threads) {
            weights[i] = best == -INFINITY ? 0.0f : std::exp(weights[i] - best);
            share += weights[i];
        }
        share = block_sum(share);  // whose barriers say that all weights are there, too
        const float shrink = best == -INFINITY ? 1.0f : std::exp(most - best);
        most = best;
        total = total * shrink + share;
        GPU_UNROLL for (int c = 0; c < per; ++c) sum[c] *= shrink;
        for (int i = thread / lanes.v; i < count; i += row_threads / lanes.v) {
            if (weights[i] == 0.0f) continue;  // what a hidden key holds does not count
            float of_key[per];
            load_columns(v + static_cast<long long>(at + i) * args.v_strides.row, args.v_strides.column, v_column,
                         args.value_size, lanes.v_in_pieces, of_key);
            GPU_UNROLL for (int c = 0; c < per; ++c) sum[c] = multiply_add(weights[i], of_key[c], sum[c]);
        }
        block_barrier();  // the next tile's weights are written
    }
    for (int mask = 16; mask >= lanes.v; mask /= 2)
        GPU_UNROLL for (int c = 0; c < per; ++c) sum[c] += shuffle_xor(sum[c], mask);
    if (thread % 32 < lanes.v)
        GPU_UNROLL for (int c = 0; c < per; ++c) sums[thread / 32][v_column + c] = sum[c];
    block_barrier();
    for (int column = thread; column < args.value_size; column += row_threads) {
        float all = 0;
        GPU_UNROLL for (int warp = 0; warp < warps; ++warp) all += sums[warp][column];
        if (args.parts > 1) part_of(args, slice, batch, head, query)[column] = all;
        else store_element(static_cast<T*>(args.y) + place_of(args.y_strides, batch, head, query, column),
                           most == -INFINITY ? args.blind : all / total);
    }
    if (args.parts > 1 && thread == 0) {
        float* const of_row = part_of(args, slice, batch, head, query) + args.value_size;
        of_row[0] = most;
        of_row[1] = total;
    }
}

int per_piece_of(const AttentionArgs& args) { return args.type == 1 ? per_piece<float> : per_piece<half_t>; }

int lanes_for(int columns, int per) {
    int lanes = 1;
    while (lanes * per < columns) lanes *= 2;
    return lanes;
}

bool lies_in_pieces(const void* data, const HeadStrides& s, int columns, int per) {
    return s.column == 1 && reinterpret_cast<std::uintptr_t>(data) % 16 == 0 &&
           (s.batch | s.head | s.row | columns) % per == 0;
}

template <typename T>
void launch_of(Queue& queue, const AttentionArgs& args, const RowLanes& lanes) {
    GPU_LAUNCH(attention_rows<T>, attention_grid(args, 1), reduce_threads, queue, args, lanes);
}

}  // namespace

bool is_for_rows(const AttentionArgs& args) {
    const int most = most_lanes * per_piece_of(args);
    return args.queries < few_attention_rows && args.size <= most && args.value_size <= most;
}

void launch_attention_rows(Queue& queue, const AttentionArgs& args) {
    const int per = per_piece_of(args);
    const RowLanes lanes{lanes_for(args.size, per), lanes_for(args.value_size, per),
                         lies_in_pieces(args.k, args.k_strides, args.size, per),
                         lies_in_pieces(args.v, args.v_strides, args.value_size, per)};
    if (args.type == 10) launch_of<half_t>(queue, args, lanes);
    else if (args.type == 16) launch_of<bfloat_t>(queue, args, lanes);
    else launch_of<float>(queue, args, lanes);
}

}  // namespace lapidary::cuda
