// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/vector/isa.h"

namespace lapidary {

/// to[c * to_stride + r] = from[r * from_stride + c] for r in [0, rows), c in [0, columns); strides
/// in elements.
using TransposeFunction = void (*)(const void* from, std::int64_t from_stride, void* to,
                                   std::int64_t to_stride, std::int64_t rows, std::int64_t columns);

struct TransposeKernels {
    TransposeFunction bytes1, bytes2, bytes4, bytes8, bytes16;  // by the width of an element
    TransposeFunction matrix(std::size_t width) const {
        return width == 1   ? bytes1
               : width == 2 ? bytes2
               : width == 4 ? bytes4
               : width == 8 ? bytes8
                            : bytes16;
    }
};
LAPIDARY_PER_ISA(TransposeKernels, transpose_kernels)

}  // namespace lapidary
