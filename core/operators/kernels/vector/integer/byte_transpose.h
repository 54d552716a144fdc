// SPDX-License-Identifier: Apache-2.0
// Transposes matrices: integer convolutions with channels second do so before and after.
#pragma once

#include <cstdint>

#include "kernels/vector/isa.h"

namespace lapidary {

struct ByteTransposeKernels {
    /// to[c * to_stride + r] = from[r * from_stride + c] for bytes.
    void (*bytes)(const std::uint8_t* from, std::int64_t rows, std::int64_t columns,
                  std::int64_t from_stride, std::uint8_t* to, std::int64_t to_stride);
    /// The same for 32-bit elements.
    void (*words)(const std::uint32_t* from, std::int64_t rows, std::int64_t columns,
                  std::int64_t from_stride, std::uint32_t* to, std::int64_t to_stride);
};
LAPIDARY_PER_INTEGER_ISA(ByteTransposeKernels, byte_transpose_kernels)

}  // namespace lapidary
