// SPDX-License-Identifier: Apache-2.0
// Resampling of rows of 8-bit integers: along a row every position is one byte, or several.
#pragma once

#include <cstdint>

#include "kernels/vector/isa.h"

namespace lapidary {

struct ByteResizeKernels {
    /// Position x of `to` becomes position x / times of `from`.
    void (*repeat_positions)(const std::uint8_t* from, std::int64_t times, std::int64_t count,
                             std::uint8_t* to);
    /// Position x of `to` becomes position at[x] of `from`.
    void (*pick_positions)(const std::uint8_t* from, const std::int64_t* at, std::int64_t count,
                           std::uint8_t* to);
    /// to[i] = a[i] * weight_a + b[i] * weight_b of u8, or i8 when `is_signed`.
    void (*blend_rows)(const void* a, const void* b, double weight_a, double weight_b,
                       std::int64_t count, bool is_signed, double* to);
    /// Position x of `to` [count, width] becomes position low[x] of `from` times low_weight[x] plus
    /// high[x] times high_weight[x], truncated towards 0.
    void (*blend_positions)(const double* from, const std::int64_t* low, const std::int64_t* high,
                            const double* low_weight, const double* high_weight, std::int64_t count,
                            std::int64_t width, bool is_signed, void* to);
    /// to[i] = from[i] cut off towards 0.
    void (*cut_off)(const double* from, std::int64_t count, bool is_signed, void* to);
};
LAPIDARY_PER_INTEGER_ISA(ByteResizeKernels, byte_resize_kernels)

}  // namespace lapidary
