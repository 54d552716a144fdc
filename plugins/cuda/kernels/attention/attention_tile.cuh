// SPDX-License-Identifier: Apache-2.0
// Attention on tensor cores. A block handles a tile of queries of a head: each of its four warps
// has 16 or 32 of them. It goes over the keys tile by tile and copies the next tile while it
// computes with one. Scores stay in registers, where they become the operand of the product with
// the values. With few blocks, two or four groups of four warps share the keys of each tile.
#pragma once

#include "gpu_shared.h"
#include "kernels/attention/attention_mask.cuh"
#include "kernels/product/tile_product.cuh"

namespace lapidary::cuda {

/// How 16-bit floats in shared memory become operands of the tensor cores.
template <typename Element, typename Multiply>
struct HalfOperands {
    using T = Element;
    static constexpr int depth = 16;     // elements along k of one step of a product
    static constexpr int key_tiles = 2;  // of 8 keys, in one step of the product with the values

    GPU_METHOD static void round(std::uint32_t (&)[4]) {}
    GPU_METHOD static void multiply(float (&d)[4], const std::uint32_t (&a)[4],
                                    const std::uint32_t (&b)[2]) {
        Multiply::multiply(d, a, b);
    }
    /// Scores of 16 keys.
    template <int tiles>
    GPU_METHOD static void take_scores(std::uint32_t (&a)[4], const float (&score)[tiles][4],
                                       int step) {
        const float(&low)[4] = score[2 * step], (&high)[4] = score[2 * step + 1];
        a[0] = Multiply::pack(low[0], low[1]), a[1] = Multiply::pack(low[2], low[3]);
        a[2] = Multiply::pack(high[0], high[1]), a[3] = Multiply::pack(high[2], high[3]);
    }
    /// Values of the step's keys in 16 columns from `column` on.
    GPU_METHOD static void take_values(std::uint32_t (&b)[4], const T* keys, int pitch, int column,
                                       int lane) {
        load_matrices_turned(b, keys + lane % 16 * pitch + column + lane / 16 * 8);
    }
    GPU_METHOD static void store_pair(T* to, float low, float high) {
        const std::uint32_t word = Multiply::pack(low, high);
        memcpy(static_cast<void*>(to), &word, 4);
    }
};

/// The same for float32, rounded to TF32. Both operands of the product with the values have their
/// keys in the order 0, 2, 4, 6, 1, 3, 5, 7, which is the order of scores in registers.
struct Tf32Operands {
    using T = float;
    static constexpr int depth = 8, key_tiles = 1;

