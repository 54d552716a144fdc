// SPDX-License-Identifier: Apache-2.0
// The direct sums of single tiles of a Winograd convolution. Its transforms mix the elements of a
// tile, so that one infinity or NaN reaches outputs whose windows do not hold it: such a tile is
// summed up anew.
#pragma once

#include <cstdint>

#include "kernels/vector/convolution/winograd.h"

namespace lapidary::winograd {

/// Where the filters of one block of outputs stand: U [xi][panel][input channel][panel width], at
/// its panel and column.
struct TransformedFilters {
    const float* u;  // of product 0, input channel 0 and the block's first output
    // from product to product, from input channel to input channel
    std::int64_t u_stride, width;
    std::int64_t inputs;
};

/// Writes the outputs of tile `tile` that `channels` (bit i for channel i of the block) names,
/// where the outputs kernel left them out. `x` is image 0, `image_stride` elements from image to
/// image.
void write_direct_tile(const float* x, std::int64_t image_stride, const WinogradTiles& tiles,
                       std::int64_t tile, const TransformedFilters& filters, unsigned channels,
                       const WinogradOutput& to);

}  // namespace lapidary::winograd
