// SPDX-License-Identifier: Apache-2.0
#include "kernels/hopper/product.h"

#include "kernels/hopper/tile_product.cuh"
#include "kernels/tile_epilogue.cuh"

namespace lapidary::cuda {
namespace {

template <typename T, bool b_along_k>
GPU_GLOBAL void GPU_BLOCKS_OF(group_threads, group_blocks)
    product_groups(ProductArgs args, GPU_TILE_MAP a, GPU_TILE_MAP b) {
    kernel_begin();
    const int along_rows = (args.m - 1) / group_tile + 1, along_columns = (args.n - 1) / group_tile + 1;
    const int tiles = along_rows * along_columns, matrix = static_cast<int>(block_x()) / tiles;
    const TilePlace tile = tile_place(static_cast<int>(block_x()) % tiles, along_rows, along_columns);
    const bool is_one_a = args.batch == 1 || args.a_batch[0] == 0, is_one_b = args.batch == 1 || args.b_batch[0] == 0;
    const GroupPlace place{is_one_a ? 0 : matrix, is_one_b ? 0 : matrix, tile.row * group_tile,
                           tile.column * group_tile};
    const float* const sums = tile_product_groups<T, b_along_k>(place, args.k, a, b);
    const int thread = static_cast<int>(thread_index());
    if (thread >= 256) return;
    const long long output = static_cast<long long>(matrix) * args.m * args.n;
    store_tile<group_tile, group_tile, group_pitch, 256>(
        sums, args.epilogue,
        ResultTile<T>{static_cast<T*>(args.y) + output, output, place.row, place.column, args.m, args.n}, thread);
}

template <typename T>
void launch_groups(Queue& queue, const ProductArgs& args, Grid grid, const TileMap& a, const TileMap& b) {
    if (group_operand(args) == GroupOperand::along_k)
        GPU_LAUNCH_SHARED((product_groups<T, true>), grid, group_threads, group_shared_bytes, queue, args, a, b);
    else GPU_LAUNCH_SHARED((product_groups<T, false>), grid, group_threads, group_shared_bytes, queue, args, a, b);
}

unsigned tiles(int size) { return static_cast<unsigned>((size - 1) / group_tile + 1); }

/// Of an operand that has `step` elements from one matrix of a batch to the next, 0 where there is one for all.
TileShape in_batches(TileShape shape, const ProductArgs& args, std::int32_t step) {
    if (args.batch == 1 || step == 0) return shape;
    shape.matrices = args.batch;
    shape.matrix_bytes = std::int64_t{step} * 2;
    return shape;
}

}  // namespace

void launch_hopper_product(Queue& queue, const ProductArgs& args) {
    const bool along_k = group_operand(args) == GroupOperand::along_k;
    const TileShape of_a{args.a, args.m, args.k, std::int64_t{args.a_row} * 2, group_tile, group_depth};
    const TileShape of_b =
        along_k ? TileShape{args.b, args.n, args.k, std::int64_t{args.b_column} * 2, group_tile, group_depth}
                : TileShape{args.b, args.k, args.n, std::int64_t{args.b_row} * 2, group_depth, group_tile / 2};
    const TileMap a = make_tile_map(in_batches(of_a, args, args.a_batch[0]));
    const TileMap b = make_tile_map(in_batches(of_b, args, args.b_batch[0]));
    // less than the elements of the result, which 31 bits count
    const Grid grid{tiles(args.m) * tiles(args.n) * static_cast<unsigned>(args.batch), 1, 1};
    if (args.type == 10) launch_groups<half_t>(queue, args, grid, a, b);
    else launch_groups<bfloat_t>(queue, args, grid, a, b);
}

}  // namespace lapidary::cuda
