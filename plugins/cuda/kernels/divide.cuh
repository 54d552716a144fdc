// SPDX-License-Identifier: Apache-2.0
// Quotients and remainders by a Divider.
#pragma once

#include "gpu.h"
#include "kernels/divider.h"

namespace lapidary::cuda {

GPU_DEVICE int quotient(int n, std::uint32_t multiplier, std::uint32_t shift) {
    const auto u = static_cast<std::uint32_t>(n);
    const auto high = static_cast<std::uint32_t>(static_cast<std::uint64_t>(u) * multiplier >> 32);
    return static_cast<int>((high + u) >> shift);
}
GPU_DEVICE int quotient(int n, const Divider& by) { return quotient(n, by.multiplier, by.shift); }
/// Returns the remainder; n becomes the quotient.
GPU_DEVICE int take_remainder(int& n, const Divider& by) {
    const int q = quotient(n, by), remainder = n - q * static_cast<int>(by.divisor);
    n = q;
    return remainder;
}

}  // namespace lapidary::cuda
