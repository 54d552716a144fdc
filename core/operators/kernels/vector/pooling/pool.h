// SPDX-License-Identifier: Apache-2.0
// Rows of pooling over images whose channels lie together (blocked, or channels last) and over
// plain rows.
#pragma once

#include <cstdint>

#include "kernels/vector/isa.h"

namespace lapidary {

/// Windows over an image [height, width, lanes]: output (y, x) looks at rows y * stride - pad + tap
/// * dilation, and so on.
struct PoolWindow {
    std::int64_t height, width;
    std::int64_t kernel_height, kernel_width, stride_height, stride_width, dilation_height,
        dilation_width;
    std::int64_t pad_top, pad_left;
    std::int64_t output_width;
};

struct PoolKernels {
    /// Output row y of `lanes` interleaved channels: to [output_width, lanes]; 0 where a window
    /// sees no input.
    void (*max_last)(const float* image, const PoolWindow& window, std::int64_t lanes,
                     std::int64_t y, float* to);
    void (*max_last_u8)(const std::uint8_t* image, const PoolWindow& window, std::int64_t lanes,
                        std::int64_t y, std::uint8_t* to);
    void (*max_last_s8)(const std::int8_t* image, const PoolWindow& window, std::int64_t lanes,
                        std::int64_t y, std::int8_t* to);
    /// Sums instead, times factors[x] * row_factor.
    void (*average_last)(const float* image, const PoolWindow& window, std::int64_t lanes,
                         std::int64_t y, const float* factors, float row_factor, float* to);
    /// Over [count, lanes] to [lanes]: sums times `factor`, and maxima (count at least 1), which
    /// are NaN where an element is.
    void (*sum_positions)(const float* from, std::int64_t count, std::int64_t lanes, float factor,
                          float* to);
    void (*max_positions)(const float* from, std::int64_t count, std::int64_t lanes, float* to);
    /// Of one row of `count` (for the maximum at least 1) elements; NaN where an element is.
    float (*sum_row)(const float* from, std::int64_t count);
    float (*max_row)(const float* from, std::int64_t count);

    /// to[i] (or, `joins`, the larger or the sum of it and) the larger or the sum of the `rows`
    /// rows that are `step` apart.
    void (*max_rows)(const float* from, std::int64_t step, std::int64_t rows, std::int64_t count,
                     bool joins, float* to);
    void (*add_rows)(const float* from, std::int64_t step, std::int64_t rows, std::int64_t count,
                     bool joins, float* to);
    /// to[i] of from[i * stride + tap * dilation] over the taps; reads at most pool_overread
    /// elements beyond the last one.
    void (*max_taps)(const float* from, std::int64_t taps, std::int64_t stride,
                     std::int64_t dilation, std::int64_t count, float* to);
    /// The sum, times factors[i] * row_factor.
    void (*average_taps)(const float* from, std::int64_t taps, std::int64_t stride,
                         std::int64_t dilation, std::int64_t count, const float* factors,
                         float row_factor, float* to);
};
LAPIDARY_PER_ISA(PoolKernels, pool_kernels)

inline constexpr std::int64_t pool_overread = 32;

}  // namespace lapidary
