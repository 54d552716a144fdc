// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <lapidary/quantize/quantize.h>

#include "quantize/quantized_operator.h"

namespace lapidary {

/// What LSTM nodes that `options` quantize in mode dynamic multiply their data X [steps, batch,
/// inputs] with: W [directions, gates, inputs], a constant that nothing else reads. Its outputs are
/// the gates of all directions. None in other modes, which leave LSTM float, and of nodes with the
/// batch first.
std::vector<WeightedProduct> recurrent_products(const Graph& graph, const QuantizeOptions& options);

/// A constant f32 of three dimensions with elements that nothing else reads, as the weights of an
/// LSTM are; else null.
const Tensor* own_recurrent_weight(const Graph& graph, ValueId value);

}  // namespace lapidary
