// SPDX-License-Identifier: Apache-2.0
// Division by a number that is known on the host, as a multiplication and a shift.
#pragma once

#include <cstdint>

namespace lapidary::cuda {

/// Divides numbers below 2^31 by a divisor from 1 to 2^31 - 1.
struct Divider {
    std::uint32_t divisor = 1, multiplier = 1, shift = 0;

    Divider() = default;
    explicit Divider(std::int32_t by) : divisor(static_cast<std::uint32_t>(by)) {
        while (shift < 31 && (std::uint32_t{1} << shift) < divisor) ++shift;
        const std::uint64_t above = (std::uint64_t{1} << shift) - divisor;
        multiplier = static_cast<std::uint32_t>((above << 32) / divisor + 1);
    }
};

}  // namespace lapidary::cuda
