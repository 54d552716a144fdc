// SPDX-License-Identifier: Apache-2.0
// Convolution of 3 x 3 windows by Winograd's minimal filtering, F(m x m, 3 x 3) with m = 4 or 2:
// tiles of (m + 2)^2 inputs and the filters are transformed, multiplied as (m + 2)^2 independent
// matrix products and transformed back to m^2 outputs. Source: A. Lavin, S. Gray, "Fast Algorithms
// for Convolutional Neural Networks", 2015; points 0, +-1, +-2 (m = 4) and 0, +-1.
//
// With xi counting the (m + 2)^2 products and b the block of channels:
//   U [xi][panel][input channel][panel width]
//     transformed filters: panels of `panel` outputs, the last one may have `panel / 2`
//   V [xi][input block][tile][b]
//     transformed tiles, `v_stride` elements from product to product
//   M [xi][panel][tile][panel width]
//     their products, `m_stride` elements from product to product
#pragma once

#include <cstdint>

#include "kernels/activation.h"
#include "kernels/vector/isa.h"

namespace lapidary {

/// Images [channels / block, height, width, block] and how m x m tiles cover an output image.
struct WinogradTiles {
    std::int64_t m, block;
    std::int64_t height, width, output_height, output_width, pad_top, pad_left;
    std::int64_t rows, columns;  // tiles of one image

    std::int64_t per_image() const { return rows * columns; }
    std::int64_t products() const { return (m + 2) * (m + 2); }
};

struct WinogradOutput {
    const float* bias;  // one per channel of the block, or null
    const float* sum;   // as the output, or null; may be the output
    float* y;           // block 0 of image 0 ... of this block of channels
    std::int64_t image_stride;
    Activation activation;
    /// One per tile from the first: bit i is set where the sums of channel i are no finite numbers;
    /// nothing is written then.
    std::uint16_t* spoiled;
};

struct WinogradKernels {
    std::int64_t panel;  // outputs of a whole panel: two vectors, and a block of channels or more

    /// The `width` filters of a panel for one block of input channels, from `squares` [blocks of
    /// outputs][9 taps][input channel] [output channel] to its rows of U, [input channel][width];
    /// filters from `outputs` on are 0 and have no square.
    void (*filters)(const float* squares, std::int64_t m, std::int64_t block, std::int64_t outputs,
                    std::int64_t width, float* u_rows, std::int64_t u_stride);
    /// Tiles [first, first + count) of one block of channels; tiles go through the images,
    /// `image_stride` elements apart.
    void (*inputs)(const float* x, std::int64_t image_stride, const WinogradTiles& tiles,
                   std::int64_t first, std::int64_t count, float* v, std::int64_t v_stride);
    /// One product: `tiles` rows of V times one panel of U.
    void (*multiply)(const float* v, std::int64_t tiles, std::int64_t inputs, std::int64_t block,
                     const float* u, std::int64_t width, float* m);
    /// Tiles [first, first + count) of one block of channels, which stand `tile_stride` elements
    /// apart in M. Sets all of `spoiled`; true when something is.
    bool (*outputs)(const float* m, std::int64_t m_stride, std::int64_t tile_stride,
                    const WinogradTiles& tiles, std::int64_t first, std::int64_t count,
                    const WinogradOutput& to);
};
LAPIDARY_PER_ISA(WinogradKernels, winograd_kernels)

}  // namespace lapidary
