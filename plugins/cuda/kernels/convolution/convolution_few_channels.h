// SPDX-License-Identifier: Apache-2.0
// Convolutions of halves whose channels are no multiple of 8, as the first ones of models have them
// (1, 3, 4): the image is packed so that one that reads pieces of 8 channels can take it, which
// else would read every element by itself. Neighbours of a row that a stride keeps together become
// channels of one pixel, and zeros fill up to the next multiple of 8: a window of 7 x 7 x 3 with
// stride 2 becomes one of 7 x 4 x 8, of 16 x 16 x 3 with stride 16 one of 16 x 1 x 48. Alone, 3
// channels would become 8, and twice as many bytes would be read.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/convolution/convolution.h"

namespace lapidary::cuda {

struct FewChannels {
    ConvolutionArgs packed;     // with channels last; x and w are those that launch_pack() writes
    std::int32_t together = 1;  // pixels of a row that are one packed pixel
    // zeros in front of each row, so that windows begin with a packed pixel
    std::int32_t lead = 0;
    std::int64_t x_bytes = 0, w_bytes = 0;  // of what is packed
};

/// `args`: with channels last. Nothing where the filters are no multiple of 8, channels are one, or
/// there are groups: then the plain convolution is as good or the only one.
std::optional<FewChannels> few_channels_of(const ConvolutionArgs& args);

struct PackArgs {
    ConvolutionArgs plain, packed;  // w as convolutions with channels last have it
    std::int32_t together = 1, lead = 0;
    std::int32_t x_type = 10;     // f16 or f32
    bool channels_first = false;  // plain.x is [batch, channel, spatial...]
};
/// Writes packed.x and packed.w, which begin at multiples of 16 bytes.
void launch_pack(Queue& queue, const PackArgs& args);

}  // namespace lapidary::cuda
