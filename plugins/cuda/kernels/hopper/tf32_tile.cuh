// SPDX-License-Identifier: Apache-2.0
// The main loop of products of floats in TF32 on warpgroups. They compute the transposed product:
// the second operand of a TF32 multiplication must lie along k, as a does, and the first one may
// come from registers, into which b is loaded however it lies. Floats of b are rounded to TF32.
// Those of a are rounded or truncated, as the device's copies do.
#pragma once

#include "kernels/hopper/tile_product.cuh"

namespace lapidary::cuda {

// elements along k of a stage and of a multiplication
inline constexpr int tf32_depth = 32, tf32_slice = 8;

/// The tile of a block. With 128 columns each of two warpgroups computes half of them. With 64
/// columns (`in_turns`) the warpgroups take alternate steps along k, so that more copies are in
/// flight for few tiles. `of_multiprocessor` blocks share a multiprocessor. A block alone on one
/// has a longer ring, and where kernels overlap, new blocks spread over all multiprocessors. Tiles
/// of 256 rows, always alone, read fewer bytes per product.
template <int along_m, bool in_turns, int of_multiprocessor = 2>
struct Tf32Tile {
    static_assert(of_multiprocessor == 1 || (of_multiprocessor == 2 && along_m <= 128));
    static constexpr int m = along_m, n = in_turns ? 64 : 128;
    static constexpr bool takes_turns = in_turns, splits = in_turns && m == 64;  // in parts along k
    static constexpr int stride = in_turns ? 2 : 1;  // from one step of a warpgroup to its next
    static constexpr unsigned a_bytes = m * tf32_depth * 4, b_bytes = n * tf32_depth * 4;
    static constexpr unsigned of_32_columns = 32 * tf32_depth * 4, stage_bytes = a_bytes + b_bytes;
    static constexpr unsigned ring_bytes = (along_m == 256           ? 192u
                                            : of_multiprocessor == 1 ? 144u
                                                                     : 96u)
                                           << 10;
    static constexpr int stages = static_cast<int>(ring_bytes / stage_bytes) / stride * stride;
    static constexpr unsigned shared_bytes = stages * stage_bytes + 1024;
    static constexpr int sums = m / 2, quads = sums / 4, results = m * n;
    static constexpr int pitch = n + 4;  // of sums in shared memory; one row for each row of a
    /// How many blocks per multiprocessor the compiler is made to assume, and how many groups of
    /// multiplications (groups_left) stay in flight while the warpgroup reads the next operands.
    /// The compiler serializes all multiplications when it expects to run out of registers. That
    /// happens with 64 sums if it assumes two blocks, although 112 registers are enough. It also
    /// happens with 128 sums if a group stays in flight; there the other warpgroup's
    /// multiplications overlap instead.
    static constexpr int assumed_blocks_per_multiprocessor = sums > 32 ? 1 : of_multiprocessor,
                         groups_left = sums > 64 ? 0 : 1;
    static_assert(stages % stride == 0, "a stage is always of the same warpgroup");
    static_assert(m * pitch * sizeof(float) <= stages * stage_bytes);
};

/// Steps along k of a block: `count` of them from `begin` on.
struct Tf32Steps {
    int begin, count;
};

/// Copies the tile of b at `at` along k. `full` expects the bytes of the whole stage.
template <typename Tile, bool b_along_k>
GPU_DEVICE void copy_tf32_tile_of_b(const GroupPlace& place, int at, const TileMap& b,
                                    unsigned char* stage, barrier_t* full) {
    unsigned char* const of_b = stage + Tile::a_bytes;
    barrier_expect(full, Tile::stage_bytes);
    if constexpr (b_along_k) {
        copy_tile(of_b, b, place.of_b, place.column, at, full);
    } else {
        GPU_UNROLL for (int c = 0; c < Tile::n; c += 32)
            copy_tile(of_b + static_cast<unsigned>(c / 32) * Tile::of_32_columns, b, place.of_b, at,
                      place.column + c, full);
    }
}

/// By the copying thread: copies b for as many steps as the ring has stages, and returns their
/// number.
template <typename Tile, bool b_along_k>
GPU_DEVICE int copy_tf32_ahead(const GroupPlace& place, const Tf32Steps& steps, const TileMap& b,
                               unsigned char* memory, barrier_t* full) {
    const int ahead = steps.count < Tile::stages ? steps.count : Tile::stages;
    for (int step = 0; step < ahead; ++step)
        copy_tf32_tile_of_b<Tile, b_along_k>(
            place, steps.begin + step * tf32_depth, b,
            memory + static_cast<unsigned>(step) * Tile::stage_bytes, full + step);
    return ahead;
}

/// By the copying thread: copies the tiles of all steps through the ring, except b of the first
/// `ahead` steps.
template <typename Tile, bool b_along_k, typename Sync>
GPU_DEVICE void copy_tf32_tiles(const GroupPlace& place, const Tf32Steps& steps, int ahead,
                                const TileMap& a, const TileMap& b, unsigned char* memory,
                                barrier_t* full, barrier_t* empty, const Sync& sync) {
    for (int step = 0, stage = 0, round = 0; step < steps.count; ++step) {
        const int at = steps.begin + step * tf32_depth;
        unsigned char* const of_stage = memory + static_cast<unsigned>(stage) * Tile::stage_bytes;
        if (round > 0) sync.emptied(empty + stage, static_cast<unsigned>(round - 1) % 2);
        if (step >= ahead)
            copy_tf32_tile_of_b<Tile, b_along_k>(place, at, b, of_stage, full + stage);
        copy_tile(of_stage, a, place.of_a, place.row, at, full + stage);
        if (++stage == Tile::stages) stage = 0, ++round;
    }
}

/// The first of two columns of b, out of 64, that a thread of a warpgroup loads. They are chosen so
/// that reads of shared memory have no bank conflicts.
template <bool b_along_k>
struct Tf32Columns {
    static constexpr int to_other = b_along_k ? 8 : 1;
    GPU_DEVICE int first_of(int thread) {
        const int warp = thread / 32, r = thread % 32 / 4;
        if constexpr (b_along_k) return warp * 16 + r;
        else return warp / 2 * 32 + r / 2 % 2 * 16 + warp % 2 * 8 + r / 4 * 4 + r % 2 * 2;
    }
};

/// Loads a thread's operand for the multiplication of a slice along k: two elements of each of its
/// columns of b, from a tile as it was copied.
template <bool b_along_k>
GPU_DEVICE void load_tf32_slice(std::uint32_t (&x)[4], const unsigned char* of_b, int slice,
                                int thread) {
    const int column = Tf32Columns<b_along_k>::first_of(thread), k = thread % 4;
    if constexpr (b_along_k) {  // a row for each column
        GPU_UNROLL for (int i = 0; i < 4; ++i) {
            const int piece = (slice * 2 + i / 2) ^ column % 8;
            x[i] = to_tf32(*reinterpret_cast<const float*>(of_b + (column + i % 2 * 8) * 128 +
                                                           piece * 16 + k * 4));
        }
    } else {  // rows along n, of 32 columns
        struct alignas(8) Pair {
            float of[2];
        };
        GPU_UNROLL for (int half = 0; half < 2; ++half) {
            const int row = k + half * 4, piece = column % 32 / 4 ^ row;
            const Pair pair = *reinterpret_cast<const Pair*>(
                of_b + column / 32 * (tf32_depth * 128) + (slice * tf32_slice + row) * 128 +
                piece * 16 + column % 4 * 4);
            x[half * 2] = to_tf32(pair.of[0]);
            x[half * 2 + 1] = to_tf32(pair.of[1]);
        }
    }
}

/// By a warpgroup: computes 64 rows of transposed sums over its steps. Multiplications are in
/// flight while threads read the next operands.
template <typename Tile, bool b_along_k, typename Sync>
GPU_DEVICE void multiply_tf32_tiles(float (&sum)[Tile::sums], int steps,
                                    const unsigned char* memory, barrier_t* full, barrier_t* empty,
                                    const Sync& sync) {
    constexpr int slices = tf32_depth / tf32_slice, together = slices / 2;
    const int group = static_cast<int>(thread_index()) / 128,
              thread = static_cast<int>(thread_index()) % 128;
    const int first = Tile::takes_turns ? group : 0;
    const unsigned of_group =
        Tile::takes_turns ? 0 : static_cast<unsigned>(group) * (Tile::b_bytes / 2);
    int before = -1;  // the stage whose multiplications are in flight
    for (int step = first, stage = first, round = 0; step < steps; step += Tile::stride) {
        const unsigned char* const of_a = memory + static_cast<unsigned>(stage) * Tile::stage_bytes;
        const unsigned char* const of_b = of_a + Tile::a_bytes + of_group;
        sync.filled(full + stage, static_cast<unsigned>(round) % 2);
        GPU_UNROLL for (int half = 0; half < 2; ++half) {
            std::uint32_t x[together][4];
            GPU_UNROLL for (int i = 0; i < together; ++i)
                load_tf32_slice<b_along_k>(x[i], of_b, half * together + i, thread);
            group_hold(sum);
            group_fence();
            GPU_UNROLL for (int i = 0; i < together; ++i) group_multiply_tf32(
                sum, x[i], operand_at(of_a + (half * together + i) * (tf32_slice * 4), 16));
            group_commit();
            sync.template multiplied<Tile::groups_left>();
            group_hold(sum);
            if (half == 0 && thread % 32 == 0 && before >= 0) barrier_arrive(empty + before);
        }
        before = stage;
        stage += Tile::stride;
        if (stage >= Tile::stages) stage -= Tile::stages, ++round;
    }
    sync.template multiplied<0>();
    group_hold(sum);
}

/// Writes the thread's transposed sums, from number `first` on, to a matrix that is not transposed.
/// Its rows are Tile::pitch apart; `staged` is the first of the warpgroup's columns.
template <typename Tile, bool b_along_k, int count>
GPU_DEVICE void stage_tf32_sums(const float (&sum)[count], int first, float* staged, int thread) {
    struct alignas(8) Pair {
        float of[2];
    };
    const int column = Tf32Columns<b_along_k>::first_of(thread),
              row = thread % 4 * 2 + first / 4 * 8;
    GPU_UNROLL for (int i = 0; i < count; i += 4) GPU_UNROLL for (int j = 0; j < 2; ++j) {
        float* const to = staged + (row + i / 4 * 8 + j) * Tile::pitch + column;
        if constexpr (b_along_k) {
            to[0] = sum[i + j];
            to[Tf32Columns<b_along_k>::to_other] = sum[i + j + 2];
        } else {
            *reinterpret_cast<Pair*>(to) = {{sum[i + j], sum[i + j + 2]}};
        }
    }
}

/// Computes Tile::m x Tile::n of a [m, k] times b [k, n] of floats, over `depth` elements along k
/// from `begin` on. a lies along k; b along n, or along k (its map is then that of [n, k]).
/// Afterwards the threads of both warpgroups hold their transposed sums; where they take turns,
/// those of the first one hold all. The ring is free then. `begins` is called by all threads before
/// a is read; where `reads_b_early`, after copies of b have begun.
template <typename Tile, bool b_along_k, typename Begins, typename Sync = GroupSync>
GPU_DEVICE void tile_product_tf32(float (&sum)[Tile::sums], const GroupPlace& place, int begin,
                                  int depth, const TileMap& a, const TileMap& b,
                                  unsigned char* memory, bool reads_b_early, const Begins& begins,
                                  const Sync& sync = Sync()) {
    auto* const full = reinterpret_cast<barrier_t*>(memory + Tile::stages * Tile::stage_bytes);
    barrier_t* const empty = full + Tile::stages;
    const int thread = static_cast<int>(thread_index());
    if (thread == 0) {
        for (int s = 0; s < Tile::stages; ++s) {
            barrier_init(full + s, 1);
            // each warp that reads it arrives once
            barrier_init(empty + s, Tile::takes_turns ? 4 : 8);
        }
        barrier_init_done();
    }
    block_barrier();
    const Tf32Steps steps{begin, (depth + tf32_depth - 1) / tf32_depth};
    int ahead = 0;
    if (thread == 256) {
        if (reads_b_early) ahead = copy_tf32_ahead<Tile, b_along_k>(place, steps, b, memory, full);
        prefetch_map(a);
    }
    begins();
    if (thread < 256)
        multiply_tf32_tiles<Tile, b_along_k>(sum, steps.count, memory, full, empty, sync);
    else if (thread == 256)
        copy_tf32_tiles<Tile, b_along_k>(place, steps, ahead, a, b, memory, full, empty, sync);
    sync.read();
    if constexpr (Tile::takes_turns) {
        auto* const other = reinterpret_cast<float*>(memory);
        if (thread >= 128 && thread < 256)
            GPU_UNROLL for (int i = 0; i < Tile::sums; ++i) other[i * 128 + thread - 128] = sum[i];
        block_barrier();
        if (thread < 128)
            GPU_UNROLL for (int i = 0; i < Tile::sums; ++i) sum[i] += other[i * 128 + thread];
        block_barrier();
    }
}

}  // namespace lapidary::cuda
