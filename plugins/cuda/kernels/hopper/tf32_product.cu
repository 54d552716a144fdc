// SPDX-License-Identifier: Apache-2.0
#include "kernels/hopper/tf32_product.h"

#include "kernels/hopper/operand_maps.h"
#include "kernels/hopper/tf32_tile.cuh"
#include "kernels/product/product_parts.cuh"
#include "kernels/product/tile_epilogue.cuh"

namespace lapidary::cuda {
namespace {

/// Stores the sums of one part in the order in which the first warpgroup holds them.
template <int count>
GPU_DEVICE void store_part(const float (&sum)[count], float* part, int thread) {
    GPU_UNROLL for (int q = 0; q < count / 4; ++q) {
        Quad<float> quad;
        GPU_UNROLL for (int e = 0; e < 4; ++e) quad.of[e] = sum[q * 4 + e];
        *reinterpret_cast<Quad<float>*>(part + (q * 128 + thread) * 4) = quad;
    }
}

/// Adds the sums of all parts in order, after a fence; parts are `step` apart. Each of the two
/// warpgroups adds half of the sums.
template <typename Tile, bool b_along_k>
GPU_DEVICE void add_parts(const float* first, long long step, int parts, float* staged,
                          int thread) {
    constexpr int quads = Tile::quads / 2, at_once = 16 / quads;
    const int group = thread / 128, of_group = thread % 128;
    float total[quads * 4] = {};
    for (int part = 0; part < parts; part += at_once) {
        float x[at_once][quads][4];
        GPU_UNROLL for (int p = 0; p < at_once; ++p) if (part + p < parts)
            GPU_UNROLL for (int q = 0; q < quads; ++q) load_fresh(
                first + (part + p) * step + ((group * quads + q) * 128 + of_group) * 4, x[p][q]);
        GPU_UNROLL for (int p = 0; p < at_once; ++p) if (part + p < parts)
            GPU_UNROLL for (int q = 0; q < quads; ++q) GPU_UNROLL for (int e = 0; e < 4; ++e)
                total[q * 4 + e] += x[p][q][e];
    }
    stage_tf32_sums<Tile, b_along_k>(total, group * quads * 4, staged, of_group);
}

/// By the multiplying threads: prefetches to the device's cache the rest of the block's part of b,
/// for which the ring has no room. It is not prefetched as tiles, because the tile copies would
/// then queue behind it.
template <typename Tile, bool b_along_k>
GPU_DEVICE void fetch_later_b(const ProductArgs& args, const GroupPlace& place, int begin,
                              int depth, int thread) {
    constexpr int ahead = Tile::stages * tf32_depth, line = 32;  // floats
    const auto* const b =
        static_cast<const float*>(args.b) +
        (args.batch == 1 ? 0 : static_cast<long long>(place.of_b) * args.b_batch[0]);
    const int left = depth - ahead, rows = b_along_k ? Tile::n : left;
    const int lines = b_along_k ? (left + line - 1) / line : Tile::n / line;  // of a row
    for (int i = thread; left > 0 && i < rows * lines; i += 256) {
        const int row = i / lines, at = i % lines * line;
        const int k = begin + ahead + (b_along_k ? at : row),
                  column = place.column + (b_along_k ? row : at);
        if (column < args.n)
            fetch_to_cache(b + static_cast<long long>(k) * args.b_row +
                           static_cast<long long>(column) * args.b_column);
    }
}

template <typename Tile, bool b_along_k>
GPU_GLOBAL void GPU_BLOCKS_OF(group_threads, Tile::assumed_blocks_per_multiprocessor)
    product_tf32_groups(ProductArgs args, GPU_TILE_MAP a, GPU_TILE_MAP b) {
    GPU_SHARED_MEMORY(memory);
    const int along_rows = (args.m - 1) / Tile::m + 1, along_columns = (args.n - 1) / Tile::n + 1;
    const int tiles = along_rows * along_columns, result = static_cast<int>(block_x()),
              matrix = result / tiles;
    const TilePlace tile = tile_place(result % tiles, along_rows, along_columns);
    const bool is_one_a = args.batch == 1 || args.a_batch[0] == 0,
               is_one_b = args.batch == 1 || args.b_batch[0] == 0;
    const GroupPlace place{is_one_a ? 0 : matrix, is_one_b ? 0 : matrix, tile.row * Tile::m,
                           tile.column * Tile::n};
    const int part = static_cast<int>(block_z()), begin = part * args.part_depth;
    const int depth = args.k - begin < args.part_depth ? args.k - begin : args.part_depth;
    const int thread = static_cast<int>(thread_index());
    float sum[Tile::sums] = {};
    tile_product_tf32<Tile, b_along_k>(
        sum, place, begin, depth, a, b, memory, args.has_constant_b, [&] {
            if (Tile::takes_turns && args.has_constant_b && thread < 256)
                fetch_later_b<Tile, b_along_k>(args, place, begin, depth, thread);
            kernel_begin();
        });
    auto* const staged = reinterpret_cast<float*>(memory);
    if constexpr (Tile::splits) {
        if (args.parts > 1) {
            const long long step = static_cast<long long>(grid_x()) * Tile::results;
            float* const first = args.partial + static_cast<long long>(result) * Tile::results;
            if (thread < 128) store_part(sum, first + part * step, thread);
            if (!is_last_part(args.counters + result, args.parts)) return;
            if (thread < 256) add_parts<Tile, b_along_k>(first, step, args.parts, staged, thread);
        } else if (thread < 128) {
            stage_tf32_sums<Tile, b_along_k>(sum, 0, staged, thread);
        }
    } else if (thread < (Tile::takes_turns ? 128 : 256)) {
        stage_tf32_sums<Tile, b_along_k>(sum, 0, staged + thread / 128 * 64, thread % 128);
    }
    block_barrier();
    if (thread >= 256) return;
    const long long output = static_cast<long long>(matrix) * args.m * args.n;
    const ResultTile<float> to{
        static_cast<float*>(args.y) + output, output, place.row, place.column, args.m, args.n};
    store_tile<Tile::m, Tile::n, Tile::pitch, 256>(staged, args.epilogue, to, thread);
}

template <typename Tile>
void launch_of(Queue& queue, const ProductArgs& args) {
    const auto tiles = [](int size, int tile) {
        return static_cast<unsigned>((size - 1) / tile + 1);
    };
    // fewer along x than the elements of the result, so 31 bits are enough
    const Grid grid{
        tiles(args.m, Tile::m) * tiles(args.n, Tile::n) * static_cast<unsigned>(args.batch), 1,
        static_cast<unsigned>(args.parts)};
    const TileMap a = tile_map_of_a(args, Tile::m), b = tile_map_of_b(args, Tile::n);
    if (group_operand(args) == GroupOperand::along_k)
        GPU_LAUNCH_SHARED((product_tf32_groups<Tile, true>), grid, group_threads,
                          Tile::shared_bytes, queue, args, a, b);
    else
        GPU_LAUNCH_SHARED((product_tf32_groups<Tile, false>), grid, group_threads,
                          Tile::shared_bytes, queue, args, a, b);
}

/// Tiles for one block per multiprocessor, or for two.
template <int along_m>
void launch_turns(Queue& queue, const ProductArgs& args, const Tf32Tiles& c) {
    if (tf32_plan_of::tiles_of(args, c) * args.parts <= tf32_plan_of::multiprocessors)
        launch_of<Tf32Tile<along_m, true, 1>>(queue, args);
    else launch_of<Tf32Tile<along_m, true>>(queue, args);
}

}  // namespace

void launch_tf32_product(Queue& queue, const ProductArgs& given) {
    ProductArgs args = given;
    if (args.parts == 1) args.part_depth = args.k;
    args.counters = queue.counters;
    args.has_constant_b = args.has_constant_b && queue.overlaps;
    const Tf32Plan plan = tf32_plan(args);
    if (plan.tiles.m == 256) launch_of<Tf32Tile<256, false, 1>>(queue, args);
    else if (plan.tiles.n == 128) launch_of<Tf32Tile<128, false>>(queue, args);
    else if (plan.tiles.m == 128) launch_turns<128>(queue, args, plan.tiles);
    else launch_turns<64>(queue, args, plan.tiles);
}

}  // namespace lapidary::cuda
