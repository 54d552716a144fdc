// SPDX-License-Identifier: Apache-2.0
// How long a sum of products of bytes may be.
#pragma once

#include <cstdint>

namespace lapidary {

/// The most products of two unsigned bytes whose sum fits an int32 for certain: 2^31 / 255^2.
inline constexpr std::int64_t most_byte_products = 33025;

}  // namespace lapidary
