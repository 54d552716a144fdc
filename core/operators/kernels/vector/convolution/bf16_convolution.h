// SPDX-License-Identifier: Apache-2.0
// Convolution of images of blocked channels in bfloat16, by the tile registers of x86 CPUs (AMX),
// with sums in float32.
//
// The padded image is split into one plane for each remainder of a position by the stride, so that
// neighbouring output pixels read neighbouring pixels of a plane, whatever the stride. Pixels of a
// plane have 32 channels. A tile is a run of up to 32 positions of a plane, which may go on in the
// next row; positions at the end of a row, where no window fits, are computed and dropped.
#pragma once

#include <cstdint>

#include "kernels/vector/isa.h"

namespace lapidary {

namespace bf16_convolution {
inline constexpr std::int64_t step = 32;      // channels of one product of tiles
inline constexpr std::int64_t block = 16;     // channels of a block of the image
inline constexpr std::int64_t together = 32;  // positions of a tile
inline constexpr std::int64_t tile_elements = 512;
}  // namespace bf16_convolution

/// Pixels of two blocks of channels that become pixels of a plane.
struct Bf16Pixels {
    const float* lower = nullptr;
    const float* upper = nullptr;  // null: 16 zeros
    std::int64_t pixel_step = 16;  // floats from pixel to pixel
    std::int64_t count = 0;
    std::uint16_t* to = nullptr;  // 32 elements for each pixel
};

/// Positions [begin, end) of a band of rows, for one or two blocks of filters. A position is
/// row * row_positions + column; columns from `columns` on are dropped.
struct Bf16Positions {
    const std::uint16_t* planes = nullptr;  // readable for 32 positions behind the last one
    const std::int64_t* taps = nullptr;     // where position 0 reads, in elements from `planes`
    std::int64_t tap_count = 0;
    std::int64_t steps = 0;       // of 32 channels
    std::int64_t plane_step = 0;  // elements from the planes of one step to those of the next
    const std::uint16_t* filters = nullptr;  // [steps, taps, blocks, 16 pairs of channels, 16, 2]
    int blocks = 1;                          // of filters
    std::int64_t row_positions = 0, columns = 0, begin = 0, end = 0;
    const float* bias = nullptr;  // of the first block; none when null
    const float* sum = nullptr;   // as `output`, may be the same; none when null
    float* output = nullptr;      // of the first block, at position 0
    std::int64_t block_step = 0;  // floats of `output` and `sum` from block to block
    bool clamps = false;          // results to [low, high]
    float low = 0, high = 0;
};

struct Bf16ConvolutionKernels {
    /// Rounds to nearest, ties to even; NaN stays NaN.
    void (*round_pixels)(const Bf16Pixels& pixels);
    /// output = clamp(convolution + bias + sum). Numbers smaller than float32 holds with full
    /// precision count as zero.
    void (*convolve)(const Bf16Positions& positions);
};

#if defined(__x86_64__) && defined(__linux__) && !defined(LAPIDARY_BASELINE_ONLY)
namespace avx512_amx {
const Bf16ConvolutionKernels& bf16_convolution_kernels();
}
#endif

/// Null: the instruction set in use has no tiles.
inline const Bf16ConvolutionKernels* bf16_convolution_kernels() {
#if defined(__x86_64__) && defined(__linux__) && !defined(LAPIDARY_BASELINE_ONLY)
    if (active_isa() == Isa::avx512_amx) return &avx512_amx::bf16_convolution_kernels();
#endif
    return nullptr;
}

}  // namespace lapidary
