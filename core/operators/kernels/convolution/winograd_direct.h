// SPDX-License-Identifier: Apache-2.0
// Direct sums for single tiles of a Winograd convolution. The transforms mix all elements of a
// tile, so one infinity or NaN would reach outputs whose windows do not contain it. Such a tile is
// computed again directly.
#pragma once

#include <cstdint>

#include "kernels/vector/convolution/winograd.h"

namespace lapidary::winograd {

/// The transformed filters of one block of outputs in U [xi][panel][input channel][panel width], at
/// its panel and column.
struct TransformedFilters {
    const float* u;  // of product 0, input channel 0 and the block's first output
    // from product to product, from input channel to input channel
    std::int64_t u_stride, width;
    std::int64_t inputs;
};

/// Writes the outputs of tile `tile` for the channels in `channels` (bit i: channel i of the
/// block), which the outputs kernel skipped. `x` is image 0, `image_stride` elements from image to
/// image.
void write_direct_tile(const float* x, std::int64_t image_stride, const WinogradTiles& tiles,
                       std::int64_t tile, const TransformedFilters& filters, unsigned channels,
                       const WinogradOutput& to);

}  // namespace lapidary::winograd
