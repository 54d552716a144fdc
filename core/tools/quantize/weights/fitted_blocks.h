// SPDX-License-Identifier: Apache-2.0
// Weights in blocks whose scales and zero points are searched, not taken from extremes.
#pragma once

#include <span>

#include <lapidary/base/progress.h>
#include <lapidary/tensor/tensor.h>

#include "base/threads/thread_pool.h"
#include "quantize/weights/block_weight.h"

namespace lapidary {

/// What the integers of a block may be.
struct BlockKind {
    int bits = 4;             // 4 or 8
    std::int64_t block = 32;  // rows: a power of two from 16 to 256
    bool symmetric = false;   // no zero points
    /// Symmetric scales may be negative, so that the larger end has the level that only one side
    /// has. MatMulNBits allows it, DequantizeLinear does not.
    bool signed_scales = true;
    friend auto operator<=>(const BlockKind&, const BlockKind&) = default;
};

/// Quantizes a weight f32 [K, N] in blocks of K. Of each block the scale and the zero point are
/// those with the least sum of importance * error^2 among ranges that are narrower than the
/// extremes step by step; the scale is then the least-squares one for the integers, which are
/// rounded again. Never worse by that sum than quantize_blocks(). `importance`: of each row, not
/// below 0, such as the mean square of the input that it is multiplied with; empty: all alike.
/// Columns are spread over `threads`; their number does not change the result. Throws as
/// quantize_blocks().
BlockWeight fitted_blocks(const Tensor& weight, const BlockKind& kind,
                          std::span<const double> importance, ThreadPool& threads,
                          const CancelToken& cancel = {});

/// Sum over all elements of importance * (weight - what the blocks represent)^2.
double block_error(const Tensor& weight, const BlockWeight& blocks, const BlockKind& kind,
                   std::span<const double> importance);

}  // namespace lapidary
