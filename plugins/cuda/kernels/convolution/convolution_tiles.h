// SPDX-License-Identifier: Apache-2.0
// Convolutions of halves with channels last whose channels and filters of a group are multiples
// of 8.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/convolution/convolution.h"

namespace lapidary::cuda {

/// Whether operands lie in pieces of 16 bytes, and the window's sizes along all axes add up to at
/// most 32.
bool is_for_window_tiles(const ConvolutionArgs& args);
/// The best split; depends only on the shape. The last block of a tile adds up the parts.
ProductSplit split_of_window_tiles(const ConvolutionArgs& args);
/// Bytes of the sums of one part.
std::int64_t window_part_bytes(const ConvolutionArgs& args);
/// Whether launch_window_tiles() can split it: only with few small tiles, because each tile needs a
/// counter.
bool can_split_window_tiles(const ConvolutionArgs& args);
void launch_window_tiles(Queue& queue, const ConvolutionArgs& args);

/// Expresses a transposed convolution whose windows do not overlap as a convolution with a window
/// of one element, whose results are spread over those windows. Empty where launch_window_tiles()
/// does not take it.
std::optional<ConvolutionArgs> spread_convolution_of(const ConvolutionArgs& transposed);

}  // namespace lapidary::cuda
