// SPDX-License-Identifier: Apache-2.0
// Attention of 16-bit floats on tensor cores: a block takes 64 queries of a head, a warp 16 of them, and goes over keys
// 64 at a time. Scores stay in registers, where they become the operand of the product with the values.
#include "kernels/attention_score.cuh"
#include "kernels/block_reduce.cuh"
#include "kernels/tile_product.cuh"

namespace lapidary::cuda {
namespace {

constexpr int tile_queries = attention_tile_queries, tile_keys = 64, tile_threads = 128;

/// Rows of keys or values from `first` to `end` in shared memory, zeros behind them and behind `columns`; what is
/// copied asynchronously is committed.
template <typename T, int size>
GPU_DEVICE void fetch_rows(T* to, const T* from, const HeadStrides& strides, int first, int end, int columns,
                           bool in_pieces) {
    constexpr int pitch = size + 8, piece = 8;
    const int thread = static_cast<int>(thread_index());
    if (in_pieces) {
        for (int i = thread; i < tile_keys * size / piece; i += tile_threads) {
            const int r = i / (size / piece), c = i % (size / piece) * piece;
            const bool is_there = first + r < end && c < columns;
            copy_async16(to + r * pitch + c,
                         is_there ? from + static_cast<long long>(first + r) * strides.row + c : from, is_there);
        }
    } else {
        for (int i = thread; i < tile_keys * size; i += tile_threads) {
            const int r = i / size, c = i % size;
            const bool is_there = first + r < end && c < columns;
            to[r * pitch + c] = is_there ? from[static_cast<long long>(first + r) * strides.row +
                                                static_cast<long long>(c) * strides.column]
                                         : T{};
        }
    }
    copy_commit();
}

GPU_DEVICE float quad_largest(float v) {
    v = Larger()(v, shuffle_xor(v, 1));
    return Larger()(v, shuffle_xor(v, 2));
}
GPU_DEVICE float quad_sum(float v) {
    v += shuffle_xor(v, 1);
    return v + shuffle_xor(v, 2);
}

/// `size`: of heads, rounded up; `Sync` as of tile_product.cuh.
template <typename T, typename Multiply, int size, typename Sync = AllSync>
GPU_GLOBAL void attention_tiles(AttentionArgs args, bool k_in_pieces, bool v_in_pieces) {
    kernel_begin();
    constexpr int pitch = size + 8, steps = size / 16, key_tiles = tile_keys / 8, value_tiles = size / 8;
    GPU_SHARED_16 T ks[tile_keys * pitch];
    GPU_SHARED_16 T vs[tile_keys * pitch];
    const Sync sync;
    const int lane = static_cast<int>(thread_index()) % 32, warp = static_cast<int>(thread_index()) / 32;
    const int group = lane / 4, word = lane % 4 * 2;
    const AttentionBlock block = attention_block(args, tile_queries);
    const int head = block.head, batch = block.batch, block_first = block.tile * tile_queries;
    const int first = block_first + warp * 16 + group;  // and the one 8 behind it
    const int slice = block.slice, first_key = slice * args.part_keys;
    const int length = length_of(args, batch), key_head = head / (args.heads / args.key_heads);
    int end_key = args.keys - first_key < args.part_keys ? args.keys : first_key + args.part_keys;
    if (!args.length_filters && length < end_key) end_key = length;
    if (args.is_causal) {  // what none of the block's queries sees
        const int seen = causal_end(args, block_first + tile_queries - 1, length);
        if (seen < end_key) end_key = seen;
    }
    const T* const k = static_cast<const T*>(args.k) + place_of(args.k_strides, batch, key_head, 0, 0);
    const T* const v = static_cast<const T*>(args.v) + place_of(args.v_strides, batch, key_head, 0, 0);

    std::uint32_t q[steps][4];
    GPU_UNROLL for (int step = 0; step < steps; ++step) GPU_UNROLL for (int j = 0; j < 4; ++j) {
        const int row = first + j % 2 * 8, column = step * 16 + word + j / 2 * 8;
        const auto element = [&](int c) {
            if (row >= args.queries || c >= args.size) return 0.0f;
            return load_element(static_cast<const T*>(args.q) + place_of(args.q_strides, batch, head, row, c));
        };
        q[step][j] = Multiply::pack(element(column), element(column + 1));
    }
    float sum[value_tiles][4] = {}, most[2] = {-INFINITY, -INFINITY}, total[2] = {};
    for (int at = first_key; at < end_key; at += tile_keys) {
        fetch_rows<T, size>(ks, k, args.k_strides, at, end_key, args.size, k_in_pieces);
        fetch_rows<T, size>(vs, v, args.v_strides, at, end_key, args.value_size, v_in_pieces);
        sync.template copied<1>();
        sync.filled();
        float score[key_tiles][4] = {};
        GPU_UNROLL for (int t = 0; t < key_tiles; t += 2) GPU_UNROLL for (int step = 0; step < steps; ++step) {
            std::uint32_t r[4];
            load_matrices(r, &ks[(t * 8 + lane % 8 + lane / 16 * 8) * pitch + step * 16 + lane / 8 % 2 * 8]);
            const std::uint32_t low[2] = {r[0], r[1]}, high[2] = {r[2], r[3]};
            Multiply::multiply(score[t], q[step], low);
            Multiply::multiply(score[t + 1], q[step], high);
        }
        float best[2] = {most[0], most[1]}, shrink[2];
        GPU_UNROLL for (int t = 0; t < key_tiles; ++t) GPU_UNROLL for (int e = 0; e < 4; ++e) {
            const int query = first + e / 2 * 8, key = at + t * 8 + word + e % 2;
            score[t][e] = is_hidden(args, batch, head, query, key, length)
                              ? -INFINITY
                              : score_of_product(args, score[t][e], batch, head, query, key, length);
            best[e / 2] = Larger()(best[e / 2], score[t][e]);
        }
        GPU_UNROLL for (int r = 0; r < 2; ++r) {
            best[r] = quad_largest(best[r]);
            shrink[r] = best[r] == -INFINITY ? 1.0f : std::exp(most[r] - best[r]);
            most[r] = best[r];
            total[r] *= shrink[r];
        }
        GPU_UNROLL for (int t = 0; t < key_tiles; ++t) GPU_UNROLL for (int e = 0; e < 4; ++e) {
            score[t][e] = best[e / 2] == -INFINITY ? 0.0f : std::exp(score[t][e] - best[e / 2]);
            total[e / 2] += score[t][e];
        }
        GPU_UNROLL for (int t = 0; t < value_tiles; ++t) GPU_UNROLL for (int e = 0; e < 4; ++e)
            sum[t][e] *= shrink[e / 2];
        sync.template copied<0>();
        sync.filled();
        GPU_UNROLL for (int step = 0; step < tile_keys / 16; ++step) {
            const float(&low)[4] = score[2 * step], (&high)[4] = score[2 * step + 1];
            const std::uint32_t a[4] = {Multiply::pack(low[0], low[1]), Multiply::pack(low[2], low[3]),
                                        Multiply::pack(high[0], high[1]), Multiply::pack(high[2], high[3])};
            GPU_UNROLL for (int t = 0; t < value_tiles; t += 2) {
                std::uint32_t r[4];
                load_matrices_turned(r, &vs[(step * 16 + lane % 16) * pitch + t * 8 + lane / 16 * 8]);
                const std::uint32_t left[2] = {r[0], r[1]}, right[2] = {r[2], r[3]};
                Multiply::multiply(sum[t], a, left);
                Multiply::multiply(sum[t + 1], a, right);
            }
        }
        sync.read();
    }
    GPU_UNROLL for (int r = 0; r < 2; ++r) {
        const int query = first + r * 8;
        total[r] = quad_sum(total[r]);
        if (query >= args.queries) continue;
        GPU_UNROLL for (int t = 0; t < value_tiles; ++t) GPU_UNROLL for (int e = 0; e < 2; ++e) {
            const int column = t * 8 + word + e;
            if (column >= args.value_size) continue;
            const float of = sum[t][2 * r + e];
            if (args.parts > 1) part_of(args, slice, batch, head, query)[column] = of;
            else store_element(static_cast<T*>(args.y) + place_of(args.y_strides, batch, head, query, column),
                               most[r] == -INFINITY ? args.blind : of / total[r]);
        }
        if (args.parts > 1 && lane % 4 == 0) {
            float* const of_row = part_of(args, slice, batch, head, query) + args.value_size;
            of_row[0] = most[r];
            of_row[1] = total[r];
        }
    }
}

/// Whether rows lie in pieces of 16 bytes.
bool lies_in_pieces(const void* data, const HeadStrides& s, int columns) {
    return s.column == 1 && reinterpret_cast<std::uintptr_t>(data) % 16 == 0 &&
           (s.batch | s.head | s.row | columns) % 8 == 0;
}

template <typename T, typename Multiply>
void launch_of(Queue& queue, const AttentionArgs& args) {
    const Grid grid = attention_grid(args, tile_queries);
    const bool k = lies_in_pieces(args.k, args.k_strides, args.size);
    const bool v = lies_in_pieces(args.v, args.v_strides, args.value_size);
    const int size = args.size > args.value_size ? args.size : args.value_size;
    constexpr unsigned threads = tile_threads;
    if (size <= 32) GPU_LAUNCH((attention_tiles<T, Multiply, 32>), grid, threads, queue, args, k, v);
    else if (size <= 64) GPU_LAUNCH((attention_tiles<T, Multiply, 64>), grid, threads, queue, args, k, v);
    else GPU_LAUNCH((attention_tiles<T, Multiply, 128>), grid, threads, queue, args, k, v);
}

}  // namespace

bool is_for_tiles(const AttentionArgs& args) {
    return (args.type == 10 || args.type == 16) && args.size <= 128 && args.value_size <= 128 &&
           args.queries >= few_attention_rows;
}

void launch_attention_tiles(Queue& queue, const AttentionArgs& args) {
    if (args.type == 10) launch_of<half_t, MultiplyF16>(queue, args);
    else launch_of<bfloat_t, MultiplyBf16>(queue, args);
}

}  // namespace lapidary::cuda
