// SPDX-License-Identifier: Apache-2.0
// Where operands of a product that hopper_refusal() does not refuse lie, for copies of tiles.
#pragma once

#include "kernels/hopper/product.h"
#include "kernels/hopper/tile_product.cuh"

namespace lapidary::cuda {

/// Of an operand that has `step` elements from one matrix of a batch to the next, 0 where there is one for all.
inline TileShape in_batches(TileShape shape, const ProductArgs& args, std::int32_t step) {
    if (args.batch == 1 || step == 0) return shape;
    shape.matrices = args.batch;
    shape.matrix_bytes = std::int64_t{step} * 2;
    return shape;
}
/// In tiles of so many rows.
inline TileMap tile_map_of_a(const ProductArgs& args, std::int32_t rows) {
    const TileShape shape{args.a, args.m, args.k, std::int64_t{args.a_row} * 2, rows, group_depth};
    return make_tile_map(in_batches(shape, args, args.a_batch[0]));
}
/// In tiles of 64 columns, or of so many where it lies along k.
inline TileMap tile_map_of_b(const ProductArgs& args, std::int32_t columns) {
    const TileShape shape =
        group_operand(args) == GroupOperand::along_k
            ? TileShape{args.b, args.n, args.k, std::int64_t{args.b_column} * 2, columns, group_depth}
            : TileShape{args.b, args.k, args.n, std::int64_t{args.b_row} * 2, group_depth, 64};
    return make_tile_map(in_batches(shape, args, args.b_batch[0]));
}

}  // namespace lapidary::cuda
