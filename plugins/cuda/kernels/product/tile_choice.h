// SPDX-License-Identifier: Apache-2.0
// Chooses the main loop and tile size for products, and for convolutions computed as products, by
// their size.
#pragma once

#include <cstdint>

#include "kernels/elementwise/epilogue.h"

namespace lapidary::cuda {

enum class TileLoop : std::uint8_t {
    async_large,
    async_small,
    mma,
    exact_large,
    exact_small,
    exact_flat
};

struct TileChoice {
    TileLoop loop = TileLoop::exact_small;
    int rows = 32, columns = 64;  // of a tile
    unsigned threads = 64;        // of a block

    unsigned along_rows(int count) const { return static_cast<unsigned>((count - 1) / rows + 1); }
    unsigned along_columns(int count) const {
        return static_cast<unsigned>((count - 1) / columns + 1);
    }
};

/// Blocks that a device with many multiprocessors runs at once: about two on each.
inline constexpr long long enough_blocks = 256;

/// For `matrices` results of rows x columns each. `in_pieces`: operands are 16-bit floats in pieces
/// of 16 bytes.
inline TileChoice choose_tiles(Arithmetic arithmetic, bool in_pieces, int rows, int columns,
                               long long matrices) {
    if (in_pieces) {
        constexpr TileChoice large{TileLoop::async_large, 128, 64, 128};
        const bool fills =
            matrices * large.along_rows(rows) * large.along_columns(columns) >= enough_blocks;
        return rows > 64 && fills ? large : TileChoice{TileLoop::async_small, 64, 64, 128};
    }
    if (arithmetic != Arithmetic::exact) return {TileLoop::mma, 64, 64, 128};
    if (rows > 64 && columns > 64) return {TileLoop::exact_large, 128, 128, 256};
    if (rows > 16) return {TileLoop::exact_small, 32, 64, 64};
    return {TileLoop::exact_flat, 16, 128, 64};
}

/// Template arguments of the exact loop: the tile, then a thread's part of it.
#define LAPIDARY_EXACT_LARGE 128, 128, 8, 8
#define LAPIDARY_EXACT_SMALL 32, 64, 4, 8
#define LAPIDARY_EXACT_FLAT 16, 128, 4, 8

}  // namespace lapidary::cuda