    GPU_METHOD static void round(std::uint32_t (&r)[4]) {
        GPU_UNROLL for (int i = 0; i < 4; ++i) r[i] = to_tf32(float_of(r[i]));
    }
    GPU_METHOD static void multiply(float (&d)[4], const std::uint32_t (&a)[4],
                                    const std::uint32_t (&b)[2]) {
        mma_tf32(d, a, b);
    }
    template <int tiles>
    GPU_METHOD static void take_scores(std::uint32_t (&a)[4], const float (&score)[tiles][4],
                                       int step) {
        a[0] = to_tf32(score[step][0]), a[1] = to_tf32(score[step][2]);
        a[2] = to_tf32(score[step][1]), a[3] = to_tf32(score[step][3]);
    }
    GPU_METHOD static void take_values(std::uint32_t (&b)[4], const T* keys, int pitch, int column,
                                       int lane) {
        const T* const from = keys + lane % 4 * 2 * pitch + column + lane / 4;
        b[0] = to_tf32(from[0]), b[1] = to_tf32(from[pitch]);
        b[2] = to_tf32(from[8]), b[3] = to_tf32(from[pitch + 8]);
    }
    GPU_METHOD static void store_pair(T* to, float low, float high) { to[0] = low, to[1] = high; }
};

/// Sizes of a block. `size`: elements of a head, rounded up to 16. `row_tiles`: tiles of 16 queries
/// in a warp. `keys`: keys of a tile for one group. Shared memory holds the queries, and keys and
/// values of two tiles (or of the only one). The pitch of rows puts the pieces of eight rows into
/// different banks.
template <typename Operands_, int size_, int row_tiles_, int keys_, int groups_ = 1,
          int stages_ = 2>
struct AttentionTile {
    using Operands = Operands_;
    using T = typename Operands::T;
    static constexpr int size = size_, row_tiles = row_tiles_, keys = keys_,
                         queries = 64 * row_tiles;
    static constexpr int rows = 2 * row_tiles;  // of a thread
    static constexpr int stages = stages_, groups = groups_, group_threads = 128,
                         threads = groups * group_threads;
    static constexpr int all_keys = groups * keys, pitch = size + per_piece<T>,
                         stage = 2 * all_keys * pitch;
    static constexpr int steps = size / Operands::depth, key_tiles = keys / 8,
                         value_tiles = size / 8;
    // of a multiprocessor
    static constexpr int blocks = groups > 1                                              ? 1
                                  : row_tiles == 1 && size <= 64 && Operands::depth == 16 ? 3
                                                                                          : 2;
    static constexpr bool holds_queries = size * row_tiles <= 128;  // in registers
    static constexpr unsigned bytes = sizeof(T) * (queries * pitch + stages * stage);
};

/// Which tensors lie in pieces of 16 bytes, and whether pairs of a 16-bit bias are aligned to 4
/// bytes.
struct AttentionReads {
    bool q = false, k = false, v = false, y = false, has_bias_pairs = false;
};

/// Copies `count` rows from `first` on to shared memory, zeros from row `end` on and beyond
/// `columns`. Copies in pieces are asynchronous.
template <typename T, int size, int count, int threads>
GPU_DEVICE void fetch_rows(T* to, const T* from, const HeadStrides& strides, int first, int end,
                           int columns, bool in_pieces) {
    constexpr int piece = per_piece<T>, pitch = size + piece, pieces = size / piece;
    constexpr int rounds = count * pieces / threads, step = threads / pieces;
    static_assert(count * pieces % threads == 0);
    const int thread = static_cast<int>(thread_index());
    if (in_pieces && threads % pieces == 0) {  // a thread keeps its columns
        const int row = thread / pieces, c = thread % pieces * piece,
                  left = c < columns ? end - first - row : 0;
        const T* const begin = from + static_cast<long long>(first + row) * strides.row + c;
        GPU_UNROLL for (int j = 0; j < rounds; ++j) {
            const bool is_there = j * step < left;
            copy_async16(to + (row + j * step) * pitch + c,
                         is_there ? begin + static_cast<long long>(j * step) * strides.row : from,
                         is_there);
        }
    } else if (in_pieces) {
        GPU_UNROLL for (int j = 0; j < rounds; ++j) {
            const int i = thread + j * threads, r = i / pieces, c = i % pieces * piece;
            const bool is_there = first + r < end && c < columns;
            const long long place = static_cast<long long>(first + r) * strides.row + c;
            copy_async16(to + r * pitch + c, from + (is_there ? place : 0), is_there);
        }
    } else {
        GPU_ROLLED for (int i = thread; i < count * size; i += threads) {
            const int r = i / size, c = i % size;
            const bool is_there = first + r < end && c < columns;
            to[r * pitch + c] = is_there ? from[static_cast<long long>(first + r) * strides.row +
                                                static_cast<long long>(c) * strides.column]
                                         : T{};
        }
    }
}

/// Loads one step of 16 queries, whose rows begin at `rows`.
template <typename Tile>
GPU_DEVICE void take_queries(std::uint32_t (&a)[4], const typename Tile::T* rows, int step,
                             int lane) {
    load_matrices(a, rows + lane % 16 * Tile::pitch + step * Tile::Operands::depth +
                         lane / 16 * per_piece<typename Tile::T>);
    Tile::Operands::round(a);
}

/// score += q * k^T of a warp. `held`: the warp's queries where the tile keeps them in registers;
/// else they are read from shared memory.
template <typename Tile, int held_steps>
GPU_DEVICE void multiply_keys(float (&score)[Tile::row_tiles][Tile::key_tiles][4],
                              const std::uint32_t (&held)[held_steps][Tile::row_tiles][4],
                              const typename Tile::T* queries, const typename Tile::T* ks,
                              int lane) {
    using Operands = typename Tile::Operands;
    constexpr int piece = per_piece<typename Tile::T>;
    GPU_UNROLL for (int step = 0; step < Tile::steps; ++step) {
        std::uint32_t a[Tile::row_tiles][4];
        GPU_UNROLL for (int i = 0; i < Tile::row_tiles; ++i) {
            if constexpr (Tile::holds_queries) {
                GPU_UNROLL for (int e = 0; e < 4; ++e) a[i][e] = held[step][i][e];
            } else {
                take_queries<Tile>(a[i], queries + i * 16 * Tile::pitch, step, lane);
            }
        }
        GPU_UNROLL for (int t = 0; t < Tile::key_tiles; t += 2) {
            std::uint32_t b[4];
            load_matrices(b, ks + (t * 8 + lane % 8 + lane / 16 * 8) * Tile::pitch +
                                 step * Operands::depth + lane / 8 % 2 * piece);
            Operands::round(b);
            const std::uint32_t left[2] = {b[0], b[1]}, right[2] = {b[2], b[3]};
            GPU_UNROLL for (int i = 0; i < Tile::row_tiles; ++i) {
                Operands::multiply(score[i][t], a[i], left);
                Operands::multiply(score[i][t + 1], a[i], right);
            }
        }
    }
}

/// sum += weights * v of a warp.
template <typename Tile>
GPU_DEVICE void multiply_values(float (&sum)[Tile::row_tiles][Tile::value_tiles][4],
                                const float (&score)[Tile::row_tiles][Tile::key_tiles][4],
                                const typename Tile::T* vs, int lane) {
    using Operands = typename Tile::Operands;
    GPU_UNROLL for (int step = 0; step < Tile::keys / Operands::depth; ++step) {
        std::uint32_t a[Tile::row_tiles][4];
        GPU_UNROLL for (int i = 0; i < Tile::row_tiles; ++i)
            Operands::take_scores(a[i], score[i], step);
        GPU_UNROLL for (int t = 0; t < Tile::value_tiles; t += 2) {
            std::uint32_t b[4];
            Operands::take_values(b, vs + step * Operands::depth * Tile::pitch, Tile::pitch, t * 8,
                                  lane);
            const std::uint32_t left[2] = {b[0], b[1]}, right[2] = {b[2], b[3]};
            GPU_UNROLL for (int i = 0; i < Tile::row_tiles; ++i) {
                Operands::multiply(sum[i][t], a[i], left);
                Operands::multiply(sum[i][t + 1], a[i], right);
            }
        }
    }
}

/// The running results of a thread's rows. Scores are multiplied by a factor so that weights are
/// powers of two of them.
template <typename Tile>
struct TileSums {
    float sum[Tile::row_tiles][Tile::value_tiles][4] = {}, most[Tile::row_tiles][2],
          total[Tile::row_tiles][2] = {};

