// SPDX-License-Identifier: Apache-2.0
// Pooling of 8-bit integers: with the channels last one output position at a time, all channels; in
// planes row by row.
#pragma once

#include <cstdint>

#include "kernels/vector/integer/byte_elements.h"
#include "kernels/vector/isa.h"

namespace lapidary {

/// Lines that softmax_across() works on at a time.
constexpr std::int64_t softmax_columns = 64;

struct BytePoolKernels {
    /// to[c] = saturate(round(sum of dequantize(places[t][c]) in the order of taps, in float, /
    /// divisor / scale + zero point)).
    void (*average)(const void* const* places, std::int64_t taps, float divisor,
                    std::int64_t channels, ByteScale x, ByteScale y, bool is_signed, void* to);
    /// The same for `positions` rows `stride` bytes apart, with sums and the division in double.
    void (*mean)(const void* from, std::int64_t positions, std::int64_t stride,
                 std::int64_t channels, ByteScale x, ByteScale y, bool is_signed, void* to);
    /// to[i] = saturate(round(sums[i] / divisors[i] / scale + zero point))
    void (*quotients)(const float* sums, const float* divisors, std::int64_t count, ByteScale y,
                      bool is_signed, void* to);
    /// The sum of dequantize(from[i]), each rounded to float and summed in double.
    double (*total)(const void* from, std::int64_t count, ByteScale x, bool is_signed);
    /// to = quantize(softmax(dequantize(from))) of one line; `values` holds `count` floats
    /// meanwhile. e^x is within 2 ULP.
    void (*softmax)(const void* from, std::int64_t count, ByteScale x, ByteScale y, bool is_signed,
                    float* values, void* to);
    /// The same of `columns` lines side by side, whose elements are `stride` apart; `values` holds
    /// `length` times softmax_columns floats meanwhile.
    void (*softmax_across)(const void* from, std::int64_t length, std::int64_t stride,
                           std::int64_t columns, ByteScale x, ByteScale y, bool is_signed,
                           float* values, void* to);
};
LAPIDARY_PER_INTEGER_ISA(BytePoolKernels, byte_pool_kernels)

}  // namespace lapidary
