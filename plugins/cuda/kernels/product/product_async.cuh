// SPDX-License-Identifier: Apache-2.0
// The kernel of product_async.h and its launches.
#pragma once

#include "gpu_shared.h"
#include "kernels/product/product_async.h"
#include "kernels/product/product_parts.cuh"
#include "kernels/product/tile_epilogue.cuh"
#include "kernels/product/tile_product_async.cuh"

namespace lapidary::cuda {

// The rings are deep enough to hide the latency of memory when a multiprocessor has only one block.
using ProductTile32 = AsyncTile<32, 32, 16, 16, 6, 3, 128>;
// eight warps: one block alone keeps a multiprocessor busy
using ProductTile64 = AsyncTile<64, 64, 32, 16, 4, 2, 128>;
using ProductTile128x64 = AsyncTile<128, 64, 64, 32, 4, 2>;
using ProductTile128 = AsyncTile<128, 128, 64, 64, 4, 2>;

/// Sums of one part in the order in which threads hold them, so that each thread reads back what it
/// wrote, four at a time.
template <typename Tile>
struct PartSums {
    static constexpr int quads = AsyncSums<Tile>::quads, results = Tile::m * Tile::n;

    GPU_DEVICE float* place_of(float* part, int quad) {
        return part + (quad * Tile::threads + static_cast<int>(thread_index())) * 4;
    }
    GPU_DEVICE void store(const AsyncSums<Tile>& sums, float* part) {
        GPU_UNROLL for (int q = 0; q < quads; ++q) {
            Quad<float> quad;
            GPU_UNROLL for (int e = 0; e < 4; ++e) quad.of[e] =
                sums.of[q / AsyncSums<Tile>::along_n][q % AsyncSums<Tile>::along_n][e];
            *reinterpret_cast<Quad<float>*>(place_of(part, q)) = quad;
        }
    }
    /// Adds the sums of all parts in order, after a fence; parts are `step` apart. 8 loads of four
    /// are in flight at once.
    GPU_DEVICE void add_up(AsyncSums<Tile>& sums, float* first, long long step, int parts) {
        constexpr int group = quads < 8 ? quads : 8, at_once = 8 / group;
        GPU_UNROLL for (int begin = 0; begin < quads; begin += group) {
            float total[group][4] = {};
            GPU_ROLLED for (int part = 0; part < parts; part += at_once) {
                float x[at_once][group][4];
                GPU_UNROLL for (int p = 0; p < at_once; ++p) if (part + p < parts)
                    GPU_UNROLL for (int q = 0; q < group; ++q)
                        load_fresh(place_of(first + (part + p) * step, begin + q), x[p][q]);
                GPU_UNROLL for (int p = 0; p < at_once; ++p) if (part + p < parts)
                    GPU_UNROLL for (int q = 0; q < group; ++q)
                        GPU_UNROLL for (int e = 0; e < 4; ++e) total[q][e] += x[p][q][e];
            }
            GPU_UNROLL for (int q = 0; q < group; ++q) GPU_UNROLL for (int e = 0; e < 4; ++e) {
                const int quad = begin + q;
                sums.of[quad / AsyncSums<Tile>::along_n][quad % AsyncSums<Tile>::along_n][e] =
                    total[q][e];
            }
        }
    }
};

template <typename T, typename Multiply, typename Tile, bool b_along_k>
GPU_GLOBAL void GPU_BLOCKS_OF(Tile::threads, Tile::blocks) product_async(ProductArgs args) {
    kernel_begin();
    GPU_SHARED_MEMORY(memory);
    auto* const staged = reinterpret_cast<float*>(memory);
    const TilePlace place = tile_place(static_cast<int>(block_x()), (args.m - 1) / Tile::m + 1,
                                       (args.n - 1) / Tile::n + 1);
    const int row0 = place.row * Tile::m, column0 = place.column * Tile::n;
    for (int item = static_cast<int>(block_z()); item < args.batch * args.parts;
         item += static_cast<int>(grid_z())) {
        const Part part = part_of(args, item);
        const Matrices<T> of = matrices_of<T>(args, part.batch);
        const long long b_row = b_along_k ? args.b_column : args.b_row;
        MatrixPieces<Tile, b_along_k, T> pieces(
            of.a + static_cast<long long>(row0) * args.a_row + part.begin, args.a_row,
            args.m - row0,
            of.b + static_cast<long long>(part.begin) * args.b_row +
                static_cast<long long>(column0) * args.b_column,
            b_row, args.n - column0, part.depth);
        AsyncSums<Tile> sums;
        tile_product_ring<Multiply, Tile, b_along_k>(sums, reinterpret_cast<T*>(memory), part.depth,
                                                     pieces);
        bool is_last = true;
        if (args.parts > 1) {
            const int results = args.batch * static_cast<int>(grid_x());
            const int result =
                part.batch * static_cast<int>(grid_x()) + static_cast<int>(block_x());
            const long long step = static_cast<long long>(results) * PartSums<Tile>::results;
            float* const first =
                args.partial + static_cast<long long>(result) * PartSums<Tile>::results;
            PartSums<Tile>::store(sums, first + (item - part.batch * args.parts) * step);
            is_last = is_last_part(args.counters + result, args.parts);
            if (is_last) PartSums<Tile>::add_up(sums, first, step, args.parts);
        }
        if (is_last) {
            sums.store(staged);
            block_barrier();
            store_tile<Tile::m, Tile::n, Tile::pitch, Tile::threads>(
                staged, args.epilogue,
                ResultTile<T>{of.y, of.output, row0, column0, args.m, args.n},
                static_cast<int>(thread_index()));
        }
        block_barrier();
    }
}

template <typename T, typename Multiply, typename Tile>
void launch_async_tile(Queue& queue, const ProductArgs& args) {
    const auto tiles = [](int size, int tile) {
        return static_cast<unsigned>((size - 1) / tile + 1);
    };
    const Grid grid = tile_grid(tiles(args.m, Tile::m), tiles(args.n, Tile::n),
                                static_cast<long long>(args.batch) * args.parts);
    constexpr unsigned threads = Tile::threads;
    if (is_along_n(args, per_piece<T>))
        GPU_LAUNCH_SHARED((product_async<T, Multiply, Tile, false>), grid, threads,
                          (AsyncStage<Tile, false, T>::bytes), queue, args);
    else
        GPU_LAUNCH_SHARED((product_async<T, Multiply, Tile, true>), grid, threads,
                          (AsyncStage<Tile, true, T>::bytes), queue, args);
}

template <typename T, typename Multiply>
void launch_async_size(Queue& queue, const ProductArgs& args, AsyncSize size) {
    switch (size) {
    case AsyncSize::of_32x32: launch_async_tile<T, Multiply, ProductTile32>(queue, args); break;
    case AsyncSize::of_64x64: launch_async_tile<T, Multiply, ProductTile64>(queue, args); break;
    case AsyncSize::of_128x64:
        launch_async_tile<T, Multiply, ProductTile128x64>(queue, args);
        break;
    default:
        // three products at once would need too many registers
        if constexpr (std::is_same_v<Multiply, MultiplyTf32x3>)
            launch_async_tile<T, Multiply, ProductTile128x64>(queue, args);
        else launch_async_tile<T, Multiply, ProductTile128>(queue, args);
    }
}

}  // namespace lapidary::cuda
