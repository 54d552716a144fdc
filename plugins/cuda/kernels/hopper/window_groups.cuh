// SPDX-License-Identifier: Apache-2.0
// Convolutions with channels last on warpgroups. A block computes one tile of the result after the
// other. One warp copies the operands of all tiles into a ring of stages. Two warpgroups multiply,
// each of them alternate tiles. Another warp loads residuals and stores results. So one warpgroup
// multiplies while the other finishes its tile, and copies never wait for either. Rows are pixels
// of the output, columns are filters; along k lie the channels of the window's taps, one tap after
// the other.
#pragma once

#include "gpu_hopper.h"
#include "kernels/convolution/convolution.h"
#include "kernels/hopper/window_steps.cuh"
#include "kernels/load_store.cuh"
#include "kernels/convolution/window_epilogue.cuh"

namespace lapidary::cuda {

/// A tile of `rows` pixels and `of_columns` filters.
template <int of_columns>
struct WindowGroupTile {
    static_assert(of_columns == 64 || of_columns == 128);
    static constexpr int rows = 128, columns = of_columns, depth = 64,
                         stages = columns == 128 ? 5 : 8;
    static constexpr int sums = columns / 2;  // of a thread, of 64 rows
    // bytes of a and b
    static constexpr unsigned of_64_rows = 64 * 128, of_64_columns = depth * 128;
    static constexpr unsigned a_bytes = 2 * of_64_rows, b_bytes = of_64_columns * (columns / 64);
    static constexpr unsigned stage_bytes = a_bytes + b_bytes;
    static constexpr unsigned result_bytes = rows * columns * 2, of_64_results = rows * 128;
    static constexpr unsigned shared_bytes = stages * stage_bytes + 2 * result_bytes + 1024;
    static_assert(shared_bytes <= 227 * 1024 && depth == WindowSteps::channels);
};
// two warpgroups, one warp for operands and one for results
inline constexpr unsigned window_group_threads = 320;

/// Sizes of the product. Residuals and results are matrices over all pixels, and so is `x` where
/// is_flat.
struct WindowGroups : WindowSteps {
    int steps;                 // stages of a tile
    int tiles, along_columns;  // of the result; tiles of the same pixels are numbered consecutively
    int filters;
    bool is_flat;  // an output pixel reads only the input pixel at its place
};

/// Where threads wait. Tests pass a type that leaves a wait out, to see that the fault is found.
struct WindowGroupSync {
    GPU_METHOD void filled(barrier_t* full, unsigned parity) const { barrier_wait(full, parity); }
    GPU_METHOD void emptied(barrier_t* empty, unsigned parity) const {
        barrier_wait(empty, parity);
    }
    template <int left>
    GPU_METHOD void multiplied() const {
        group_wait<left>();
    }
    GPU_METHOD void turned(barrier_t* turn, unsigned parity) const { barrier_wait(turn, parity); }
    // the residual
    GPU_METHOD void given(barrier_t* ready, unsigned parity) const { barrier_wait(ready, parity); }
    GPU_METHOD void finished(barrier_t* done, unsigned parity) const { barrier_wait(done, parity); }
    GPU_METHOD void stored() const { store_wait(); }
};

/// Shared memory of a block and its barriers. `full`: a stage has arrived. `empty`: a warpgroup is
/// done with the stage. `turn`: the other warpgroup has seen all stages of its tile; without this a
/// waiting warpgroup could mistake a phase of `full` for the one two phases later, which has the
/// same parity. `ready`: the memory for a warpgroup's results is free and holds residuals. `done`:
/// it holds results.
template <typename Tile>
struct WindowGroupMemory {
    unsigned char *ring, *results;
    barrier_t *full, *empty, *turn, *ready, *done;

