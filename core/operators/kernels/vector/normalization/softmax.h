// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/vector/isa.h"

namespace lapidary {

struct SoftmaxKernels {
    /// Rows [begin, end) of x [rows, width] into y, which may be x. With `log` the logarithm of the
    /// softmax. A row whose largest element is -infinity gives NaN, as the formula does.
    void (*rows)(const float* x, float* y, std::int64_t width, bool log, std::int64_t begin,
                 std::int64_t end);
    /// Along the first axis of x [length, stride], for `columns` neighbouring columns.
    void (*columns)(const float* x, float* y, std::int64_t length, std::int64_t stride,
                    std::int64_t columns, bool log);
};
LAPIDARY_PER_ISA(SoftmaxKernels, softmax_kernels)

}  // namespace lapidary
