// SPDX-License-Identifier: Apache-2.0
// Pools of images with channels last, 16 bytes of channels at a time.
#pragma once

#include "kernels/convolution/convolution.h"

namespace lapidary::cuda {

/// Whether channels lie in whole pieces of 16 bytes.
bool is_pool_of_pieces(const PoolArgs& args);
void launch_pool_of_pieces(Queue& queue, const PoolArgs& args);

}  // namespace lapidary::cuda
