// SPDX-License-Identifier: Apache-2.0
// Convolutions of one channel and one filter in each group, with channels last, 8 of them at a
// time.
#pragma once

#include "kernels/convolution/convolution.h"

namespace lapidary::cuda {

/// Whether it is of halves that lie in whole pieces of 16 bytes.
bool is_depthwise_of_pieces(const ConvolutionArgs& args);
void launch_depthwise_of_pieces(Queue& queue, const ConvolutionArgs& args);

}  // namespace lapidary::cuda
