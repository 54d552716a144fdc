// SPDX-License-Identifier: Apache-2.0
// The main loop of products on warpgroups: one warp brings tiles through a ring of stages, two warpgroups multiply
// them. `full` barriers say that a stage has come, `empty` ones that all warps of both are done with it.
#pragma once

#include "gpu_hopper.h"

namespace lapidary::cuda {

inline constexpr int group_tile = 128, group_depth = 64, group_stages = 3;
inline constexpr int group_blocks = 2;  // of a multiprocessor: one stores its results while the other multiplies
inline constexpr unsigned group_threads = 288;  // two warpgroups that multiply, one warp that copies
inline constexpr unsigned group_tile_bytes = group_tile * group_depth * 2;  // of either operand
inline constexpr int group_pitch = group_tile + 8;  // of sums in shared memory
inline constexpr unsigned group_shared_bytes = group_stages * group_tile_bytes * 2 + 1024;

/// Where threads wait; tests plant bugs by one that leaves a wait out.
struct GroupSync {
    GPU_METHOD void filled(barrier_t* full, unsigned parity) const { barrier_wait(full, parity); }
    GPU_METHOD void emptied(barrier_t* empty, unsigned parity) const { barrier_wait(empty, parity); }
    template <int left>
    GPU_METHOD void multiplied() const {
        group_wait<left>();
    }
    GPU_METHOD void read() const { block_barrier(); }  // the ring may be overwritten
};

/// Tiles of one matrix of a and of b, and where those of the result begin there.
struct GroupPlace {
    int of_a = 0, of_b = 0, row = 0, column = 0;
};

/// By the thread that copies: tiles of T of all steps through the ring.
template <bool b_along_k, typename Sync>
GPU_DEVICE void copy_group_tiles(const GroupPlace& place, int steps, const TileMap& a, const TileMap& b,
                                 unsigned char* memory, barrier_t* full, barrier_t* empty, const Sync& sync) {
    constexpr unsigned stage_bytes = group_tile_bytes * 2, half_tile = group_tile_bytes / 2;
    for (int step = 0; step < steps; ++step) {
        const int stage = step % group_stages, round = step / group_stages, at = step * group_depth;
        unsigned char* const tile = memory + static_cast<unsigned>(stage) * stage_bytes;
        if (round > 0) sync.emptied(empty + stage, static_cast<unsigned>(round - 1) % 2);
        barrier_expect(full + stage, stage_bytes);
        unsigned char* const tile_b = tile + group_tile_bytes;
        copy_tile(tile, a, place.of_a, place.row, at, full + stage);
        if constexpr (b_along_k) {
            copy_tile(tile_b, b, place.of_b, place.column, at, full + stage);
        } else {
            copy_tile(tile_b, b, place.of_b, at, place.column, full + stage);
            copy_tile(tile_b + half_tile, b, place.of_b, at, place.column + group_tile / 2, full + stage);
        }
    }
}

/// By a warpgroup: its 64 rows of sums. Multiplications of a stage go on while the next one is awaited.
template <typename T, bool b_along_k, typename Sync>
GPU_DEVICE void multiply_group_tiles(float (&sum)[64], int steps, const unsigned char* memory, barrier_t* full,
                                     barrier_t* empty, const Sync& sync) {
    constexpr unsigned stage_bytes = group_tile_bytes * 2, half_tile = group_tile_bytes / 2;
    const int group = static_cast<int>(thread_index()) / 128, lane = static_cast<int>(thread_index()) % 32;
    for (int step = 0; step < steps; ++step) {
        const int stage = step % group_stages;
        const unsigned char* const of_a = memory + static_cast<unsigned>(stage) * stage_bytes + group * 64 * 128;
        const unsigned char* const of_b = memory + static_cast<unsigned>(stage) * stage_bytes + group_tile_bytes;
        sync.filled(full + stage, static_cast<unsigned>(step / group_stages) % 2);
        group_hold(sum);
        group_fence();
        GPU_UNROLL for (int d = 0; d < group_depth; d += 16)
            group_multiply<T, b_along_k>(sum, operand_at(of_a + d * 2, 16),
                                         b_along_k ? operand_at(of_b + d * 2, 16)
                                                   : operand_at(of_b + d * 128, half_tile));
        group_commit();
        sync.template multiplied<1>();
        group_hold(sum);
        if (lane == 0 && step > 0) barrier_arrive(empty + (step - 1) % group_stages);
    }
    sync.template multiplied<0>();
    group_hold(sum);
}

/// 128 x 128 of a [m, k] times b [k, n] of halves or bfloat16s from there on; b lies along its columns (n), or along k,
/// then its map is that of [n, k]. Gives the sums in shared memory, rows group_pitch apart.
template <typename T, bool b_along_k, typename Sync = GroupSync>
GPU_DEVICE const float* tile_product_groups(const GroupPlace& place, int k, const TileMap& a, const TileMap& b,
                                            const Sync& sync = Sync()) {
    GPU_SHARED_MEMORY(memory);
    static_assert(group_tile * group_pitch * sizeof(float) <= group_stages * group_tile_bytes * 2);
    auto* const full = reinterpret_cast<barrier_t*>(memory + group_stages * group_tile_bytes * 2);
    barrier_t* const empty = full + group_stages;
    const int thread = static_cast<int>(thread_index());
    if (thread == 0) {
        for (int s = 0; s < group_stages; ++s) {
            barrier_init(full + s, 1);
            barrier_init(empty + s, 8);  // each warp says that it is done
        }
        barrier_init_done();
    }
    block_barrier();
    const int steps = (k + group_depth - 1) / group_depth;
    float sum[64] = {};
    if (thread < 256) multiply_group_tiles<T, b_along_k>(sum, steps, memory, full, empty, sync);
    else if (thread == 256) copy_group_tiles<b_along_k>(place, steps, a, b, memory, full, empty, sync);
    sync.read();
    auto* const staged = reinterpret_cast<float*>(memory);
    if (thread < 256) {
        struct alignas(8) Pair {
            float of[2];
        };
        const int lane = thread % 32, row = thread / 128 * 64 + thread % 128 / 32 * 16 + lane / 4;
        GPU_UNROLL for (int i = 0; i < 64; i += 2) {
            const Pair pair{{sum[i], sum[i + 1]}};
            *reinterpret_cast<Pair*>(staged + (row + i / 2 % 2 * 8) * group_pitch + lane % 4 * 2 + i / 4 * 8) = pair;
        }
    }
    block_barrier();
    return staged;
}

}  // namespace lapidary::cuda
