// SPDX-License-Identifier: Apache-2.0
// Quotients and remainders by a Divider.
#pragma once

#include "gpu.h"
#include "kernels/divider.h"

namespace lapidary::cuda {

GPU_DEVICE int quotient(int n, Divider by) {
    const auto u = static_cast<std::uint32_t>(n);
    const auto high = static_cast<std::uint32_t>(static_cast<std::uint64_t>(u) * by.multiplier >> 32);
    return static_cast<int>((high + u) >> by.shift);
}
/// n becomes the quotient.
GPU_DEVICE int take_remainder(int& n, Divider by) {
    const int q = quotient(n, by), remainder = n - q * static_cast<int>(by.divisor);
    n = q;
    return remainder;
}

}  // namespace lapidary::cuda
