// SPDX-License-Identifier: Apache-2.0
// The steps of bf16_convolution.h in plain code, which runs on any CPU.
#pragma once

#include <bit>
#include <cstdint>

#include <lapidary/tensor/float16.h>

#include "kernels/vector/convolution/bf16_convolution.h"

namespace lapidary::test::plain_bf16 {

inline void round_pixels(const Bf16Pixels& p) {
    for (std::int64_t i = 0; i < p.count; ++i)
        for (std::int64_t k = 0; k < 32; ++k) {
            const float* const from = k < 16 ? p.lower : p.upper;
            p.to[i * 32 + k] =
                from ? BFloat16(from[i * p.pixel_step + k % 16]).bits : std::uint16_t{0};
        }
}

inline float widened(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

/// Of channel `j` of the first block on.
inline float sum_at(const Bf16Positions& p, std::int64_t position, std::int64_t j) {
    float sum = 0;
    for (std::int64_t s = 0; s < p.steps; ++s)
        for (std::int64_t t = 0; t < p.tap_count; ++t) {
            const std::uint16_t* const pixel =
                p.planes + s * p.plane_step + p.taps[t] + position * 32;
            const std::uint16_t* const tile =
                p.filters + ((s * p.tap_count + t) * p.blocks + j / 16) * 512;
            for (std::int64_t k = 0; k < 32; ++k)
                sum += widened(pixel[k]) * widened(tile[k / 2 * 32 + j % 16 * 2 + k % 2]);
        }
    return sum;
}

inline void convolve(const Bf16Positions& p) {
    for (std::int64_t position = p.begin; position < p.end; ++position) {
        const std::int64_t row = position / p.row_positions, column = position % p.row_positions;
        if (column >= p.columns) continue;
        for (std::int64_t j = 0; j < p.blocks * 16; ++j) {
            const std::int64_t at =
                j / 16 * p.block_step + (row * p.columns + column) * 16 + j % 16;
            float v = sum_at(p, position, j) + (p.bias ? p.bias[j] : 0);
            if (p.sum) v += p.sum[at];
            if (p.clamps) {
                v = v < p.low ? p.low : v;
                v = v > p.high ? p.high : v;
            }
            p.output[at] = v;
        }
    }
}

inline constexpr Bf16ConvolutionKernels kernels{&round_pixels, &convolve};

}  // namespace lapidary::test::plain_bf16
