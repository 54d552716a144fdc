// SPDX-License-Identifier: Apache-2.0
#include "kernels/hopper/product.h"

#include "kernels/hopper/operand_maps.h"
#include "kernels/hopper/small_product.h"
#include "kernels/product/tile_epilogue.cuh"

namespace lapidary::cuda {
namespace {

template <typename T, typename Tile, bool b_along_k>
GPU_GLOBAL void GPU_BLOCKS_OF(group_threads, Tile::blocks)
    product_groups(ProductArgs args, GPU_TILE_MAP a, GPU_TILE_MAP b) {
    const int along_rows = (args.m - 1) / group_tile + 1,
              along_columns = (args.n - 1) / Tile::columns + 1;
    const int tiles = along_rows * along_columns, matrix = static_cast<int>(block_x()) / tiles;
    const TilePlace tile =
        tile_place(static_cast<int>(block_x()) % tiles, along_rows, along_columns);
    const bool is_one_a = args.batch == 1 || args.a_batch[0] == 0,
               is_one_b = args.batch == 1 || args.b_batch[0] == 0;
    const GroupPlace place{is_one_a ? 0 : matrix, is_one_b ? 0 : matrix, tile.row * group_tile,
                           tile.column * Tile::columns};
    const bool has_constant_b = args.has_constant_b;
    const float* const sums = tile_product_groups<T, Tile, b_along_k>(
        place, args.k, a, b, GroupSync(), [&](bool after_b) {
            if (after_b == has_constant_b) kernel_begin();
        });
    const int thread = static_cast<int>(thread_index());
    if (thread >= 256) return;
    const long long output = static_cast<long long>(matrix) * args.m * args.n;
    ResultTile<T> to{
        static_cast<T*>(args.y) + output, output, place.row, place.column, args.m, args.n};
    store_tile<group_tile, 128, Tile::pitch, 256>(sums, args.epilogue, to, thread);
    to.column += 128;
    if constexpr (Tile::columns == 192)
        store_tile<group_tile, 64, Tile::pitch, 256>(sums + 128, args.epilogue, to, thread);
}

template <typename T, typename Tile, bool b_along_k>
void launch_groups(Queue& queue, const ProductArgs& args, const TileMap& a, const TileMap& b) {
    const auto tiles = [](int size, int tile) {
        return static_cast<unsigned>((size - 1) / tile + 1);
    };
    // fewer than the elements of the result, so 31 bits are enough
    const Grid grid{tiles(args.m, group_tile) * tiles(args.n, Tile::columns) *
                        static_cast<unsigned>(args.batch),
                    1, 1};
    GPU_LAUNCH_SHARED((product_groups<T, Tile, b_along_k>), grid, group_threads,
                      (Tile::shared_bytes), queue, args, a, b);
}

template <typename Tile>
void launch_of(Queue& queue, const ProductArgs& args) {
    const bool along_k = group_operand(args) == GroupOperand::along_k;
    const TileMap a = tile_map_of_a(args, group_tile), b = tile_map_of_b(args, Tile::columns);
    if (args.type == 10 && along_k) launch_groups<half_t, Tile, true>(queue, args, a, b);
    else if (args.type == 10) launch_groups<half_t, Tile, false>(queue, args, a, b);
    else if (along_k) launch_groups<bfloat_t, Tile, true>(queue, args, a, b);
    else launch_groups<bfloat_t, Tile, false>(queue, args, a, b);
}

}  // namespace

ProductSplit hopper_split(const ProductArgs& args, HopperUse use) {
    if (args.type == 1) return tf32_plan(args).split;
    if (args.m == 1) return row_cluster_split(args);
    return takes_small_tiles(args, use) ? small_group_split(args) : ProductSplit{1, args.k, 0};
}

void launch_hopper_product(Queue& queue, const ProductArgs& args) {
    if (args.type == 1) launch_tf32_product(queue, args);
    else if (args.m == 1) launch_one_row_clusters(queue, args);
    else if (takes_small_tiles(args, queue.hopper)) launch_small_group_product(queue, args);
    else if (takes_wide_tiles(args)) launch_of<GroupTile<192>>(queue, args);
    else launch_of<GroupTile<128>>(queue, args);
}

}  // namespace lapidary::cuda
