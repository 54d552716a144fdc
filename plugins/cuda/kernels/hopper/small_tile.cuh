// SPDX-License-Identifier: Apache-2.0
// The main loop of products of few rows on warpgroups. Tiles are 64 x 64; two warpgroups take
// alternate steps along k, so that more copies are in flight. Each block of a cluster has a part of
// k. The blocks send each other their sums, and every block finishes some rows of the tile.
#pragma once

#include "gpu_cluster.h"
#include "kernels/hopper/small_product.h"
#include "kernels/hopper/tile_product.cuh"
#include "kernels/product/tile_product.cuh"

namespace lapidary::cuda {

struct SmallGroupTile {
    static constexpr int size = small_group::tile, pitch = size + 8, sums = size / 2;
    static constexpr int row_pieces = size / 8;  // eight columns each; a thread finishes one
    static constexpr unsigned operand_bytes = small_group::operand_bytes,
                              stage_bytes = 2 * operand_bytes;
    static_assert(size == 64 && group_depth == small_group::depth_unit);
    static_assert(2 * size * pitch * sizeof(float) <= small_group::least_stages * stage_bytes);
};

/// Shared memory of a block: stages (one holds a and b of a step), their barriers, and the sums
/// that all blocks of the cluster send for the rows that this one finishes.
class SmallGroupRing {
public:
    int stages;

    GPU_METHOD SmallGroupRing(unsigned char* memory, int of_stages)
        : stages(of_stages), memory_(memory) {}
    GPU_METHOD unsigned char* a(int stage) const {
        return memory_ + static_cast<unsigned>(stage) * SmallGroupTile::stage_bytes;
    }
    GPU_METHOD unsigned char* b(int stage) const {
        return a(stage) + SmallGroupTile::operand_bytes;
    }
    GPU_METHOD barrier_t* full(int stage) const {
        return reinterpret_cast<barrier_t*>(a(stages)) + stage;
    }
    GPU_METHOD barrier_t* empty(int stage) const { return full(stages + stage); }
    GPU_METHOD float* came() const {
        return reinterpret_cast<float*>(a(stages) + small_group::barrier_bytes);
    }
    /// The sums of a warpgroup, in the memory of stages that are free by then. Rows are
    /// SmallGroupTile::pitch apart.
    GPU_METHOD float* staged(int group) const {
        return reinterpret_cast<float*>(memory_) +
               group * SmallGroupTile::size * SmallGroupTile::pitch;
    }
    GPU_METHOD barrier_t* sums() const { return full(2 * stages); }  // counts all sums that arrive
    /// Called by all threads of the block; it is a barrier for them. `rows`: rows of the tile that
    /// this block finishes as one part of a cluster.
    GPU_METHOD void begin(int parts, int rows) const {
        if (thread_index() == 0) {
            for (int s = 0; s < stages; ++s) {
                barrier_init(full(s), 1);
                // each warp of the warpgroup that reads it arrives once
                barrier_init(empty(s), 4);
            }
            barrier_init(sums(), 1);
            barrier_init_done();
            if (parts > 1)
                barrier_expect(sums(),
                               static_cast<unsigned>(parts * rows) * SmallGroupTile::size * 4);
        }
        block_barrier();
        if (parts > 1) cluster_arrive();
    }

private:
    unsigned char* memory_;
};

/// How the blocks of a cluster share out rows of a tile: row r is finished by block r % count, as
/// its row r / count.
struct RowShares {
    int count, most;  // number of blocks; most rows of a block

    GPU_METHOD RowShares(int parts)
        : count(parts), most((SmallGroupTile::size - 1) / parts + 1),
          inverse_((65535u + static_cast<unsigned>(parts)) / static_cast<unsigned>(parts)) {}
    GPU_METHOD int row_of_block(int row) const {
        // exact, since row is below 64
        return static_cast<int>(static_cast<unsigned>(row) * inverse_ >> 16);
    }

private:
    unsigned inverse_;
};

/// The work of a block: its tile, of which `rows` rows exist and `a_rows` are copied, and its part
/// along k. Also the tile whose b it prefetches to the cache, half of all columns away.
struct SmallGroupPart {
    GroupPlace place;
    int begin, steps, rows, a_rows, other_column;
};

/// How many of `rows` rows block `part` finishes.
GPU_DEVICE int finished_rows(int rows, int part, int parts) {
    return (rows - part + parts - 1) / parts;
}

/// Copies rows of a tile from a matrix, one step along k after the other.
class MatrixRows {
public:
    GPU_METHOD MatrixRows(const TileMap& map) : map_(map) {}
    GPU_METHOD const TileMap& map() const { return map_; }
    /// Copies the rows for this step of the part and moves on to the next step.
    GPU_METHOD void copy(void* to, const SmallGroupPart& part, int step, barrier_t* full) {
        copy_tile(to, map_, part.place.of_a, part.place.row, part.begin + step * group_depth, full);
    }

private:
    const TileMap& map_;
};

/// The copies, made by one thread. Stages are filled in order, b first: the first stages of b may
/// be copied before a may be read.
template <bool b_along_k, typename Rows = MatrixRows>
class SmallGroupCopies {
public:
    /// `a` stands at the part's first step.
    GPU_METHOD SmallGroupCopies(const SmallGroupPart& part, const Rows& a, const TileMap& b,
                                const SmallGroupRing& ring)
        : part_(part), a_(a), b_(b), ring_(ring),
          first_(part.steps < ring.stages ? part.steps : ring.stages) {}

