// SPDX-License-Identifier: Apache-2.0
// Convolutions of bytes as products of filters and windows. Images are copied first so that the
// channels of a pixel lie together in pieces of 16 bytes, and weights likewise, tap by tap; what
// fills the last piece of a tap is the weight's zero point, so that it counts nothing whatever the
// image has there.
#pragma once

#include "kernels/integer/quantized.h"

namespace lapidary::cuda {

struct PackedConvolution {
    IntegerConvolutionArgs args;
    std::int32_t channels = 0;  // of a group, a multiple of 16
    // [batch, groups, pixels, channels]; null: x is [channels, pixels] as it is
    std::uint8_t* images = nullptr;
    const std::uint8_t* weights = nullptr;  // [groups, filters, kernel, channels]
    std::uint8_t* to_weights = nullptr;     // null: they lie like that as they are
    std::uint8_t* zeros = nullptr;          // 16 zero points of x
};
/// Nothing where both are as they are.
void launch_convolution_pack(Queue& queue, const PackedConvolution& packed);

}  // namespace lapidary::cuda
