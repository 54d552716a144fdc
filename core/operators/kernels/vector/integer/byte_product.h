// SPDX-License-Identifier: Apache-2.0
// Sums of products of 8-bit integers, finished while they are still in the first cache. A is
// unsigned, B signed (other signs are converted by adding 128 and correcting zero points); sums are
// exact modulo 2^32 on every instruction set: tiles where there is AMX, vpdpbusd where there is
// AVX-512 VNNI, products of 16-bit pairs elsewhere, since vpmaddubsw saturates at 255 x -128.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/activation.h"
#include "kernels/vector/isa.h"

namespace lapidary {

/// How a sum is finished. Arrays per column begin at column 0 of the product and are readable for
/// 64 elements beyond the last.
struct ByteFinish {
    enum class To : std::uint8_t { sums, real, bytes } to = To::sums;
    void* out = nullptr;  // i32, f32, or u8 / i8: row-major, `out_stride` elements from row to row
    std::int64_t out_stride = 0;
    const std::int32_t* column_offset = nullptr;  // added to each sum: bias and zero points
    // per row of the block; null where B's zero points are 0
    const std::int32_t* row_term = nullptr;
    const std::int32_t* column_zero = nullptr;  // with row_term: their product is added as well

    // real and bytes: value = float(sum) * scale [* column_scale] [/ divisor], each rounded
    float scale = 1;
    const float* column_scale = nullptr;
    float divisor = 1;

    // real: activation(value + bias + residual)
    const float* bias = nullptr;
    const float* residual = nullptr;  // as out; may be out itself
    std::int64_t residual_stride = 0;
    Activation activation;
    void (*activate)(const float* from, float* to, std::int64_t count,
                     const Activation& activation) = nullptr;

    // bytes: round half to even, add the zero point, clamp. `is_bounded` where every factor of a
    // sum is below 1 in magnitude, so that no value leaves 32 bits, and the range is that of the
    // type.
    bool is_bounded = false;
    bool is_signed = false;
    std::int32_t zero_point = 0, low = 0, high = 255;

    // bytes: another quantized tensor; its real values are added to those of the bytes, and the sum
    // is quantized again; null: none
    const void* addend = nullptr;  // as out, of out's type
    std::int64_t addend_stride = 0;
    float own_scale = 1, addend_scale = 1, total_scale = 1;
    std::int32_t addend_zero = 0, total_zero = 0;
};

/// Rows [0, rows) of a block times the columns [column, column + columns) of B, `column` at the
/// begin of a panel.
struct ByteBlock {
    const void* const* places = nullptr;  // [rows, taps]: where the `inner` elements of A begin
    /// Null, or for each row 1; or for a row that begins a run how many rows that is: each tap of a
    /// row of a run is `run_step` times `all_columns` elements behind that of the row before, and
    /// the places of its first row alone are filled.
    const std::int32_t* runs = nullptr;
    std::int64_t run_step = 1;
    std::int64_t rows = 0, taps = 1, inner = 0;  // inner is a multiple of 4
    std::int64_t panel_width = 0;
    const std::int8_t* panels = nullptr;  // of the whole B
    std::int64_t all_columns = 0, column = 0, columns = 0;
    ByteFinish finish;  // `out`, `addend` and `residual` at the block's row 0 and column 0
    // memory for ByteProductKernels::staged_rows rows of taps * inner bytes, rounded up to 64
    std::uint8_t* stage = nullptr;
};

/// Bytes from one tap, row and column of B to the next.
struct ByteStrides {
    std::int64_t tap = 0, row = 0, column = 0;
};

struct ByteProductKernels {
    std::int64_t lanes;         // columns of one vector
    std::int64_t widest_panel;  // columns
    // of A as multiply() reads it: 1, or 2 where it has to be widened to 16 bits
    std::int64_t element_bytes;
    std::int64_t staged_rows;  // of A that multiply() copies at once, see ByteBlock::stage; 0: none
    std::int64_t bytes_behind;  // that multiply() may read behind the last panel, whatever they are
    /// Panels may be `widest_panel` wide, or three quarters of it where those are whole vectors.
    void (*multiply)(const ByteBlock& block);
    /// Rows of bytes as multiply() reads them: i8 gets 128 added, `inner` is filled up with zeros
    /// to `padded`.
    void (*prepare)(const void* from, std::int64_t rows, std::int64_t inner,
                    std::int64_t from_stride, bool is_signed, void* to, std::int64_t padded);
    /// Panel columns [column, column + width) of B [taps, inner, columns]: element (t, k, n) at b[t
    /// * tap_stride + k * row_stride + n * column_stride]; u8 gets 128 subtracted. Fills up with
    /// zeros: k of each tap to a multiple of 4, columns to `width`. sums[n] becomes the sum of
    /// column n.
    void (*pack)(const void* b, ByteStrides strides, bool is_unsigned, std::int64_t taps,
                 std::int64_t inner, std::int64_t columns, std::int64_t column, std::int64_t width,
                 std::int8_t* to, std::int32_t* sums);
    /// Sum of `count` prepared elements.
    std::int32_t (*row_sum)(const void* row, std::int64_t count);
    /// offsets[n] = -a_zero * sums[n] [+ depth * a_zero * column_zero[n]], modulo 2^32.
    void (*column_offsets)(const std::int32_t* sums, std::int64_t count, std::int32_t a_zero,
                           std::int32_t depth, const std::int32_t* column_zero,
                           std::int32_t* offsets);
};
LAPIDARY_PER_TILE_ISA(ByteProductKernels, byte_product_kernels)

}  // namespace lapidary
