// SPDX-License-Identifier: Apache-2.0
// Rows of a cache in 8 bits: the elements of a row as bytes of -127 to 127, and behind them the
// float that they are multiplied with.
#pragma once

#include <cstdint>

namespace lapidary::scaled_bytes {

/// Bytes of a row of `size` elements with its scale.
constexpr std::int64_t row(std::int64_t size) {
    return size + static_cast<std::int64_t>(sizeof(float));
}
/// The largest magnitude becomes 127, the others are rounded to the nearest, halves to even. The
/// scale has 16 bits of precision, rounded up: its products with bytes are exact, and storing what
/// was loaded gives the same bytes. A row with a number that is not finite is NaN throughout.
void store(const float* from, std::int64_t size, std::int8_t* to);
void load(const std::int8_t* from, std::int64_t size, float* to);

}  // namespace lapidary::scaled_bytes