    GPU_METHOD TileSums() {
        GPU_UNROLL for (int i = 0; i < Tile::row_tiles; ++i) most[i][0] = most[i][1] = -INFINITY;
    }
    /// Turns scores into weights, and rescales the sums to the largest score so far.
    GPU_METHOD void weigh(float (&score)[Tile::row_tiles][Tile::key_tiles][4], float factor) {
        GPU_UNROLL for (int i = 0; i < Tile::row_tiles; ++i)
            GPU_UNROLL for (int r = 0; r < 2; ++r) {
            float best = -INFINITY;
            GPU_UNROLL for (int t = 0; t < Tile::key_tiles; ++t)
                GPU_UNROLL for (int e = 2 * r; e < 2 * r + 2; ++e) best =
                    std::fmax(best, score[i][t][e]);
            best = std::fmax(best, shuffle_xor(best, 1));
            best = std::fmax(best, shuffle_xor(best, 2));
            if (best < least_score && best > -INFINITY) {
                GPU_UNROLL for (int t = 0; t < Tile::key_tiles; ++t)
                    GPU_UNROLL for (int e = 2 * r; e < 2 * r + 2; ++e) score[i][t][e] =
                        nearer_score(score[i][t][e]);
                best = nearer_score(best);
            }
            best = std::fmax(most[i][r], best * factor);
            const float base = best == -INFINITY ? 0.0f : best,
                        shrink = power_of_two(most[i][r] - base);
            most[i][r] = best;
            total[i][r] *= shrink;
            GPU_UNROLL for (int t = 0; t < Tile::key_tiles; ++t)
                GPU_UNROLL for (int e = 2 * r; e < 2 * r + 2; ++e) {
                score[i][t][e] = power_of_two(multiply_add(score[i][t][e], factor, -base));
                total[i][r] += score[i][t][e];
            }
            GPU_UNROLL for (int t = 0; t < Tile::value_tiles; ++t)
                GPU_UNROLL for (int e = 2 * r; e < 2 * r + 2; ++e) sum[i][t][e] *= shrink;
        }
    }
    /// Writes the results to the block's memory, in words `step` apart, where the thread of another
    /// group that has the same rows joins them.
    GPU_METHOD void leave(float* to, int step) const {
        GPU_UNROLL for (int i = 0; i < Tile::row_tiles; ++i) {
            GPU_UNROLL for (int r = 0; r < 2; ++r, to += 2 * step) to[0] = most[i][r],
                                                                   to[step] = total[i][r];
            GPU_UNROLL for (int t = 0; t < Tile::value_tiles; ++t)
                GPU_UNROLL for (int e = 0; e < 4; ++e, to += step)* to = sum[i][t][e];
        }
    }
    GPU_METHOD void join(const float* from, int step) {
        GPU_UNROLL for (int i = 0; i < Tile::row_tiles; ++i) {
            float share[2], other_share[2];
            GPU_UNROLL for (int r = 0; r < 2; ++r, from += 2 * step) {
                const float larger = std::fmax(most[i][r], from[0]),
                            base = larger == -INFINITY ? 0.0f : larger;
                share[r] = power_of_two(most[i][r] - base);
                other_share[r] = power_of_two(from[0] - base);
                most[i][r] = larger;
                total[i][r] = total[i][r] * share[r] + from[step] * other_share[r];
            }
            GPU_UNROLL for (int t = 0; t < Tile::value_tiles; ++t)
                GPU_UNROLL for (int e = 0; e < 4; ++e, from += step) sum[i][t][e] =
                    sum[i][t][e] * share[e / 2] + *from * other_share[e / 2];
        }
    }
    static constexpr int words = Tile::row_tiles * 4 * (Tile::value_tiles + 1);  // of a thread
    /// Adds up the sums of weights of the four threads of a row.
    GPU_METHOD void add_up_totals() {
        GPU_UNROLL for (int i = 0; i < Tile::row_tiles; ++i)
            GPU_UNROLL for (int r = 0; r < 2; ++r) {
            total[i][r] += shuffle_xor(total[i][r], 1);
            total[i][r] += shuffle_xor(total[i][r], 2);
        }
    }
};

/// Stores the result of one part of a row's keys.
template <typename Tile>
GPU_DEVICE void store_parts(const AttentionArgs& args, const TileSums<Tile>& seen,
                            const AttentionBlock& block, int first, int lane) {
    GPU_UNROLL for (int i = 0; i < Tile::row_tiles; ++i) GPU_UNROLL for (int r = 0; r < 2; ++r) {
        const int query = first + i * 16 + r * 8;
        if (query >= args.queries) continue;
        const PartOfQuery part = part_of(args, block.slice, block.batch, block.head, query);
        GPU_UNROLL for (int t = 0; t < Tile::value_tiles; ++t)
            GPU_UNROLL for (int e = 0; e < 2; ++e) {
            const int column = t * 8 + lane % 4 * 2 + e;
            if (column < args.value_size) part.sums[column] = seen.sum[i][t][2 * r + e];
        }
        if (lane % 4 == 0) {
            *part.most = seen.most[i][r];
            *part.total = seen.total[i][r];
        }
    }
}

/// Writes a thread's results to the rows of the block in shared memory, which is free by then.
template <typename Tile>
GPU_DEVICE void leave_rows(const AttentionArgs& args, const TileSums<Tile>& seen,
                           typename Tile::T* rows, int first_row, int lane) {
    using T = typename Tile::T;
    GPU_UNROLL for (int i = 0; i < Tile::row_tiles; ++i) GPU_UNROLL for (int r = 0; r < 2; ++r) {
        const bool is_blind = seen.total[i][r] == 0;  // NaN is none of these
        const float share = is_blind ? 0.0f : 1 / seen.total[i][r];
        T* const row = rows + (first_row + i * 16 + r * 8 + lane / 4) * Tile::pitch + lane % 4 * 2;
        GPU_UNROLL for (int t = 0; t < Tile::value_tiles; ++t) {
            const float low = seen.sum[i][t][2 * r] * share,
                        high = seen.sum[i][t][2 * r + 1] * share;
            Tile::Operands::store_pair(row + t * 8, is_blind ? args.blind : low,
                                       is_blind ? args.blind : high);
        }
    }
}
template <typename Tile>
GPU_DEVICE void store_rows(const AttentionArgs& args, const AttentionBlock& block,
                           const typename Tile::T* rows, bool in_pieces) {
    using T = typename Tile::T;
    constexpr int piece = per_piece<T>;
    const int thread = static_cast<int>(thread_index()), first = block.tile * Tile::queries;
    T* const y =
        static_cast<T*>(args.y) + place_of(args.y_strides, block.batch, block.head, first, 0);
    if (in_pieces) {
        constexpr int pieces = Tile::size / piece;
        GPU_UNROLL for (int j = 0; j < Tile::queries * pieces / Tile::threads; ++j) {
            const int i = thread + j * Tile::threads, r = i / pieces, c = i % pieces * piece;
            if (first + r < args.queries && c < args.value_size)
                *reinterpret_cast<Piece*>(y + static_cast<long long>(r) * args.y_strides.row + c) =
                    piece_at(rows + r * Tile::pitch + c);
        }
    } else {
        GPU_ROLLED for (int i = thread; i < Tile::queries * Tile::size; i += Tile::threads) {
            const int r = i / Tile::size, c = i % Tile::size;
            if (first + r < args.queries && c < args.value_size)
                y[static_cast<long long>(r) * args.y_strides.row +
                  static_cast<long long>(c) * args.y_strides.column] = rows[r * Tile::pitch + c];
        }
    }
}

/// The keys that a block goes over: those of its part that any of its queries sees, beginning at a
/// multiple of the tile.
struct KeyRange {
    int begin, end;
};
template <typename Tile>
GPU_DEVICE KeyRange keys_of_block(const AttentionArgs& args, const AttentionBlock& block,
                                  int length) {
    const int part = block.slice * args.part_keys, first = block.tile * Tile::queries;
    KeyRange range{part, args.keys - part < args.part_keys ? args.keys : part + args.part_keys};
    if (!args.length_filters && length < range.end) range.end = length;
    if (args.is_causal) {
        const int last =
            first + Tile::queries < args.queries ? first + Tile::queries - 1 : args.queries - 1;
        const int end = causal_end(args, last, length);
        if (end < range.end) range.end = end;
        const int begin = args.window > 0 ? causal_end(args, first, length) - args.window : 0;
        if (begin > range.begin) range.begin += (begin - range.begin) / Tile::keys * Tile::keys;
    }
    return range;
}

/// The range of keys that each query of the block sees.
template <typename Tile>
GPU_DEVICE KeyRange keys_of_all(const AttentionArgs& args, const AttentionBlock& block, int length,
                                int end_of_block) {
    KeyRange range{0, end_of_block};
    if (!args.is_causal) return range;
    const int end = causal_end(args, block.tile * Tile::queries, length);
    if (end < range.end) range.end = end;
    if (args.window > 0) range.begin = end + Tile::queries - 1 - args.window;
    return range;
}

/// The end of a block: joins the results of its groups and stores them.
template <typename Tile>
GPU_DEVICE void finish_block(const AttentionArgs& args, TileSums<Tile>& seen,
                             const AttentionBlock& block, typename Tile::T* qs,
                             typename Tile::T* ring, int first_row, int group, bool in_pieces) {
    using T = typename Tile::T;
    const int thread = static_cast<int>(thread_index()), lane = thread % 32;
    seen.add_up_totals();
    copy_wait<0>();
    // after this, keys and queries are no longer read and all asynchronous copies are done
    block_barrier();
    if constexpr (Tile::groups > 1) {
        constexpr int of_group = TileSums<Tile>::words * Tile::group_threads;
        static_assert((Tile::groups - 1) * of_group * sizeof(float) <=
                      Tile::stages * Tile::stage * sizeof(T));
        float* const left = reinterpret_cast<float*>(ring) + thread % Tile::group_threads;
        if (group > 0) seen.leave(left + (group - 1) * of_group, Tile::group_threads);
        block_barrier();
        if (group == 0)
            GPU_UNROLL for (int other = 1; other < Tile::groups; ++other)
                seen.join(left + (other - 1) * of_group, Tile::group_threads);
    }
    if (args.parts > 1) {
        if (group == 0)
            store_parts<Tile>(args, seen, block, block.tile * Tile::queries + first_row + lane / 4,
                              lane);
        return;
    }
    if (group == 0) leave_rows<Tile>(args, seen, qs, first_row, lane);
    block_barrier();
    store_rows<Tile>(args, block, qs, in_pieces);
}

/// `Sync`: see tile_product.cuh.
template <typename Tile, typename Sync = AllSync>
GPU_GLOBAL void GPU_BLOCKS_OF(Tile::threads, Tile::blocks)
    attention_tiles(AttentionArgs args, AttentionReads reads) {
    kernel_begin();
    using T = typename Tile::T;
    GPU_SHARED_MEMORY(memory);
    T* const qs = reinterpret_cast<T*>(memory);
    T* const ring = qs + Tile::queries * Tile::pitch;
    const Sync sync;
    const int thread = static_cast<int>(thread_index()), lane = thread % 32;
    const int first_row = thread / 32 % 4 * 16 * Tile::row_tiles,
              group = thread / Tile::group_threads;
    const AttentionBlock block = attention_block(args, Tile::queries);
    const int length = length_of(args, block.batch), key_head = key_head_of(args, block.head);
    const int block_first = block.tile * Tile::queries;
    const T* const k =
        static_cast<const T*>(args.k) + place_of(args.k_strides, block.batch, key_head, 0, 0);
    const T* const v =
        static_cast<const T*>(args.v) + place_of(args.v_strides, block.batch, key_head, 0, 0);
    const KeyRange range = keys_of_block<Tile>(args, block, length);
    const auto fetch = [&](T* stage, int at) {
        fetch_rows<T, Tile::size, Tile::all_keys, Tile::threads>(stage, k, args.k_strides, at,
                                                                 range.end, args.size, reads.k);
        fetch_rows<T, Tile::size, Tile::all_keys, Tile::threads>(
            stage + Tile::all_keys * Tile::pitch, v, args.v_strides, at, range.end, args.value_size,
            reads.v);
        copy_commit();
    };
    fetch_rows<T, Tile::size, Tile::queries, Tile::threads>(
        qs, static_cast<const T*>(args.q) + place_of(args.q_strides, block.batch, block.head, 0, 0),
        args.q_strides, block_first, args.queries, args.size, reads.q);
    if (range.begin < range.end) fetch(ring, range.begin);

    MaskRows<Tile::rows> rows;
    GPU_UNROLL for (int r = 0; r < Tile::rows; ++r)
        rows.set(args, block.batch, block.head, r, block_first + first_row + r * 8 + lane / 4,
                 length, range.end);
    const bool plain = is_plain(args);
    const float factor = plain ? args.scale * log2_of_e : log2_of_e;
    const KeyRange of_all = keys_of_all<Tile>(args, block, length, range.end);
    TileSums<Tile> seen;
    std::uint32_t held[Tile::holds_queries ? Tile::steps : 1][Tile::row_tiles][4];
    T* stage = ring;
    for (int at = range.begin; at < range.end; at += Tile::all_keys) {
        BiasPairs<Tile::rows, Tile::key_tiles> pairs;
        const int first_key = at + group * Tile::keys + lane % 4 * 2;
        if (Tile::row_tiles == 1 && reads.has_bias_pairs) pairs.load(args, rows, first_key);
        sync.template copied<0>();
        sync.filled();
        T* const next = stage == ring ? ring + Tile::stage : ring;
        if (Tile::stages > 1 && at + Tile::all_keys < range.end) fetch(next, at + Tile::all_keys);
        if constexpr (Tile::holds_queries) {
            if (at == range.begin)
                GPU_UNROLL for (int step = 0; step < Tile::steps; ++step)
                    GPU_UNROLL for (int i = 0; i < Tile::row_tiles; ++i) take_queries<Tile>(
                        held[step][i], qs + (first_row + i * 16) * Tile::pitch, step, lane);
        }
        float score[Tile::row_tiles][Tile::key_tiles][4] = {};
        const T* const ks = stage + group * Tile::keys * Tile::pitch;
        multiply_keys<Tile>(score, held, qs + first_row * Tile::pitch, ks, lane);
        // more rows leave no registers to hold them in meanwhile
        if (Tile::row_tiles > 1 && reads.has_bias_pairs) pairs.load(args, rows, first_key);
        if (!plain)
            finish_scores(score, args, block.batch, rows, first_key, length, reads.has_bias_pairs,
                          pairs);
        if (at < of_all.begin || at + Tile::all_keys > of_all.end)
            hide_outside(score, rows, first_key);
        seen.weigh(score, factor);
        multiply_values<Tile>(seen.sum, score, ks + Tile::all_keys * Tile::pitch, lane);
        stage = next;
    }
    finish_block<Tile>(args, seen, block, qs, ring, first_row, group, reads.y);
}

/// Whether rows lie in pieces of 16 bytes, `per` elements each.
inline bool lies_in_pieces(const void* data, const HeadStrides& s, int columns, int per) {
    return s.column == 1 && reinterpret_cast<std::uintptr_t>(data) % 16 == 0 &&
           (s.batch | s.head | s.row | columns) % per == 0;
}

template <typename Tile>
void launch_tiles(Queue& queue, const AttentionArgs& args) {
    constexpr int per = per_piece<typename Tile::T>;
    AttentionReads reads{lies_in_pieces(args.q, args.q_strides, args.size, per),
                         lies_in_pieces(args.k, args.k_strides, args.size, per),
                         lies_in_pieces(args.v, args.v_strides, args.value_size, per),
                         lies_in_pieces(args.y, args.y_strides, args.value_size, per)};
    const HeadStrides& bias = args.bias_strides;
    reads.has_bias_pairs = args.bias && args.bias_type != 1 && bias.column == 1 &&
                           args.keys % 2 == 0 && (bias.batch | bias.head | bias.row) % 2 == 0 &&
                           reinterpret_cast<std::uintptr_t>(args.bias) % 4 == 0;
    const Grid grid = attention_grid(args, Tile::queries);
    constexpr unsigned threads = Tile::threads;
    prefer_shared_memory(queue, attention_tiles<Tile>);
    GPU_LAUNCH_SHARED((attention_tiles<Tile>), grid, threads, Tile::bytes, queue, args, reads);
}

}  // namespace lapidary::cuda
