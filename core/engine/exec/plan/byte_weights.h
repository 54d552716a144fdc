// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <lapidary/base/progress.h>
#include <lapidary/graph/model.h>

namespace lapidary {

/// Makes products with large float32 weights (large_weights.h) products of 8-bit integers, as
/// dynamic quantization does: weights are i8 with a scale for each column, and what they are
/// multiplied with is quantized to u8 in each run, with one scale and zero point for the tensor.
/// Bias, residual and activation of the product stay in its kernel, in float32; of Attention the
/// projections alone become integers. Products whose form the integer kernels do not have stay
/// float: with a transposed left operand, a weight that is no matrix or not finite, a bias that is
/// not one row, sums that do not fit 32 bits. So many threads quantize, one per core for 0. Returns
/// how many became integer. Throws cancelled.
std::size_t round_weights_to_bytes(Model& model, int threads, const CancelToken& cancel);

}  // namespace lapidary
