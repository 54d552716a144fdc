// SPDX-License-Identifier: Apache-2.0
// Work that runs at the limit of a core, to express measured speeds as shares of that limit.
#pragma once

#include <cstdint>

#include "kernels/vector/isa.h"

namespace lapidary {

// zero, 64-byte aligned
inline constexpr std::int64_t peak_workspace_floats = 2 * 8 * 64 + 64 * 3 * 16;

struct PeakKernels {
    /// A matrix product out of the first-level cache, `repeats` times; returns its operations (2
    /// per multiply-add).
    std::int64_t (*float_product)(float* workspace, std::int64_t repeats);
    /// The sum of `count` floats, at the speed of whatever memory they lie in.
    float (*sum)(const float* from, std::int64_t count);
};
LAPIDARY_PER_ISA(PeakKernels, peak_kernels)

struct IntegerPeakKernels {
    /// uint8 by int8 multiply-adds to int32 in registers; returns its operations, 0 where there is
    /// no such instruction.
    std::int64_t (*integer_product)(std::int64_t repeats);
};
LAPIDARY_PER_INTEGER_ISA(IntegerPeakKernels, integer_peak_kernels)

}  // namespace lapidary
