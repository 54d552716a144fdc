// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/activation.h"
#include "kernels/vector/isa.h"

namespace lapidary {

struct ActivationKernels {
    /// to[i] = activation(from[i]); the two may be the same.
    void (*apply)(const float* from, float* to, std::int64_t count, const Activation& activation);
};
LAPIDARY_PER_ISA(ActivationKernels, activation_kernels)

}  // namespace lapidary
