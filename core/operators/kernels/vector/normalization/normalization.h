// SPDX-License-Identifier: Apache-2.0
// Rows that get mean 0 and variance 1, or a mean square of 1.
#pragma once

#include <cstdint>

#include "kernels/vector/isa.h"

namespace lapidary {

struct NormalizedRows {
    const float* x = nullptr;
    const float* skip = nullptr;  // added to x; null for none; restarts every `skip_rows` rows
    std::int64_t skip_rows = 1;
    const float* bias = nullptr;   // added to x, one per column; null for none
    const float* scale = nullptr;  // one per column
    const float* shift = nullptr;  // one per column; null for none
    float* sum = nullptr;          // x + skip + bias; null if not needed
    float* y = nullptr;            // may be x or skip
    std::int64_t width = 0;
    float epsilon = 0;
    // What is subtracted from a row, 0 in root_mean_square, and what it is multiplied with before
    // the scale; one per row; null if not needed
    float *mean = nullptr, *inverse_deviation = nullptr;
};

/// One group: x is `channels` runs of `pixels` elements, `channel_stride` apart, or (channels_last)
/// `pixels` runs of `channels`.
struct NormalizedGroup {
    const float* x = nullptr;
    float* y = nullptr;  // may be x
    std::int64_t runs = 0, run_length = 0, run_stride = 0;
    const float* scale = nullptr;  // one per run, or per element of a run when `per_element`
    const float* shift = nullptr;
    std::int64_t parameter_step = 1;  // 0: one scale and shift for all runs
    bool per_element = false;
    bool silu = false;
    float epsilon = 0;           // added to the variance
    float deviation_offset = 0;  // added to the deviation
};

struct NormalizationKernels {
    /// y = (s - mean(s)) / sqrt(variance(s) + epsilon) * scale + shift with s = x + skip + bias,
    /// rows [begin, end).
    void (*layer)(const NormalizedRows& rows, std::int64_t begin, std::int64_t end);
    /// y = s / sqrt(mean(s^2) + epsilon) * scale + shift.
    void (*root_mean_square)(const NormalizedRows& rows, std::int64_t begin, std::int64_t end);
    void (*group)(const NormalizedGroup& group);
    /// y = x * factor + shift; the two may be the same.
    void (*affine)(const float* x, float* y, std::int64_t count, float factor, float shift);
};
LAPIDARY_PER_ISA(NormalizationKernels, normalization_kernels)

}  // namespace lapidary
