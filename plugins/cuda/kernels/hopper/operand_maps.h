// SPDX-License-Identifier: Apache-2.0
// Tile maps of the operands of a product that hopper_refusal() accepts.
#pragma once

#include "kernels/hopper/product.h"
#include "kernels/hopper/tile_product.cuh"

namespace lapidary::cuda {

/// The shape for an operand with `step` elements from one matrix of the batch to the next; 0: one
/// matrix for all.
inline TileShape in_batches(TileShape shape, const ProductArgs& args, std::int32_t step) {
    if (args.batch == 1 || step == 0) return shape;
    shape.matrices = args.batch;
    shape.matrix_bytes = std::int64_t{step} * (16 / elements_of_piece(args));
    return shape;
}
/// Elements in a row of a tile, which has 128 bytes.
inline std::int32_t columns_of_tile(const ProductArgs& args) { return 8 * elements_of_piece(args); }
/// A matrix of `rows` x `columns`, rows `row` elements apart, in tiles of `tile_rows`.
inline TileShape tile_shape(const ProductArgs& args, const void* data, std::int32_t rows,
                            std::int32_t columns, std::int32_t row, std::int32_t tile_rows) {
    TileShape shape{data,      rows,
                    columns,   std::int64_t{row} * (16 / elements_of_piece(args)),
                    tile_rows, columns_of_tile(args)};
    shape.element = args.type == 1 ? TileElement::tf32 : TileElement::of_16_bits;
    return shape;
}
/// a in tiles of `rows` rows.
inline TileMap tile_map_of_a(const ProductArgs& args, std::int32_t rows) {
    const TileShape shape = tile_shape(args, args.a, args.m, args.k, args.a_row, rows);
    return make_tile_map(in_batches(shape, args, args.a_batch[0]));
}
/// b in tiles of 128 bytes along n, or of `columns` columns where b lies along k.
inline TileMap tile_map_of_b(const ProductArgs& args, std::int32_t columns) {
    const TileShape shape =
        group_operand(args) == GroupOperand::along_k
            ? tile_shape(args, args.b, args.n, args.k, args.b_column, columns)
            : tile_shape(args, args.b, args.k, args.n, args.b_row,
                         columns_of_tile(args));  // as many elements along k as along n
    return make_tile_map(in_batches(shape, args, args.b_batch[0]));
}

}  // namespace lapidary::cuda
