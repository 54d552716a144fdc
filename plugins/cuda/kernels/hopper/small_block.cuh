// SPDX-License-Identifier: Apache-2.0
// The work of a block for a product by tiles of small_tile.cuh, from the first copies to finished
// results. `Rows` says where rows of a come from.
#pragma once

#include "kernels/hopper/small_tile.cuh"
#include "kernels/product/tile_epilogue.cuh"

namespace lapidary::cuda {

/// The results that a thread of two warpgroups finishes: eight columns of every (32 * parts)-th
/// row. Bias and residual are read before the sums are complete.
template <typename T>
class SmallFinish {
public:
    GPU_METHOD SmallFinish(const Epilogue& e, const ResultTile<T>& to, int part, int parts)
        : to_(to), parts_(parts),
          row_(static_cast<int>(thread_index()) / SmallGroupTile::row_pieces * parts + part),
          column_(static_cast<int>(thread_index()) % SmallGroupTile::row_pieces * per),
          epilogue_(e, to.column + column_, count()) {
        const auto addresses =
            reinterpret_cast<std::uintptr_t>(to.y) | reinterpret_cast<std::uintptr_t>(e.residual);
        is_whole_ = to.columns % per == 0 && addresses % sizeof(Piece) == 0;
        GPU_UNROLL for (int i = 0; i < turns; ++i) if (has(i)) residual_[i] =
            epilogue_.residual_at(to.output + place(i), is_whole_);
    }
    /// sums(row, column, v) gives sums of the tile.
    template <typename Sums>
    GPU_METHOD void store(const Sums& sums) {
        // unrolled, the code would not fit the instruction cache
        GPU_ROLLED for (int i = 0; i < turns; ++i) {
            if (!has(i)) return;
            float v[per];
            sums(row_ + i * 32 * parts_, column_, v);
            epilogue_.apply(v, to_.row + row_ + i * 32 * parts_, residual_[0]);
            residual_[0] = residual_[1];
            epilogue_.store(to_.y + place(i), v, is_whole_);
        }
    }

private:
    static constexpr int per = per_piece<T>, turns = 2;
    static_assert(per == 8);

    GPU_METHOD int count() const {
        const int left = to_.columns - to_.column - column_, all = thread_index() < 256 ? per : 0;
        return left < all ? left : all;
    }
    GPU_METHOD bool has(int turn) const {
        const int row = row_ + turn * 32 * parts_;
        return count() > 0 && row < SmallGroupTile::size && to_.row + row < to_.rows;
    }
    GPU_METHOD long long place(int turn) const {
        return static_cast<long long>(to_.row + row_ + turn * 32 * parts_) * to_.columns +
               to_.column + column_;
    }

    ResultTile<T> to_;
    int parts_, row_, column_;
    PieceEpilogue<T> epilogue_;
    bool is_whole_;
    typename PieceEpilogue<T>::Residual residual_[turns] = {};
};

/// The work for tile `tile` of matrix `matrix`, part `part` along k.
GPU_DEVICE SmallGroupPart small_group_part(const ProductArgs& args, int matrix,
                                           const TilePlace& tile, int along_columns, int part) {
    const bool is_one_a = args.batch == 1 || args.a_batch[0] == 0,
               is_one_b = args.batch == 1 || args.b_batch[0] == 0;
    const int begin = part * args.part_depth, row = tile.row * SmallGroupTile::size,
              rows = args.m - row;
    const int depth = args.k - begin < args.part_depth ? args.k - begin : args.part_depth;
    return {{is_one_a ? 0 : matrix, is_one_b ? 0 : matrix, row, tile.column * SmallGroupTile::size},
            begin,
            (depth + group_depth - 1) / group_depth,
            rows < SmallGroupTile::size ? rows : SmallGroupTile::size,
            args.m >= SmallGroupTile::size ? SmallGroupTile::size : (args.m + 7) / 8 * 8,
            (tile.column + (along_columns + 1) / 2) % along_columns * SmallGroupTile::size};
}

/// Computes one part of a tile of y[m, n], whose elements begin at `output`. `rows` begins at this
/// part's place along k. It is a whole kernel: it calls kernel_begin() itself.
template <typename T, bool b_along_k, typename Rows, typename Sync = SmallGroupSync>
GPU_DEVICE void small_group_block(const ProductArgs& args, const SmallGroupPart& of_block,
                                  long long output, const Rows& rows, const TileMap& b,
                                  const SmallGroupRing& ring, const Sync& sync = Sync()) {
    const int part = static_cast<int>(block_z()), parts = args.parts;
    const RowShares shares(parts);
    SmallGroupCopies<b_along_k, Rows> copies(of_block, rows, b, ring);
    const bool has_constant_b = args.has_constant_b;
    ring.begin(parts, finished_rows(of_block.rows, part, parts));
    if (!has_constant_b) kernel_begin();
    if (thread_index() == 256) copies.begin_b();
    if (thread_index() == 0 && args.epilogue.bias && args.epilogue.bias_column == 1)
        fetch_to_cache(static_cast<const T*>(args.epilogue.bias) + of_block.place.column);
    if (has_constant_b) kernel_begin();
    if (thread_index() == 256) copies.begin_a();

    const ResultTile<T> to{static_cast<T*>(args.y) + output,
                           output,
                           of_block.place.row,
                           of_block.place.column,
                           args.m,
                           args.n};
    SmallFinish<T> finish(args.epilogue, to, part, parts);
    tile_product_small<T>(copies, of_block.steps, ring, sync);
    if (parts > 1) give_sums(ring, part, shares, of_block.rows, sync);
    finish.store([&](int row, int column, float(&v)[8]) {
        if (parts == 1) add_staged(ring, row, column, v);
        else add_parts(ring, row, column, shares, v);
    });
}

}  // namespace lapidary::cuda
