// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <lapidary/base/progress.h>
#include <lapidary/tensor/tensor.h>

#include "base/threads/thread_pool.h"
#include "quantize/weights/block_weight.h"
#include "quantize/calibration/input_moments.h"
#include "rewrite/quantized_weight.h"

namespace lapidary {

/// Quantizes a weight [K, N] in blocks of K. Later rows compensate for the rounding errors of
/// earlier rows, based on the second moments of the inputs (Frantar et al. 2022, arXiv 2210.17323).
/// Each block shrinks its range as far as that lowers the sum of |error|^2.4, given what the rows
/// before it left. Empty if the moments are not those of K inputs or cannot be inverted.
/// `signed_scales`: symmetric scales may be negative, which MatMulNBits allows and DequantizeLinear
/// does not. Columns are spread over `threads`; their number does not change the result. Throws
/// cancelled.
std::optional<BlockWeight> compensated_blocks(const Tensor& weight, int bits, std::int64_t block,
                                              bool symmetric, bool signed_scales,
                                              const InputMoments& moments, ThreadPool& threads,
                                              const CancelToken& cancel = {});

/// The same integers for DequantizeLinear, in blocks along `axis`: 0 for the [K, N] weight, 1 for
/// its transpose. Symmetric ones become signed with zero points of 0.
QuantizedWeight dequantize_form(const BlockWeight& weight, std::int64_t rows, int bits,
                                std::int64_t block, std::int64_t axis);

}  // namespace lapidary
