// SPDX-License-Identifier: Apache-2.0
// Convolution of blocked channels with one filter per channel: tiles of some pixels of a row, all
// of whose taps in that row use an input pixel while it is in a register.
#pragma once

#include <cstdint>

#include "kernels/activation.h"
#include "kernels/vector/isa.h"

namespace lapidary {

/// Lengths and steps count floats; [0] is height, [1] width.
struct DepthwiseConvolution {
    std::int64_t block = 0;  // channels of a block: 8 or 16
    std::int64_t input_size[2] = {0, 0}, output_width = 0;
    std::int64_t kernel[2] = {1, 1}, stride[2] = {1, 1}, dilation[2] = {1, 1}, pad[2] = {0, 0};
    Activation activation;
};

/// Output rows [first_row, end_row) of one block of one image. `bias` and `sum` may be null, sum
/// may be the output itself.
struct DepthwiseTask {
    const float* input;   // [height, width, block]
    const float* weight;  // [kernel height, kernel width, block]
    const float* bias;    // [block]
    const float* sum;     // as output
    float* output;        // [output height, output width, block]
    std::int64_t first_row, end_row;
};

struct DepthwiseConvolutionKernels {
    /// output = activation(convolution + bias + sum)
    void (*run)(const DepthwiseConvolution& convolution, const DepthwiseTask& task);
};
LAPIDARY_PER_ISA(DepthwiseConvolutionKernels, depthwise_convolution_kernels)

}  // namespace lapidary
