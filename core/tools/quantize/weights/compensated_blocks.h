// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <lapidary/base/progress.h>
#include <lapidary/tensor/tensor.h>

#include "base/threads/thread_pool.h"
#include "quantize/weights/block_weight.h"
#include "quantize/calibration/input_moments.h"
#include "quantize/weights/quantized_weight.h"

namespace lapidary {

/// A weight [K, N] in blocks of K whose rounding errors are made up for by the rows after them, by
/// the second moments of what it is multiplied with (Frantar et al. 2022, arXiv 2210.17323). Each
/// block takes the range, shrunk as far as that pays, whose summed |error|^2.4 is least for what
/// the rows before it left. Nothing where the moments are not those of K inputs, or cannot be
/// inverted. `signed_scales`: symmetric scales may be negative, as MatMulNBits allows and
/// DequantizeLinear does not. Columns are spread over `threads`, whose number does not change the
/// result. Throws cancelled.
std::optional<BlockWeight> compensated_blocks(const Tensor& weight, int bits, std::int64_t block,
                                              bool symmetric, bool signed_scales,
                                              const InputMoments& moments, ThreadPool& threads,
                                              const CancelToken& cancel = {});

/// The same integers for DequantizeLinear: blocks along `axis` of the [K, N] weight (0), or of its
/// transpose (1). Symmetric ones become signed with no zero point in use.
QuantizedWeight dequantize_form(const BlockWeight& weight, std::int64_t rows, int bits,
                                std::int64_t block, std::int64_t axis);

}  // namespace lapidary
