// SPDX-License-Identifier: Apache-2.0
#include "kernels/hopper/small_product.h"

#include "kernels/hopper/operand_maps.h"
#include "kernels/hopper/small_block.cuh"

namespace lapidary::cuda {
namespace {

using Tile = SmallGroupTile;

template <typename T, bool b_along_k>
GPU_GLOBAL void GPU_BLOCKS_OF(group_threads, 2)
    product_small_groups(ProductArgs args, GPU_TILE_MAP a, GPU_TILE_MAP b, int stages) {
    GPU_SHARED_MEMORY(memory);
    const SmallGroupRing ring(memory, stages);
    const int along_rows = (args.m - 1) / Tile::size + 1,
              along_columns = (args.n - 1) / Tile::size + 1;
    const int tiles = along_rows * along_columns, result = static_cast<int>(block_x()),
              matrix = result / tiles;
    const TilePlace tile = tile_place(result % tiles, along_rows, along_columns);
    const SmallGroupPart of_block =
        small_group_part(args, matrix, tile, along_columns, static_cast<int>(block_z()));
    const long long output = static_cast<long long>(matrix) * args.m * args.n;
    small_group_block<T, b_along_k>(args, of_block, output, MatrixRows(a), b, ring);
}

template <typename T, bool b_along_k>
void launch_of(Queue& queue, const ProductArgs& args, const TileMap& a, const TileMap& b) {
    const Grid grid{static_cast<unsigned>(small_group::tiles_of(args)), 1,
                    static_cast<unsigned>(args.parts)};
    const std::int32_t stages = small_group::stages_of((args.part_depth - 1) / group_depth + 1,
                                                       small_group::tiles_of(args) * args.parts);
    GPU_LAUNCH_CLUSTERS((product_small_groups<T, b_along_k>), grid, group_threads,
                        small_group::shared_bytes(stages, args.parts),
                        small_group::most_shared_bytes, queue, args, a, b, stages);
}

}  // namespace

void launch_small_group_product(Queue& queue, const ProductArgs& given) {
    ProductArgs args = given;
    if (args.parts == 1) args.part_depth = args.k;
    const bool along_k = group_operand(args) == GroupOperand::along_k;
    const TileMap a = tile_map_of_a(args, small_group::copied_rows(args)),
                  b = tile_map_of_b(args, Tile::size);
    if (args.type == 10 && along_k) launch_of<half_t, true>(queue, args, a, b);
    else if (args.type == 10) launch_of<half_t, false>(queue, args, a, b);
    else if (along_k) launch_of<bfloat_t, true>(queue, args, a, b);
    else launch_of<bfloat_t, false>(queue, args, a, b);
}

}  // namespace lapidary::cuda
