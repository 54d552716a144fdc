// SPDX-License-Identifier: Apache-2.0
// Convolutions of halves whose channels are not a multiple of 8, as in the first layer of a model
// (1, 3 or 4 channels). The image is packed for the kernel that reads pieces of 8 channels;
// otherwise each element would be read by itself. Pixels of a row that fall into one stride become
// channels of one packed pixel, and zeros fill up to the next multiple of 8. So a window of 7 x 7 x
// 3 with stride 2 becomes one of 7 x 4 x 8, and 16 x 16 x 3 with stride 16 becomes 16 x 1 x 48.
// Padding 3 channels to 8 without this would double the bytes to read.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/convolution/convolution.h"

namespace lapidary::cuda {

struct FewChannels {
    ConvolutionArgs packed;     // with channels last; launch_pack() writes its x and w
    std::int32_t together = 1;  // pixels of a row in one packed pixel
    // zeros in front of each row, so that windows begin at a packed pixel
    std::int32_t lead = 0;
    std::int64_t x_bytes = 0, w_bytes = 0;  // bytes of the packed x and w
};

/// `args`: with channels last. Empty where the number of filters is not a multiple of 8, where
/// there is one channel, or where there are groups: packing then does not help or is not possible.
std::optional<FewChannels> few_channels_of(const ConvolutionArgs& args);

struct PackArgs {
    ConvolutionArgs plain, packed;  // `plain` has w as convolutions with channels last do
    std::int32_t together = 1, lead = 0;
    std::int32_t x_type = 10;     // f16 or f32
    bool channels_first = false;  // plain.x is [batch, channel, spatial...]
};
/// Writes packed.x and packed.w, which begin at multiples of 16 bytes.
void launch_pack(Queue& queue, const PackArgs& args);

}  // namespace lapidary::cuda
