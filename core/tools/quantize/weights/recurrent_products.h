// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <lapidary/quantize/quantize.h>

#include "quantize/quantized_operator.h"

namespace lapidary {

/// The products of data X [steps, batch, inputs] with the weight W [directions, gates, inputs] in
/// LSTM nodes that `options` quantize in mode dynamic. W must be a constant without other readers.
/// The outputs are the gates of all directions. Empty in other modes, which leave LSTM float; nodes
/// with the batch first are skipped.
std::vector<WeightedProduct> recurrent_products(const Graph& graph, const QuantizeOptions& options);

/// The value as a constant f32 tensor of three dimensions, not empty and without other readers, as
/// the weights of an LSTM are; else null.
const Tensor* own_recurrent_weight(const Graph& graph, ValueId value);

}  // namespace lapidary