    GPU_METHOD explicit WindowGroupMemory(unsigned char* memory)
        : ring(memory), results(memory + Tile::stages * Tile::stage_bytes),
          full(reinterpret_cast<barrier_t*>(results + 2 * Tile::result_bytes)),
          empty(full + Tile::stages), turn(empty + Tile::stages), ready(turn + 2), done(ready + 2) {
    }
    GPU_METHOD void begin() const {
        for (int s = 0; s < Tile::stages; ++s) {
            barrier_init(full + s, 1);
            barrier_init(empty + s, 4);  // each warp of a warpgroup arrives once
        }
        for (int group = 0; group < 2; ++group) {
            barrier_init(turn + group, 4);
            barrier_init(ready + group, 1);
            barrier_init(done + group, 128);
        }
        barrier_init_done();
    }
    GPU_METHOD unsigned char* results_of(int group) const {
        return results + static_cast<unsigned>(group) * Tile::result_bytes;
    }
};

/// A position in the ring, counted in stages since the first one.
template <typename Tile>
struct RingPlace {
    int stage = 0, round = 0;
    GPU_METHOD void advance(int steps) {
        stage += steps;
        round += stage / Tile::stages;
        stage %= Tile::stages;
    }
};

/// Where tile `tile` of the result begins.
template <typename Tile>
GPU_DEVICE int first_pixel(const WindowGroups& g, int tile) {
    return tile / g.along_columns * Tile::rows;
}
template <typename Tile>
GPU_DEVICE int first_filter(const WindowGroups& g, int tile) {
    return tile % g.along_columns * Tile::columns;
}

/// By one thread: copies the operands of all tiles of the block.
template <typename Tile, typename Sync>
GPU_DEVICE void copy_operands(const WindowGroups& g, const TileMap& x, const TileMap& w,
                              const WindowGroupMemory<Tile>& memory, const Sync& sync) {
    RingPlace<Tile> at;
    for (int tile = static_cast<int>(block_x()); tile < g.tiles;
         tile += static_cast<int>(grid_x())) {
        const int pixel = first_pixel<Tile>(g, tile), filter = first_filter<Tile>(g, tile);
        WindowCopies windows(g, pixel);
        for (int step = 0; step < g.steps; ++step) {
            unsigned char* const a =
                memory.ring + static_cast<unsigned>(at.stage) * Tile::stage_bytes;
            barrier_t* const full = memory.full + at.stage;
            if (at.round > 0)
                sync.emptied(memory.empty + at.stage, static_cast<unsigned>(at.round - 1) % 2);
            barrier_expect(full, Tile::stage_bytes);
            if (g.is_flat) copy_tile(a, x, 0, pixel, step * Tile::depth, full);
            else windows.copy(a, x, full);
            GPU_UNROLL for (int c = 0; c < Tile::columns; c += 64)
                copy_tile(a + Tile::a_bytes + static_cast<unsigned>(c / 64) * Tile::of_64_columns,
                          w, 0, step * Tile::depth, filter + c, full);
            at.advance(1);
        }
    }
}

/// By one thread: loads residuals of all tiles of the block and stores their results, which take
/// the place of the residuals.
template <typename Tile, typename Sync>
GPU_DEVICE void move_results(const WindowGroups& g, bool has_residual, const TileMap& residual,
                             const TileMap& y, const WindowGroupMemory<Tile>& memory,
                             const Sync& sync) {
    const int step = static_cast<int>(grid_x()), first = static_cast<int>(block_x());
    const int count = first < g.tiles ? (g.tiles - 1 - first) / step + 1 : 0;
    for (int i = 0; i < count + 2; ++i) {
        const int group = i % 2;
        unsigned char* const of_group = memory.results_of(group);
        if (i >= 2) {
            const int tile = first + (i - 2) * step;
            if (i - 2 >= count) break;
            sync.finished(memory.done + group, static_cast<unsigned>(i / 2 - 1) % 2);
            GPU_UNROLL for (int c = 0; c < Tile::columns; c += 64)
                store_tile_at(of_group + static_cast<unsigned>(c / 64) * Tile::of_64_results, y, 0,
                              first_pixel<Tile>(g, tile), first_filter<Tile>(g, tile) + c);
            store_commit();
            sync.stored();
        }
        if (i >= count) continue;
        barrier_t* const ready = memory.ready + group;
        if (!has_residual) {
            barrier_arrive(ready);
            continue;
        }
        const int tile = first + i * step;
        barrier_expect(ready, Tile::result_bytes);
        GPU_UNROLL for (int c = 0; c < Tile::columns; c += 64)
            copy_tile(of_group + static_cast<unsigned>(c / 64) * Tile::of_64_results, residual, 0,
                      first_pixel<Tile>(g, tile), first_filter<Tile>(g, tile) + c, ready);
    }
}

/// By a warpgroup: computes the sums of a tile, whose operands are in the ring from `at` on.
/// Multiplications of a stage are in flight while it waits for the next one. Arrives on `next` when
/// the other warpgroup may follow.
template <typename Tile, typename Sync>
GPU_DEVICE void sum_tile(float (&low)[Tile::sums], float (&high)[Tile::sums], int steps,
                         RingPlace<Tile>& at, const WindowGroupMemory<Tile>& memory,
                         barrier_t* next, const Sync& sync) {
    const bool speaks = thread_index() % 32 == 0;
    int before = -1;  // the stage whose multiplications are in flight
    for (int step = 0; step < steps; ++step) {
        const unsigned char* const a =
            memory.ring + static_cast<unsigned>(at.stage) * Tile::stage_bytes;
        const unsigned char* const b = a + Tile::a_bytes;
        sync.filled(memory.full + at.stage, static_cast<unsigned>(at.round) % 2);
        group_hold(low);
        group_hold(high);
        group_fence();
        GPU_UNROLL for (int d = 0; d < Tile::depth; d += 16) {
            const std::uint64_t of_b = operand_at(b + d * 128, Tile::of_64_columns);
            group_multiply<half_t, false>(low, operand_at(a + d * 2, 16), of_b);
            group_multiply<half_t, false>(high, operand_at(a + Tile::of_64_rows + d * 2, 16), of_b);
        }
        group_commit();
        sync.template multiplied<1>();
        group_hold(low);
        group_hold(high);
        if (speaks && before >= 0) barrier_arrive(memory.empty + before);
        before = at.stage;
        at.advance(1);
    }
    if (speaks) barrier_arrive(next);
    sync.template multiplied<0>();
    group_hold(low);
    group_hold(high);
    if (speaks) barrier_arrive(memory.empty + before);
}

struct alignas(4) WindowPair {
    half_t of[2];
};

/// Replaces residuals by results, for 64 rows. A word holds two neighbouring results.
template <typename Tile, bool is_plain>
GPU_DEVICE void finish_rows(const float (&sum)[Tile::sums], const Epilogue& e, int filter,
                            int filters, unsigned char* rows) {
    // pieces whose bias and residuals are read before results are written
    constexpr int together = 4;
    const WindowEpilogue<is_plain> epilogue(e);
    const int lane = static_cast<int>(thread_index()) % 32,
              warp = static_cast<int>(thread_index()) % 128 / 32;
    const auto* const bias = static_cast<const half_t*>(e.bias);
    unsigned char* const row = rows + (warp * 16 + lane / 4) * 128 + lane % 4 * 4;
    const auto pair_at = [&](int piece, int half) {
        const int place = ((piece ^ lane / 4) % 8) * 16 + half * 8 * 128;
        return reinterpret_cast<WindowPair*>(
            row + static_cast<unsigned>(piece / 8) * Tile::of_64_results + place);
    };
    GPU_UNROLL for (int first = 0; first < Tile::columns / 8; first += together) {
        WindowPair of_bias[together] = {}, pair[together][2] = {};
        GPU_UNROLL for (int p = 0; p < together; ++p) {
            const int column = filter + (first + p) * 8;
            if (e.bias && column < filters)
                of_bias[p] = *reinterpret_cast<const WindowPair*>(bias + column + lane % 4 * 2);
        }
        if (e.residual)
            GPU_UNROLL for (int p = 0; p < together; ++p)
                GPU_UNROLL for (int half = 0; half < 2; ++half) pair[p][half] =
                    *pair_at(first + p, half);
        GPU_UNROLL for (int p = 0; p < together; ++p)
            GPU_UNROLL for (int half = 0; half < 2; ++half) {
            GPU_UNROLL for (int i = 0; i < 2; ++i) {
                half_t& element = pair[p][half].of[i];
                const float v = epilogue.finished(sum[(first + p) * 4 + half * 2 + i],
                                                  to_float(of_bias[p].of[i]), to_float(element));
                store_element(&element, v);
            }
            *pair_at(first + p, half) = pair[p][half];
        }
    }
}

/// By a warpgroup: computes alternate tiles of the block.
template <typename Tile, bool is_plain, typename Sync>
GPU_DEVICE void multiply_windows(const WindowGroups& g, const Epilogue& e,
                                 const WindowGroupMemory<Tile>& memory, const Sync& sync) {
    const int group = static_cast<int>(thread_index()) / 128, step = static_cast<int>(grid_x());
    unsigned char* const results = memory.results_of(group);
    RingPlace<Tile> at;
    at.advance(group * g.steps);
    unsigned round = 0;
    for (int tile = static_cast<int>(block_x()) + group * step; tile < g.tiles;
         tile += 2 * step, ++round) {
        float low[Tile::sums] = {}, high[Tile::sums] = {};
        if (group == 1 || round > 0)
            sync.turned(memory.turn + group, (round + (group == 0 ? 1u : 0u)) % 2);
        sum_tile<Tile>(low, high, g.steps, at, memory, memory.turn + (1 - group), sync);
        at.advance(g.steps);
        sync.given(memory.ready + group, round % 2);
        const int filter = first_filter<Tile>(g, tile);
        finish_rows<Tile, is_plain>(low, e, filter, g.filters, results);
        finish_rows<Tile, is_plain>(high, e, filter, g.filters, results + Tile::of_64_rows);
        shared_fence();
        barrier_arrive(memory.done + group);
    }
}

/// Tile maps: `x` in tiles of 128 rows, as windows or (flat) as a matrix; `w` [k, filters] in tiles
/// of 64 x 64; residuals and results in tiles of 128 x 64.
template <typename Tile, bool is_plain, typename Sync = WindowGroupSync>
GPU_GLOBAL void GPU_BLOCKS_OF(window_group_threads, 1)
    window_groups(WindowGroups g, Epilogue e, GPU_TILE_MAP x, GPU_TILE_MAP w, GPU_TILE_MAP residual,
                  GPU_TILE_MAP y) {
    GPU_SHARED_MEMORY(bytes);
    const WindowGroupMemory<Tile> memory(bytes);
    const int thread = static_cast<int>(thread_index());
    const Sync sync{};
    if (thread == 0) memory.begin();
    block_barrier();
    kernel_begin();
    if (thread < 256) multiply_windows<Tile, is_plain>(g, e, memory, sync);
    else if (thread == 256) copy_operands<Tile>(g, x, w, memory, sync);
    else if (thread == 288) move_results<Tile>(g, e.residual != nullptr, residual, y, memory, sync);
}

}  // namespace lapidary::cuda
