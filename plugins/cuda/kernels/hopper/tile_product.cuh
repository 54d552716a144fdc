// SPDX-License-Identifier: Apache-2.0
// The main loop of products on warpgroups: one warp copies tiles into a ring of stages, two
// warpgroups multiply them. `full` barriers say that a stage has arrived, `empty` ones that all
// warps of both warpgroups are done with it.
#pragma once

#include "gpu_hopper.h"

namespace lapidary::cuda {

// rows of a tile, elements along k of a stage
inline constexpr int group_tile = 128, group_depth = 64;
// two warpgroups that multiply, one warp that copies
inline constexpr unsigned group_threads = 288;

/// The tile of a block. With 128 x 128 a multiprocessor holds two blocks, one of which stores
/// results while the other multiplies. 128 x 192 reads fewer bytes of shared memory per product.
template <int of_columns>
struct GroupTile {
    static_assert(of_columns == 128 || of_columns == 192);
    static constexpr int columns = of_columns, stages = columns == 128 ? 3 : 5,
                         blocks = columns == 128 ? 2 : 1;
    static constexpr int pitch = columns + 8;  // of sums in shared memory
    static constexpr int sums = columns / 2;   // of a thread
    static constexpr unsigned a_bytes = group_tile * group_depth * 2,
                              b_bytes = columns * group_depth * 2;
    static constexpr unsigned of_64_columns = 64 * group_depth * 2, stage_bytes = a_bytes + b_bytes;
    static constexpr unsigned shared_bytes = stages * stage_bytes + 1024;
    static_assert(group_tile * pitch * sizeof(float) <= stages * stage_bytes);
};

/// Where threads wait. Tests pass a type that leaves a wait out, to see that the fault is found.
struct GroupSync {
    GPU_METHOD void filled(barrier_t* full, unsigned parity) const { barrier_wait(full, parity); }
    GPU_METHOD void emptied(barrier_t* empty, unsigned parity) const {
        barrier_wait(empty, parity);
    }
    template <int left>
    GPU_METHOD void multiplied() const {
        group_wait<left>();
    }
    GPU_METHOD void read() const { block_barrier(); }  // the ring may be overwritten
};

/// The tile of a block: its matrices of a and b, and where its results begin.
struct GroupPlace {
    int of_a = 0, of_b = 0, row = 0, column = 0;
};

/// By the copying thread: copies b of a step to its stage; the stage's barrier expects a as well.
template <typename Tile, bool b_along_k>
GPU_DEVICE void copy_group_b(const GroupPlace& place, int step, const TileMap& b,
                             unsigned char* of_stage, barrier_t* full) {
    const int at = step * group_depth;
    unsigned char* const of_b = of_stage + Tile::a_bytes;
    barrier_expect(full, Tile::stage_bytes);
    if constexpr (b_along_k) {
        copy_tile(of_b, b, place.of_b, place.column, at, full);
    } else {
        GPU_UNROLL for (int c = 0; c < Tile::columns; c += 64)
            copy_tile(of_b + static_cast<unsigned>(c / 64) * Tile::of_64_columns, b, place.of_b, at,
                      place.column + c, full);
    }
}

/// By the copying thread: copies the tiles of all steps through the ring. b of the first steps, one
/// for each stage, has been copied before.
template <typename Tile, bool b_along_k, typename Sync>
GPU_DEVICE void copy_group_tiles(const GroupPlace& place, int steps, const TileMap& a,
                                 const TileMap& b, unsigned char* memory, barrier_t* full,
                                 barrier_t* empty, const Sync& sync) {
    for (int step = 0, stage = 0, round = 0; step < steps; ++step) {
        unsigned char* const of_stage = memory + static_cast<unsigned>(stage) * Tile::stage_bytes;
        if (round > 0) {
            sync.emptied(empty + stage, static_cast<unsigned>(round - 1) % 2);
            copy_group_b<Tile, b_along_k>(place, step, b, of_stage, full + stage);
        }
        copy_tile(of_stage, a, place.of_a, place.row, step * group_depth, full + stage);
        if (++stage == Tile::stages) stage = 0, ++round;
    }
}

/// By a warpgroup: computes its 64 rows of sums. Multiplications of a stage are in flight while it
/// waits for the next one.
template <typename T, typename Tile, bool b_along_k, typename Sync>
GPU_DEVICE void multiply_group_tiles(float (&sum)[Tile::sums], int steps,
                                     const unsigned char* memory, barrier_t* full, barrier_t* empty,
                                     const Sync& sync) {
    const int group = static_cast<int>(thread_index()) / 128,
              lane = static_cast<int>(thread_index()) % 32;
    for (int step = 0, stage = 0, round = 0; step < steps; ++step) {
        const unsigned char* const of_stage =
            memory + static_cast<unsigned>(stage) * Tile::stage_bytes;
        const unsigned char *const of_a = of_stage + group * 64 * 128, *const of_b =
                                                                           of_stage + Tile::a_bytes;
        sync.filled(full + stage, static_cast<unsigned>(round) % 2);
        group_hold(sum);
        group_fence();
        GPU_UNROLL for (int d = 0; d < group_depth; d += 16) group_multiply<T, b_along_k>(
            sum, operand_at(of_a + d * 2, 16),
            b_along_k ? operand_at(of_b + d * 2, 16)
                      : operand_at(of_b + d * 128, Tile::of_64_columns));
        group_commit();
        sync.template multiplied<1>();
        group_hold(sum);
        if (lane == 0 && step > 0) barrier_arrive(empty + (stage == 0 ? Tile::stages : stage) - 1);
        if (++stage == Tile::stages) stage = 0, ++round;
    }
    sync.template multiplied<0>();
    group_hold(sum);
}

struct HasBegun {
    GPU_METHOD void operator()(bool) const {}
};

/// 128 x Tile::columns of a [m, k] times b [k, n] of halves or bfloat16s from `place` on. b lies
/// along its columns (n), or along k; its map is then that of [n, k]. Leaves the sums in shared
/// memory, rows Tile::pitch apart. begin(false) is called before b is read, begin(true) before a is
/// read: one of them calls kernel_begin(), unless the caller did.
template <typename T, typename Tile, bool b_along_k, typename Sync = GroupSync,
          typename Begin = HasBegun>
GPU_DEVICE const float* tile_product_groups(const GroupPlace& place, int k, const TileMap& a,
                                            const TileMap& b, const Sync& sync = Sync(),
                                            const Begin& begin = Begin()) {
    GPU_SHARED_MEMORY(memory);
    auto* const full = reinterpret_cast<barrier_t*>(memory + Tile::stages * Tile::stage_bytes);
    barrier_t* const empty = full + Tile::stages;
    const int thread = static_cast<int>(thread_index());
    if (thread == 0) {
        for (int s = 0; s < Tile::stages; ++s) {
            barrier_init(full + s, 1);
            barrier_init(empty + s, 8);  // each warp arrives once
        }
        barrier_init_done();
    }
    block_barrier();
    const int steps = (k + group_depth - 1) / group_depth;
    begin(false);
    if (thread == 256) {
        for (int s = 0; s < Tile::stages && s < steps; ++s)
            copy_group_b<Tile, b_along_k>(
                place, s, b, memory + static_cast<unsigned>(s) * Tile::stage_bytes, full + s);
        prefetch_map(a);
    }
    begin(true);
    float sum[Tile::sums] = {};
    if (thread < 256)
        multiply_group_tiles<T, Tile, b_along_k>(sum, steps, memory, full, empty, sync);
    else if (thread == 256)
        copy_group_tiles<Tile, b_along_k>(place, steps, a, b, memory, full, empty, sync);
    sync.read();
    auto* const staged = reinterpret_cast<float*>(memory);
    if (thread < 256) {
        struct alignas(8) Pair {
            float of[2];
        };
        const int lane = thread % 32, row = thread / 128 * 64 + thread % 128 / 32 * 16 + lane / 4;
        GPU_UNROLL for (int i = 0; i < Tile::sums; i += 2) {
            const Pair pair{{sum[i], sum[i + 1]}};
            *reinterpret_cast<Pair*>(staged + (row + i / 2 % 2 * 8) * Tile::pitch + lane % 4 * 2 +
                                     i / 4 * 8) = pair;
        }
    }
    block_barrier();
    return staged;
}

}  // namespace lapidary::cuda
