// SPDX-License-Identifier: Apache-2.0
// The limit on the length of a sum of byte products.
#pragma once

#include <cstdint>

namespace lapidary {

/// The most products of two unsigned bytes whose sum always fits an int32: 2^31 / 255^2.
inline constexpr std::int64_t most_byte_products = 33025;

}  // namespace lapidary
