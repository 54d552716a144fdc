// SPDX-License-Identifier: Apache-2.0
// How large the inputs are that the rows of weights are multiplied with.
#pragma once

#include <map>
#include <vector>

#include <lapidary/quantize/quantize.h>

namespace lapidary {

/// What matrix products multiply with weights that have no other reader.
std::vector<WatchedValue> product_inputs(const Graph& graph);

/// The mean square of the input of each row, by the weight: of every matrix product whose weight
/// has no other reader. Runs the samples. Throws as calibrate().
std::map<ValueId, std::vector<double>> collect_input_squares(const Model& model,
                                                             const QuantizeOptions& options,
                                                             const SampleSource& samples,
                                                             const Progress& progress);

}  // namespace lapidary