    /// Copies b of as many steps as there are stages. Prefetches b of further steps, and b of
    /// another block that may not have started yet.
    GPU_METHOD void begin_b() const {
        for (int step = 0; step < first_; ++step) copy_b(step, step);
        prefetch_map(a_.map());
        GPU_ROLLED for (int step = first_; step < part_.steps; ++step)
            bring_nearer(step, part_.place.column);
        GPU_ROLLED for (int step = 0; step < part_.steps; ++step)
            bring_nearer(step, part_.other_column);
    }
    /// Copies a of the same steps.
    GPU_METHOD void begin_a() {
        for (int step = 0; step < first_; ++step) copy_a(step, step);
    }
    /// Copies all remaining steps.
    template <typename Sync>
    GPU_METHOD void run(const Sync& sync) {
        for (int step = first_, stage = 0, round = 0; step < part_.steps; ++step) {
            sync.emptied(ring_.empty(stage), static_cast<unsigned>(round) % 2);
            copy_b(step, stage);
            copy_a(step, stage);
            if (++stage == ring_.stages) stage = 0, ++round;
        }
    }

private:
    GPU_METHOD void bring_nearer(int step, int column) const {
        const int at = part_.begin + step * group_depth;
        if constexpr (b_along_k) prefetch_tile(b_, part_.place.of_b, column, at);
        else prefetch_tile(b_, part_.place.of_b, at, column);
    }
    GPU_METHOD void copy_b(int step, int stage) const {
        const int at = part_.begin + step * group_depth;
        barrier_t* const full = ring_.full(stage);
        barrier_expect(full,
                       SmallGroupTile::operand_bytes + static_cast<unsigned>(part_.a_rows) * 128);
        if constexpr (b_along_k)
            copy_tile(ring_.b(stage), b_, part_.place.of_b, part_.place.column, at, full);
        else copy_tile(ring_.b(stage), b_, part_.place.of_b, at, part_.place.column, full);
    }
    GPU_METHOD void copy_a(int step, int stage) {
        a_.copy(ring_.a(stage), part_, step, ring_.full(stage));
    }

