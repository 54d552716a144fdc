// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/scaled_bytes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace lapidary::scaled_bytes {
namespace {

/// Added and taken away again, it rounds small numbers to integers, halves to even.
constexpr float rounder = 12582912.0f;  // 1.5 * 2^23

float scale_for(const float* from, std::int64_t size) {
    float largest = 0;
    bool is_finite = true;
    for (std::int64_t i = 0; i < size; ++i) {
        const float magnitude = std::abs(from[i]);
        is_finite &= magnitude <= std::numeric_limits<float>::max();
        largest = std::max(largest, magnitude);
    }
    if (!is_finite) return std::numeric_limits<float>::quiet_NaN();
    const auto bits = std::bit_cast<std::uint32_t>(largest / 127);
    return std::bit_cast<float>((bits + 0xffu) & ~0xffu);
}

}  // namespace

void store(const float* from, std::int64_t size, std::int8_t* to) {
    const float scale = scale_for(from, size);
    std::memcpy(to + size, &scale, sizeof(scale));
    if (!(scale > 0)) {
        std::fill_n(to, size, std::int8_t{0});
        return;
    }
    for (std::int64_t i = 0; i < size; ++i) {
        const float rounded = (from[i] / scale + rounder) - rounder;
        to[i] = static_cast<std::int8_t>(static_cast<std::int32_t>(rounded));
    }
}

void load(const std::int8_t* from, std::int64_t size, float* to) {
    float scale;
    std::memcpy(&scale, from + size, sizeof(scale));
    for (std::int64_t i = 0; i < size; ++i) to[i] = static_cast<float>(from[i]) * scale;
}

}  // namespace lapidary::scaled_bytes
