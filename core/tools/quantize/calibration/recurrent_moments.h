// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <lapidary/quantize/quantize.h>

#include "quantize/calibration/input_moments.h"

namespace lapidary {

/// Of an LSTM with constant weights: second moments of what its two weights are multiplied with.
struct RecurrentMoments {
    NodeId node;
    // W [directions, gates, inputs] and R [directions, gates, units]
    ValueId weight, recurrence;
    std::vector<InputMoments> input;   // one, for all directions
    std::vector<InputMoments> hidden;  // of the state before each step, one per direction
};
/// Filled by some sample.
bool is_known(const std::vector<InputMoments>& moments);

/// Of all LSTM nodes that `options` quantize in mode dynamic. States are read from the output of
/// all steps; nodes that lack it have none of `hidden`. Samples that cannot be run are passed over.
std::vector<RecurrentMoments> collect_recurrent_moments(const Model& model,
                                                        const QuantizeOptions& options,
                                                        const SampleSource& samples,
                                                        const Progress& progress);

}  // namespace lapidary
