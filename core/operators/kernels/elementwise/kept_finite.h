// SPDX-License-Identifier: Apache-2.0
// What sessions round to 16 bits and is finite stays finite. Masks add the lowest float32: scores
// that are all masked are numbers then, where infinities would make NaN of them.
#pragma once

#include <cmath>

namespace lapidary {

inline constexpr float largest_float16 = 65504.0f, largest_bfloat16 = 0x1.fep127f;

/// The value, or `largest` with its sign for a finite one beyond that.
inline float kept_finite(float value, float largest) {
    return std::isfinite(value) && std::abs(value) > largest ? std::copysign(largest, value)
                                                             : value;
}

}  // namespace lapidary
