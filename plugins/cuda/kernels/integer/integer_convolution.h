// SPDX-License-Identifier: Apache-2.0
// Convolutions of bytes as products of filters and windows. Images are first copied so that the
// channels of a pixel are adjacent, in pieces of 16 bytes. Weights are copied likewise, tap by tap;
// the rest of a tap's last piece is filled with the weight's zero point, so that padding
// contributes nothing.
#pragma once

#include "kernels/integer/quantized.h"

namespace lapidary::cuda {

struct PackedConvolution {
    IntegerConvolutionArgs args;
    std::int32_t channels = 0;  // of a group, a multiple of 16
    // [batch, groups, pixels, channels]; null: x is [channels, pixels] as it is
    std::uint8_t* images = nullptr;
    const std::uint8_t* weights = nullptr;  // [groups, filters, kernel, channels]
    std::uint8_t* to_weights = nullptr;     // null: they already have that layout
    std::uint8_t* zeros = nullptr;          // 16 zero points of x
};
/// Does nothing where neither has to be copied.
void launch_convolution_pack(Queue& queue, const PackedConvolution& packed);

}  // namespace lapidary::cuda
