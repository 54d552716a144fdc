// SPDX-License-Identifier: Apache-2.0
// Convolutions with one filter per channel, channels last: sums over taps, finished as products
// are.
#pragma once

#include "kernels/vector/integer/byte_product.h"

namespace lapidary {

struct ByteDepthwiseKernels {
    /// Channels of one panel.
    std::int64_t panel_width;
    /// Bytes of the weights of `taps` taps for `channels` channels.
    std::int64_t (*bytes)(std::int64_t taps, std::int64_t channels, bool is_centered);
    /// Panels from w[channel * taps + tap], u8 with 128 subtracted first; `zeros` holds a zero
    /// point per channel or is null where all are 0 (after that subtraction). sums[channel] becomes
    /// the sum of its centered weights, 0 up to a whole panel.
    void (*pack)(const void* w, bool is_unsigned, const std::int32_t* zeros, std::int64_t taps,
                 std::int64_t channels, void* to, std::int32_t* sums);
    /// True where multiply_plain() is faster with ByteBlock::runs of this step. The block has all
    /// channels then, finished to bytes in rows as long as those of its input.
    bool (*wants_runs)(std::int64_t channels, std::int64_t step);
    /// As ByteProductKernels::multiply on such panels; block.inner is not read. `plain` where
    /// `zeros` was null.
    void (*multiply_plain)(const ByteBlock& block);
    void (*multiply_centered)(const ByteBlock& block);
};
LAPIDARY_PER_INTEGER_ISA(ByteDepthwiseKernels, byte_depthwise_kernels)

}  // namespace lapidary
