// SPDX-License-Identifier: Apache-2.0
// What the writers of mode static share: how they choose and report ranges, and how biases
// compensate for rounded weights.
#pragma once

#include <lapidary/quantize/quantize.h>

#include "rewrite/affine_parameters.h"
#include "quantize/quantized_operator.h"
#include "rewrite/quantized_weight.h"

namespace lapidary {

RangeOptions range_options(const QuantizeOptions& options);

QuantizedRange quantized_range(const ObservedTensor& seen, const AffineParameters& chosen,
                               DType dtype);

/// bias - (rounded weight - weight) * mean of the input, per output channel (Nagel et al. 2019).
/// Returns the bias itself if `seen` is null or its means are not those of the product's input.
Tensor corrected_bias(const Graph& graph, const WeightedProduct& product, const Tensor& bias,
                      const Tensor& weight, const QuantizedWeight& stored,
                      const ObservedTensor* seen, const CancelToken& cancel = {});

}  // namespace lapidary
