// SPDX-License-Identifier: Apache-2.0
// The main loop of products of few rows on warpgroups: tiles of 64 x 64, of which two warpgroups take every other step
// along k, so that more is on its way at once, and add up what they have in the end.
#pragma once

#include "kernels/hopper/tile_product.cuh"

namespace lapidary::cuda {

struct SmallGroupTile {
    static constexpr int size = 64, stages = 6, pitch = size + 8, sums = size / 2, quads = sums / 4;
    static constexpr unsigned operand_bytes = size * group_depth * 2, stage_bytes = 2 * operand_bytes;
    static constexpr unsigned shared_bytes = stages * stage_bytes + 1024;
    static constexpr int results = size * size;
    static_assert(stages % 2 == 0, "a stage is always of the same warpgroup");
};

/// By the thread that copies: tiles of all steps from `begin` along k on, through the ring.
template <bool b_along_k, typename Sync>
GPU_DEVICE void copy_small_tiles(const GroupPlace& place, int begin, int steps, const TileMap& a, const TileMap& b,
                                 unsigned char* memory, barrier_t* full, barrier_t* empty, const Sync& sync) {
    for (int step = 0, stage = 0, round = 0; step < steps; ++step) {
        const int at = begin + step * group_depth;
        unsigned char* const of_a = memory + static_cast<unsigned>(stage) * SmallGroupTile::stage_bytes;
        if (round > 0) sync.emptied(empty + stage, static_cast<unsigned>(round - 1) % 2);
        barrier_expect(full + stage, SmallGroupTile::stage_bytes);
        copy_tile(of_a, a, place.of_a, place.row, at, full + stage);
        unsigned char* const of_b = of_a + SmallGroupTile::operand_bytes;
        if constexpr (b_along_k) copy_tile(of_b, b, place.of_b, place.column, at, full + stage);
        else copy_tile(of_b, b, place.of_b, at, place.column, full + stage);
        if (++stage == SmallGroupTile::stages) stage = 0, ++round;
    }
}

/// By warpgroup `group`: its sums of every other step.
template <typename T, bool b_along_k, typename Sync>
GPU_DEVICE void multiply_small_tiles(float (&sum)[SmallGroupTile::sums], int group, int steps,
                                     const unsigned char* memory, barrier_t* full, barrier_t* empty, const Sync& sync) {
    constexpr int stages = SmallGroupTile::stages;
    const int lane = static_cast<int>(thread_index()) % 32;
    int before = -1;  // the stage whose multiplications are going on
    for (int step = group, stage = group, round = 0; step < steps; step += 2) {
        const unsigned char* const of_a = memory + static_cast<unsigned>(stage) * SmallGroupTile::stage_bytes;
        const unsigned char* const of_b = of_a + SmallGroupTile::operand_bytes;
        sync.filled(full + stage, static_cast<unsigned>(round) % 2);
        group_hold(sum);
        group_fence();
        GPU_UNROLL for (int d = 0; d < group_depth; d += 16) group_multiply<T, b_along_k>(
            sum, operand_at(of_a + d * 2, 16),
            b_along_k ? operand_at(of_b + d * 2, 16) : operand_at(of_b + d * 128, SmallGroupTile::operand_bytes));
        group_commit();
        sync.template multiplied<1>();
        group_hold(sum);
        if (lane == 0 && before >= 0) barrier_arrive(empty + before);
        before = stage;
        stage += 2;
        if (stage >= stages) stage -= stages, ++round;
    }
    sync.template multiplied<0>();
    group_hold(sum);
}

/// 64 x 64 of a [m, k] times b [k, n] of halves or bfloat16s, of `depth` along k from `begin` on; operands as for
/// tile_product_groups(). Threads of the first warpgroup have the sums, as multiplications lay them out; all of the
/// ring is free then.
template <typename T, bool b_along_k, typename Sync = GroupSync>
GPU_DEVICE void tile_product_small(float (&sum)[SmallGroupTile::sums], const GroupPlace& place, int begin, int depth,
                                   const TileMap& a, const TileMap& b, unsigned char* memory,
                                   const Sync& sync = Sync()) {
    constexpr int stages = SmallGroupTile::stages, sums = SmallGroupTile::sums;
    auto* const full = reinterpret_cast<barrier_t*>(memory + stages * SmallGroupTile::stage_bytes);
    barrier_t* const empty = full + stages;
    const int thread = static_cast<int>(thread_index());
    if (thread == 0) {
        for (int s = 0; s < stages; ++s) {
            barrier_init(full + s, 1);
            barrier_init(empty + s, 4);  // each warp of the warpgroup that has it says that it is done
        }
        barrier_init_done();
    }
    block_barrier();
    const int steps = (depth + group_depth - 1) / group_depth;
    if (thread < 256) multiply_small_tiles<T, b_along_k>(sum, thread / 128, steps, memory, full, empty, sync);
    else if (thread == 256) copy_small_tiles<b_along_k>(place, begin, steps, a, b, memory, full, empty, sync);
    sync.read();
    auto* const other = reinterpret_cast<float*>(memory);
    if (thread >= 128 && thread < 256)
        GPU_UNROLL for (int i = 0; i < sums; ++i) other[i * 128 + thread - 128] = sum[i];
    block_barrier();
    if (thread < 128)
        GPU_UNROLL for (int i = 0; i < sums; ++i) sum[i] += other[i * 128 + thread];
    block_barrier();
}

}  // namespace lapidary::cuda
