// SPDX-License-Identifier: Apache-2.0
// Convolution of images of blocked channels without copying windows: tiles of output pixels by
// output channels are summed in registers over input blocks and taps. Nothing is padded: pixels
// whose windows lose the same taps at the edges of the image form rectangles ("runs" of rows by
// runs of columns), and a tile never crosses two of them.
#pragma once

#include <cstdint>

#include "kernels/activation.h"
#include "kernels/vector/isa.h"

namespace lapidary {

/// Output positions [begin, end) of one axis, whose windows have exactly the taps [first_tap,
/// end_tap) inside the image.
struct WindowRun {
    std::int32_t begin, end, first_tap, end_tap;
};

/// What all tasks of one convolution share. Lengths and steps count floats; [0] is height, [1]
/// width.
struct DirectConvolution {
    std::int64_t block = 0;  // channels of a block: 8 or 16
    // the input is [C, H, W] and `inputs` counts channels; else [C / block, H, W, block]
    bool reads_plain = false;
    std::int64_t inputs = 0;          // input blocks of a group
    std::int64_t inputs_at_once = 0;  // how many of them are summed before the next tile
    // from one input (block), row, pixel to the next
    std::int64_t input_step = 0, input_row = 0, input_pixel = 0;
    std::int64_t kernel[2] = {1, 1}, stride[2] = {1, 1}, dilation[2] = {1, 1}, pad[2] = {0, 0};
    // from one output block, row to the next
    std::int64_t output_step = 0, output_row = 0;
    const WindowRun* runs[2] = {nullptr, nullptr};
    std::int64_t run_count[2] = {0, 0};
    Activation activation;
};

/// A rectangle of output pixels of some output blocks of one image and group. `weight` (OIHWBiBo or
/// OIHWBo), `bias`, `sum` and `output` start at the first of these blocks; bias and sum may be
/// null, sum may be the output itself.
struct DirectTask {
    const float* input;
    const float* weight;
    const float* bias;
    const float* sum;
    float* output;
    std::int64_t blocks;
    std::int64_t begin[2], end[2];
};

struct DirectConvolutionKernels {
    /// output = activation(convolution + bias + sum). Each sum runs over inputs, rows and columns
    /// of taps in this order.
    void (*run)(const DirectConvolution& convolution, const DirectTask& task);
    /// Pixels and output blocks of the tile preferred for blocks of 8 or 16: tasks are best whole
    /// multiples.
    std::int64_t (*tile_pixels)(std::int64_t block);
    std::int64_t (*tile_blocks)(std::int64_t block);
};
LAPIDARY_PER_ISA(DirectConvolutionKernels, direct_convolution_kernels)

}  // namespace lapidary
