// SPDX-License-Identifier: Apache-2.0
// Products of float16 in float16 arithmetic (AVX512_FP16): 32 multiply-adds an instruction, twice
// those of float32.
//
// The depth is cut into stretches of 32. Both sides of a stretch are multiplied by powers of two,
// so that the largest value of a row of A, and that of two panels of B, lies in [16, 32): no sum of
// 32 products leaves float16, and small values keep their digits. A stretch is summed in float16 in
// ascending k; its sums are widened, multiplied by the inverse of both powers, and added up in
// float32.
//
// With a and b the values of a row and a column, the sum of a stretch is off by at most
// (34 sum |a b| + 2^-10 max |a| max |b|) 2^-11, where max |b| is that of both panels: 32 roundings
// of sums and one of a, and what rounds to float16's smallest numbers. Roundings of random signs
// come to 61 dB below the result. Panels without a weight of 2^-11 keep fewer digits, since float16
// has no larger power than 2^15; values of A from 2^120 on may become infinite.
#pragma once

#include <cstdint>

#include "kernels/vector/isa.h"

namespace lapidary {

namespace half_tiles {
inline constexpr int most_rows = 8;
inline constexpr std::int64_t stretch = 32, most_columns = 96;
/// Stretches that a depth takes; the last one is filled up with zeros.
constexpr std::int64_t stretches(std::int64_t inner) { return (inner + stretch - 1) / stretch; }
}  // namespace half_tiles

/// C[rows, columns] = scale A B + initial + bias + row_bias for one tile.
struct HalfTile {
    int rows = 0;                      // at most most_rows
    std::int64_t stretches = 0;        // of the depth
    std::int64_t columns = 0;          // at most most_columns
    const std::uint32_t* a = nullptr;  // [stretches, rows, 32] words that hold a float16 twice
    const float* a_scales = nullptr;   // [stretches, rows]: what sums are multiplied with
    const std::uint16_t* b = nullptr;  // [stretches, 32, columns rounded up to 32]
    const float* b_scales = nullptr;   // [stretches]
    float* c = nullptr;
    std::int64_t c_stride = 0;  // from row to row
    std::int64_t c_block = 16;  // from 16 columns to the next, of C and of `initial`
    float scale = 1;
    const float* initial = nullptr;  // as C, may be C; none when null
    std::int64_t initial_stride = 0;
    const float* bias = nullptr;      // one per column; none when null
    const float* row_bias = nullptr;  // one per row; none when null
};

/// Rows of A that become the left side of a tile.
struct HalfRows {
    const float* from = nullptr;  // element (i, k) at i * row_step + k * inner_step
    std::int64_t row_step = 0, inner_step = 1;
    // not 0: elements from 16 values of k to the next, with inner_step 1 and 16 | inner
    std::int64_t block_step = 0;
    int rows = 0;
    std::int64_t inner = 0;
    std::uint32_t* to = nullptr;  // as HalfTile::a
    float* scales = nullptr;      // as HalfTile::a_scales
};

/// One or two neighbouring panels of B that become the right side of tiles.
struct HalfPanels {
    const std::uint16_t* from[2] = {};  // rows of `width` elements, the first one of them
    std::int64_t width[2] = {};         // 0: none, 16, 32 or 48
    std::int64_t inner = 0;
    std::uint16_t* to = nullptr;  // as HalfTile::b, with zeros behind the columns
    float* scales = nullptr;      // as HalfTile::b_scales
};

struct HalfTileKernels {
    void (*round_rows)(const HalfRows& rows);
    void (*arrange)(const HalfPanels& panels);
    void (*multiply)(const HalfTile& tile);
};

#if defined(__x86_64__) && defined(__linux__) && !defined(LAPIDARY_BASELINE_ONLY)
namespace avx512_fp16 {
const HalfTileKernels& half_tile_kernels();
}
#endif

/// Null: the instruction set in use has no arithmetic of float16.
inline const HalfTileKernels* half_tile_kernels() {
#if defined(__x86_64__) && defined(__linux__) && !defined(LAPIDARY_BASELINE_ONLY)
    if (multiplies_halves()) return &avx512_fp16::half_tile_kernels();
#endif
    return nullptr;
}

}  // namespace lapidary
