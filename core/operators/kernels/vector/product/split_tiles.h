// SPDX-License-Identifier: Apache-2.0
// Products of float32 by tile registers that multiply bfloat16 (AMX).
//
// A float32 number is the sum of three bfloat16 numbers, its parts: the nearest bfloat16, the
// nearest one of what is left, and the rest, which fits the third exactly. With a1, a2, a3 and b1,
// b2, b3 the parts of two numbers, a b = a1 b1 + a1 b2 + a2 b1 + a2 b2 + a1 b3 + a3 b1, up to
// 2^-26 |a b|, a quarter of what one rounding of float32 loses. Each of these six products is exact
// in float32, and sums are float32. A part that is zero throughout a block is left out, which
// changes no result: numbers of float16 have two parts, those of bfloat16 one.
//
// Tile registers take numbers below 2^-126 as zero, in operands and results, and parts of very
// large numbers may overflow. SplitRange::fits() keeps blocks out that overflow, and rows and
// columns of small numbers alone. Beside a number of 2^-40 or more, those below 2^-109 lose parts:
// less than one rounding of that number, though more than one of the result where it meets zeros.
#pragma once

#include <cstdint>

#include "kernels/vector/isa.h"

namespace lapidary {

namespace split_tiles {
inline constexpr int parts = 3, tile_rows = 16, most_rows = 2 * tile_rows;
inline constexpr std::int64_t step = 32, pair_columns = 32, most_columns = 96, tile_elements = 512;
/// Steps that a depth takes; the last one is filled up with zeros.
constexpr std::int64_t steps(std::int64_t inner) { return (inner + step - 1) / step; }
/// Tiles of 16 rows that rows take.
constexpr std::int64_t heights(std::int64_t rows) { return (rows + tile_rows - 1) / tile_rows; }
/// 16-bit elements of a split left side of at most most_rows rows.
constexpr std::int64_t left_elements(std::int64_t rows, std::int64_t inner) {
    return heights(rows) * steps(inner) * parts * tile_elements;
}
/// Of a split right side with any number of columns: pairs of tiles, all steps of one after the
/// other.
constexpr std::int64_t pair_elements(std::int64_t inner) {
    return steps(inner) * parts * 2 * tile_elements;
}
constexpr std::int64_t right_elements(std::int64_t columns, std::int64_t inner) {
    return (columns + pair_columns - 1) / pair_columns * pair_elements(inner);
}
/// Where part `part` of element (i, k) of a left side of `rows` rows stands.
constexpr std::int64_t left_place(std::int64_t rows, std::int64_t i, std::int64_t k, int part) {
    return ((k / step * parts + part) * heights(rows) + i / tile_rows) * tile_elements +
           i % tile_rows * step + k % step;
}
/// Where part `part` of element (k, j) of a right side of depth `inner` stands.
constexpr std::int64_t right_place(std::int64_t inner, std::int64_t k, std::int64_t j, int part) {
    return j / pair_columns * pair_elements(inner) +
           ((k / step * parts + part) * 2 + j % pair_columns / tile_rows) * tile_elements +
           k % step / 2 * 32 + j % tile_rows * 2 + k % 2;
}
}  // namespace split_tiles

/// What was seen while numbers were split. Magnitudes are bits of a float without its sign.
struct SplitRange {
    std::uint32_t largest = 0;  // magnitude; of NaN above that of infinity
    // the smallest of the largest magnitudes of rows (columns of the right side); those of zeros
    // alone do not count
    std::uint32_t least = 0xffffffffu;
    int parts = 1;  // those behind are zero throughout

    /// Finite, below 2^58 so that no sum of parts overflows where that of floats would not, and
    /// with a number of 2^-40 in each row so that what counts as zero is far below the result.
    bool fits() const {
        constexpr std::uint32_t beyond = (127 + 58) << 23, smallest = (127 - 40) << 23;
        return largest < beyond && least >= smallest;
    }
    void add(const SplitRange& other) {
        if (other.largest > largest) largest = other.largest;
        if (other.least < least) least = other.least;
        if (other.parts > parts) parts = other.parts;
    }
};

/// Rows of A that become the left side of a tile.
struct SplitRows {
    const float* from = nullptr;  // element (i, k) at i * row_step + k / 16 * block_step + k % 16
    std::int64_t row_step = 0, block_step = 16;
    int rows = 0;  // at most most_rows
    std::int64_t inner = 0;
    std::uint16_t* to = nullptr;  // left_elements(rows, inner)
};

/// Columns of B that become a part of a right side.
struct SplitColumns {
    const float* from = nullptr;  // element (k, j) at k * stride + j
    std::int64_t stride = 0;
    std::int64_t inner = 0;
    std::int64_t columns = 0;
    std::int64_t first = 0;       // the place of the first one in the right side; 16 divides it
    std::uint16_t* to = nullptr;  // the whole right side
};

/// C[rows, columns] = scale A B + initial + bias + row_bias for one tile.
struct SplitTile {
    int rows = 0;  // at most most_rows
    std::int64_t steps = 0;
    std::int64_t columns = 0;              // at most most_columns
    const std::uint16_t* left = nullptr;   // of `rows` rows, from any step on
    const std::uint16_t* right = nullptr;  // from the same step on
    std::int64_t right_steps = 0;          // of the whole right side
    int left_parts = split_tiles::parts, right_parts = split_tiles::parts;
    // what the sums of each `factor_steps` steps are multiplied with, [blocks, most_columns], with
    // zeros behind the columns; none when null
    const float* factors = nullptr;
    std::int64_t factor_steps = 0;
    float* c = nullptr;
    std::int64_t c_stride = 0;  // from row to row
    std::int64_t c_block = 16;  // from 16 columns to the next, of C and of `initial`
    float scale = 1;
    const float* initial = nullptr;  // as C, may be C; none when null
    std::int64_t initial_stride = 0;
    const float* bias = nullptr;      // one per column; none when null
    const float* row_bias = nullptr;  // one per row; none when null
};

struct SplitTileKernels {
    SplitRange (*split_rows)(const SplitRows& rows);
    SplitRange (*split_columns)(const SplitColumns& columns);
    void (*multiply)(const SplitTile& tile);
    /// Products of tiles in registers, the limit of a core; returns operations of float32 (2 per
    /// multiply-add), which take six products of parts.
    std::int64_t (*peak)(std::int64_t repeats);
};

#if defined(__x86_64__) && defined(__linux__) && !defined(LAPIDARY_BASELINE_ONLY)
namespace avx512_amx {
const SplitTileKernels& split_tile_kernels();
}
#endif

/// Null: the instruction set in use has no tiles.
inline const SplitTileKernels* split_tile_kernels() {
#if defined(__x86_64__) && defined(__linux__) && !defined(LAPIDARY_BASELINE_ONLY)
    if (active_isa() == Isa::avx512_amx) return &avx512_amx::split_tile_kernels();
#endif
    return nullptr;
}

}  // namespace lapidary