    const SmallGroupPart& part_;
    Rows a_;
    const TileMap& b_;
    const SmallGroupRing& ring_;
    int first_;
};

/// Where threads wait. Tests pass a type that leaves a wait out, to see that the fault is found.
struct SmallGroupSync : GroupSync {
    GPU_METHOD void staged() const { block_barrier(); }  // both warpgroups' sums are there
    GPU_METHOD void begun() const { cluster_wait(); }    // all blocks of the cluster have begun
    // from all blocks
    GPU_METHOD void came(barrier_t* sums) const { barrier_wait_for_cluster(sums, 0); }
};

/// Called by warpgroup `group`: sums its alternate steps. A stage always belongs to the same
/// warpgroup.
template <typename T, bool b_along_k, typename Sync>
GPU_DEVICE void multiply_small_tiles(float (&sum)[SmallGroupTile::sums], int group, int steps,
                                     const SmallGroupRing& ring, const Sync& sync) {
    const int lane = static_cast<int>(thread_index()) % 32;
    int before = -1;  // the stage whose multiplications are in flight
    for (int step = group, stage = group, round = 0; step < steps; step += 2) {
        const unsigned char *const of_a = ring.a(stage), *const of_b = ring.b(stage);
        sync.filled(ring.full(stage), static_cast<unsigned>(round) % 2);
        group_hold(sum);
        group_fence();
        GPU_UNROLL for (int d = 0; d < group_depth; d += 16) group_multiply<T, b_along_k>(
            sum, operand_at(of_a + d * 2, 16),
            b_along_k ? operand_at(of_b + d * 2, 16)
                      : operand_at(of_b + d * 128, SmallGroupTile::operand_bytes));
        group_commit();
        sync.template multiplied<1>();
        group_hold(sum);
        if (lane == 0 && before >= 0) barrier_arrive(ring.empty(before));
        before = stage;
        stage += 2;
        if (stage >= ring.stages) stage -= ring.stages, ++round;
    }
    sync.template multiplied<0>();
    group_hold(sum);
}

/// Writes a warpgroup's sums, which are laid out as multiplications leave them, as a matrix.
GPU_DEVICE void stage_sums(const float (&sum)[SmallGroupTile::sums], float* staged, int thread) {
    struct alignas(8) Pair {
        float of[2];
    };
    const int lane = thread % 32, row = thread / 32 * 16 + lane / 4;
    GPU_UNROLL for (int i = 0; i < SmallGroupTile::sums; i += 2) {
        const Pair pair{{sum[i], sum[i + 1]}};
        *reinterpret_cast<Pair*>(staged + (row + i / 2 % 2 * 8) * SmallGroupTile::pitch +
                                 lane % 4 * 2 + i / 4 * 8) = pair;
    }
}

/// 64 x 64 of a [m, k] times b [k, n] of halves or bfloat16s, for the part's steps along k;
/// operands as for tile_product_groups(). `copies` has begun both. Afterwards the sums in
/// ring.staged() of both warpgroups have to be added.
template <typename T, bool b_along_k, typename Rows, typename Sync>
GPU_DEVICE void tile_product_small(SmallGroupCopies<b_along_k, Rows>& copies, int steps,
                                   const SmallGroupRing& ring, const Sync& sync) {
    const int thread = static_cast<int>(thread_index());
    float sum[SmallGroupTile::sums] = {};
    if (thread < 256) multiply_small_tiles<T, b_along_k>(sum, thread / 128, steps, ring, sync);
    else if (thread == 256) copies.run(sync);
    sync.read();
    if (thread < 256) stage_sums(sum, ring.staged(thread / 128), thread % 128);
    sync.staged();
}

/// Adds four or eight neighbouring sums of both warpgroups.
template <int count>
GPU_DEVICE void add_staged(const SmallGroupRing& ring, int row, int column, float (&v)[count]) {
    const float* const from = ring.staged(0) + row * SmallGroupTile::pitch + column;
    GPU_UNROLL for (int i = 0; i < count; i += 4) {
        const auto one = *reinterpret_cast<const Quad<float>*>(from + i);
        const auto other = *reinterpret_cast<const Quad<float>*>(
            from + SmallGroupTile::size * SmallGroupTile::pitch + i);
        GPU_UNROLL for (int e = 0; e < 4; ++e) v[i + e] = one.of[e] + other.of[e];
    }
}

/// Sends each block of the cluster the sums of the rows that it finishes, among the first `rows`.
/// This block is number `part`. Called by all threads of all blocks.
template <typename Sync>
GPU_DEVICE void give_sums(const SmallGroupRing& ring, int part, const RowShares& parts, int rows,
                          const Sync& sync) {
    constexpr int quads = SmallGroupTile::size / 4;
    const int thread = static_cast<int>(thread_index());
    float* const of_part = ring.came() + part * parts.most * SmallGroupTile::size;
    sync.begun();
    GPU_UNROLL_4 for (int i = thread; thread < 256 && i < rows * quads; i += 256) {
        const int row = i / quads, column = i % quads * 4, of_row = parts.row_of_block(row);
        float v[4];
        add_staged(ring, row, column, v);
        store_in_cluster(of_part + of_row * SmallGroupTile::size + column,
                         static_cast<unsigned>(row - of_row * parts.count), v, ring.sums());
    }
    sync.came(ring.sums());
}

/// Adds eight neighbours of a row that this block finishes, over all parts in order.
GPU_DEVICE void add_parts(const SmallGroupRing& ring, int row, int column, const RowShares& parts,
                          float (&v)[8]) {
    const int step = parts.most * SmallGroupTile::size;
    const float* const from = ring.came() + parts.row_of_block(row) * SmallGroupTile::size + column;
    GPU_UNROLL for (int e = 0; e < 8; ++e) v[e] = 0;
    GPU_UNROLL_4 for (int part = 0; part < parts.count; ++part) {
        GPU_UNROLL for (int i = 0; i < 8; i += 4) {
            const auto quad = *reinterpret_cast<const Quad<float>*>(from + part * step + i);
            GPU_UNROLL for (int e = 0; e < 4; ++e) v[i + e] += quad.of[e];
        }
    }
}

}  // namespace lapidary::cuda
