// SPDX-License-Identifier: Apache-2.0
// The functions of math.h over arrays.
#pragma once

#include <cstdint>

#include "kernels/vector/isa.h"

namespace lapidary {

struct ElementaryKernels {
    /// to[i] = f(from[i]); the two may be the same.
    using Function = void (*)(const float* from, float* to, std::int64_t count);
    Function exp, log, erf, tanh, sigmoid, gelu, gelu_tanh, sin, cos, atan;
};
LAPIDARY_PER_ISA(ElementaryKernels, elementary_kernels)

}  // namespace lapidary
