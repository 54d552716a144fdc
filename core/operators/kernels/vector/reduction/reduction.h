// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/vector/isa.h"

namespace lapidary {

enum class ReductionKind : std::uint8_t { sum, magnitudes, squares, max, min, count };

struct ReductionKernels {
    /// The sum (of x, |x| or x^2) or the extreme of `count` contiguous floats; NaN of any gives
    /// NaN. Sums run in lanes over 1024 elements at a time and in double beyond. An extreme of none
    /// is an infinity.
    double (*row[static_cast<int>(ReductionKind::count)])(const float* x, std::int64_t count);
    /// The same down `rows` rows of `stride` elements for each of `columns` columns, at most 64.
    void (*column[static_cast<int>(ReductionKind::count)])(const float* x, std::int64_t stride,
                                                           std::int64_t rows, std::int64_t columns,
                                                           double* out);
};
LAPIDARY_PER_ISA(ReductionKernels, reduction_kernels)

}  // namespace lapidary
