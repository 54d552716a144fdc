// SPDX-License-Identifier: Apache-2.0
// Elements of 4 or 2 bits that share a byte, the first in its lowest bits.
#pragma once

#include <cstdint>

#include <lapidary/tensor/tensor.h>

namespace lapidary {

/// Bits of element i of a packed tensor, unsigned.
inline std::uint8_t packed_at(const Tensor& t, std::int64_t i) {
    const auto bits = static_cast<std::int64_t>(bit_width(t.dtype())), each = 8 / bits;
    const std::uint8_t byte = static_cast<const std::uint8_t*>(t.raw())[i / each];
    return static_cast<std::uint8_t>((byte >> (i % each * bits)) & ((1 << bits) - 1));
}

/// Element i of a packed tensor of signed integers.
inline std::int64_t signed_packed_at(const Tensor& t, std::int64_t i) {
    const std::int64_t sign = std::int64_t{1} << (bit_width(t.dtype()) - 1);
    return (static_cast<std::int64_t>(packed_at(t, i)) ^ sign) - sign;
}

/// Writes the lowest of `bits` to element i. Those of a byte have to be written in order: the first
/// clears the others.
inline void set_packed(Tensor& t, std::int64_t i, std::uint8_t value) {
    const auto bits = static_cast<std::int64_t>(bit_width(t.dtype())), each = 8 / bits;
    auto& byte = static_cast<std::uint8_t*>(t.mutable_raw())[i / each];
    const int placed = (value & ((1 << bits) - 1)) << (i % each * bits);
    byte = static_cast<std::uint8_t>(i % each == 0 ? placed : byte | placed);
}

}  // namespace lapidary
