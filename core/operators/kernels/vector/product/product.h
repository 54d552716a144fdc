// SPDX-License-Identifier: Apache-2.0
// Register tiles of a float matrix product and the orders their operands are packed in.
#pragma once

#include <cstdint>

#include "kernels/activation.h"
#include "kernels/vector/isa.h"

namespace lapidary {

/// How a 16-bit float is stored: IEEE 754 binary16, or the upper half of a float. Of packed right
/// operands, rows of bfloat16 lie in pairs: element (k, j) at (k / 2 * stride + j) * 2 + k % 2.
enum class HalfFormat : std::uint8_t { binary16, bfloat16 };

/// Memory that will be needed soon and is prefetched to the second-level cache meanwhile. For each
/// 4 values of k it fetches the lines at `from`, `from + line` and `from + 2 line`; then `from`
/// moves on by `step` bytes. If all are 0, only the first line is fetched.
struct ProductFetch {
    const char* from = nullptr;
    std::int64_t line = 0, step = 0;
};

/// C[rows, columns] = scale A B + initial + bias + row_bias for one tile that fits the registers.
struct ProductTile {
    int rows = 0;
    std::int64_t inner = 0, columns = 0;
    const float* a = nullptr;  // packed: element (i, k) at k * rows + i; else at i * a_stride + k
    std::int64_t a_stride = 0;
    // then B must be packed, too: b_stride is `columns` rounded up to whole vectors
    bool packed_a = false;
    // element (k, j) at k * b_stride + j; readable up to the next multiple of the vector length
    const float* b = nullptr;
    std::int64_t b_stride = 0;
    // for multiply_half() in place of b: 16-bit floats in the same places, bfloat16 in pairs of
    // rows
    const std::uint16_t* half_b = nullptr;
    HalfFormat half_format = HalfFormat::binary16;
    // rows of B between the one used and the one fetched to the first-level cache
    std::int64_t ahead = 8;
    ProductFetch fetch[2];
    float* c = nullptr;
    std::int64_t c_stride = 0;
    float scale = 1;
    const float* initial = nullptr;  // as C, may be C; none when null
    std::int64_t initial_stride = 0;
    const float* bias = nullptr;      // one per column; none when null
    const float* row_bias = nullptr;  // one per row; none when null
};

struct ProductKernels {
    int tile_rows;      // at most
    int vector;         // floats
    int panel_columns;  // a multiple of `vector`; at most so many columns in a tile
    /// Sums run in ascending k.
    void (*multiply)(const ProductTile& tile);
    /// The same with half_b, whose elements become float in registers; A must not be packed. Equal
    /// to multiply() with widened elements.
    void (*multiply_half)(const ProductTile& tile);
    /// In place, row after row.
    void (*activate)(float* c, std::int64_t c_stride, std::int64_t rows, std::int64_t columns,
                     const Activation& activation);
    /// to[k * rows + i] = a[i * stride + k], or a[k * stride + i] when `transposed`; rows <=
    /// tile_rows.
    void (*pack_rows)(const float* a, std::int64_t stride, bool transposed, std::int64_t rows,
                      std::int64_t inner, float* to);
    /// to[k * width + j] = b[k * stride + j], or b[j * stride + k] when `transposed`, 0 for columns
    /// <= j < width.
    void (*pack_panel)(const float* b, std::int64_t stride, bool transposed, std::int64_t inner,
                       std::int64_t columns, std::int64_t width, float* to);
    /// `inner` rows of a panel as floats; `width` is a multiple of `vector`.
    void (*widen)(const std::uint16_t* from, HalfFormat format, std::int64_t inner,
                  std::int64_t width, float* to);
    /// to[k] = from[k * step] rounded to the nearest bfloat16 for k < inner, 0 up to `padded`. NaN
    /// stays NaN.
    void (*round_to_bf16)(const float* from, std::int64_t step, std::int64_t inner,
                          std::int64_t padded, std::uint16_t* to);
};
LAPIDARY_PER_ISA(ProductKernels, product_kernels)

}  // namespace lapidary
