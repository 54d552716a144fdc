// SPDX-License-Identifier: Apache-2.0
// Rounds finite numbers to finite 16-bit floats. Masks add the lowest float32; if that became
// infinite in 16 bits, the softmax of a fully masked row would be NaN.
#pragma once

#include <cmath>

namespace lapidary {

inline constexpr float largest_float16 = 65504.0f, largest_bfloat16 = 0x1.fep127f;

/// The value; a finite value with a magnitude above `largest` becomes `largest` with its sign.
inline float kept_finite(float value, float largest) {
    return std::isfinite(value) && std::abs(value) > largest ? std::copysign(largest, value)
                                                             : value;
}

}  // namespace lapidary
