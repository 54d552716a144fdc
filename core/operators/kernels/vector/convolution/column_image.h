// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/vector/isa.h"

namespace lapidary {

struct ColumnImageKernels {
    /// y[r * y_stride + i] += x[r * x_stride + i] for r in [0, rows), i in [0, count).
    void (*add_rows)(const float* x, std::int64_t x_stride, float* y, std::int64_t y_stride,
                     std::int64_t rows, std::int64_t count);
};
LAPIDARY_PER_ISA(ColumnImageKernels, column_image_kernels)

}  // namespace lapidary
