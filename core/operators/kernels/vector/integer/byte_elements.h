// SPDX-License-Identifier: Apache-2.0
// Element by element between float and 8-bit integers, with the roundings of the reference kernels.
#pragma once

#include <cstdint>

#include "kernels/vector/isa.h"

namespace lapidary {

/// scale and zero point of one tensor.
struct ByteScale {
    float scale = 1;
    std::int32_t zero_point = 0;
};

struct ByteElementKernels {
    /// Widens [*low, *high] to hold all of x; NaN counts for nothing.
    void (*range)(const float* x, std::int64_t count, float* low, float* high);
    /// saturate(round(x / scale) + zero point), NaN to the least byte; u8, or i8 when `is_signed`.
    void (*quantize)(const float* x, std::int64_t count, ByteScale q, bool is_signed, void* to);
    /// (x - zero point) * scale
    void (*dequantize)(const void* x, std::int64_t count, ByteScale q, bool is_signed, float* to);
    /// to[i] = table[from[i]], of 256 bytes; the two may be the same.
    void (*look_up)(const std::uint8_t* table, const void* from, std::int64_t count, void* to);
    /// The same for rows of `width` bytes that begin so many bytes apart.
    void (*look_up_rows)(const std::uint8_t* table, const void* from, std::int64_t from_stride,
                         std::int64_t width, std::int64_t rows, void* to, std::int64_t to_stride);
    /// quantize(dequantize(a) + dequantize(b)), or times; a step of 0 repeats its one element.
    void (*add)(const void* a, int a_step, ByteScale a_scale, const void* b, int b_step,
                ByteScale b_scale, std::int64_t count, ByteScale y_scale, bool is_signed, void* to);
    void (*multiply)(const void* a, int a_step, ByteScale a_scale, const void* b, int b_step,
                     ByteScale b_scale, std::int64_t count, ByteScale y_scale, bool is_signed,
                     void* to);
};
LAPIDARY_PER_INTEGER_ISA(ByteElementKernels, byte_element_kernels)

}  // namespace lapidary
