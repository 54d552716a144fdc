// SPDX-License-Identifier: Apache-2.0
// Products whose operands both have the summed dimension contiguous, few rows of one against many
// of the other: no packing, each row is read once.
#pragma once

#include <cstdint>

#include "kernels/vector/isa.h"

namespace lapidary {

struct ProductDots {
    std::int64_t few_count = 0, many_count = 0, inner = 0;
    const float *few = nullptr, *many = nullptr;
    std::int64_t few_stride = 0, many_stride = 0;  // from row to row
    // the sum of rows i of `few` and j of `many` goes to i * to_few + j * to_many
    float* to = nullptr;
    std::int64_t to_few = 0, to_many = 0;
};

struct ProductDotKernels {
    void (*dots)(const ProductDots& dots);
};
LAPIDARY_PER_ISA(ProductDotKernels, product_dot_kernels)

}  // namespace lapidary
