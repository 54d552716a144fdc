// SPDX-License-Identifier: Apache-2.0
// Convolutions of halves with channels last whose channels and filters of a group are multiples
// of 8.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/convolution/convolution.h"

namespace lapidary::cuda {

/// Whether operands lie in pieces of 16 bytes, and the window has at most 32 places along all axes
/// together.
bool is_for_window_tiles(const ConvolutionArgs& args);
/// How it is best split, by the shape alone; the last block of a tile adds parts up.
ProductSplit split_of_window_tiles(const ConvolutionArgs& args);
/// Of the sums of one part.
std::int64_t window_part_bytes(const ConvolutionArgs& args);
/// Whether launch_window_tiles() takes it in parts: with few small tiles alone, which are counted.
bool can_split_window_tiles(const ConvolutionArgs& args);
void launch_window_tiles(Queue& queue, const ConvolutionArgs& args);

/// A transposed convolution whose windows lie side by side, as a convolution of one element whose
/// results are spread over those windows; nothing where launch_window_tiles() does not take it.
std::optional<ConvolutionArgs> spread_convolution_of(const ConvolutionArgs& transposed);

}  // namespace lapidary::cuda
