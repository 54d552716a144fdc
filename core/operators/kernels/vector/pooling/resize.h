// SPDX-License-Identifier: Apache-2.0
// Resampling of rows: along a row every position is one number, or some of them: channels.
#pragma once

#include <cstdint>

#include "kernels/vector/isa.h"

namespace lapidary {

struct ResizeKernels {
    /// to[i] = a[i] * weight_a + b[i] * weight_b.
    void (*blend_rows)(const float* a, const float* b, float weight_a, float weight_b,
                       std::int64_t count, float* to);
    /// Position x of `to` [count, lanes] becomes position low[x] of `from` times low_weight[x] plus
    /// high[x] times high_weight[x]. lanes is 1, 8 or 16.
    void (*blend_positions)(const float* from, const std::int32_t* low, const std::int32_t* high,
                            const float* low_weight, const float* high_weight, std::int64_t count,
                            std::int64_t lanes, float* to);
    /// to[i] = sum of rows[t][i] * weights[t] over t in [0, taps).
    void (*filter_rows)(const float* const* rows, const float* weights, std::int64_t taps,
                        std::int64_t count, float* to);
    /// Position x of `to` becomes the sum of from[index[t * count + x]] * weight[t * count + x]
    /// over t in [0, taps); elements with weight 0 are ignored, even NaN.
    void (*filter_positions)(const float* from, const std::int32_t* index, const float* weight,
                             std::int64_t taps, std::int64_t count, float* to);
    /// Position x of `to` becomes position x / times of `from`, both one number wide.
    void (*repeat_positions)(const float* from, std::int64_t times, std::int64_t count, float* to);
    /// Position x of `to` becomes position at[x] of `from`.
    void (*pick_positions)(const float* from, const std::int32_t* at, std::int64_t count,
                           std::int64_t lanes, float* to);
};
LAPIDARY_PER_ISA(ResizeKernels, resize_kernels)

}  // namespace lapidary
