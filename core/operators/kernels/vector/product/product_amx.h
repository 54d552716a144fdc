// SPDX-License-Identifier: Apache-2.0
// Products of bfloat16 by the tile registers of x86 CPUs (AMX), with sums in float32.
#pragma once

#include <cstdint>

#include "kernels/vector/isa.h"

namespace lapidary {

/// C[rows, columns] = scale A B + initial + bias + row_bias. Rows of A are rounded ones; of B's
/// panel, 16-bit elements lie in pairs of rows (HalfFormat::bfloat16 of product.h).
struct RoundedTile {
    static constexpr int most_rows = 32;
    int rows = 0;              // at most most_rows; A is readable up to a multiple of 16 of them
    std::int64_t inner = 0;    // of B
    std::int64_t columns = 0;  // at most 48
    const std::uint16_t* a = nullptr;
    std::int64_t a_stride = 0;  // elements from row to row; at least `inner` rounded up to 32
    const std::uint16_t* b = nullptr;
    std::int64_t b_stride = 0;  // columns of the panel: 16, 32 or 48
    float* c = nullptr;
    std::int64_t c_stride = 0;
    float scale = 1;
    const float* initial = nullptr;  // as C, may be C; none when null
    std::int64_t initial_stride = 0;
    const float* bias = nullptr;      // one per column; none when null
    const float* row_bias = nullptr;  // one per row; none when null
};

struct RoundedProductKernels {
    /// Null: this instruction set has none. Numbers smaller than float32 holds with full precision
    /// count as zero. Needs may_use_tile_registers() (base/process/tile_registers.h).
    void (*multiply)(const RoundedTile& tile);
    /// One row: to[k] = from[k * step] rounded to the nearest bfloat16 for k < inner, 0 up to
    /// `padded`. NaN stays NaN.
    void (*round_row)(const float* from, std::int64_t step, std::int64_t inner, std::int64_t padded,
                      std::uint16_t* to);
};
LAPIDARY_PER_ISA(RoundedProductKernels, rounded_product_kernels)

}  // namespace lapidary
