// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <lapidary/quantize/quantize.h>

#include "quantize/calibration/input_moments.h"

namespace lapidary {

/// Second moments of the data that an LSTM with constant weights multiplies with its two weights.
struct RecurrentMoments {
    NodeId node;
    // W [directions, gates, inputs] and R [directions, gates, units]
    ValueId weight, recurrence;
    std::vector<InputMoments> input;   // one entry, for all directions
    std::vector<InputMoments> hidden;  // of the state before each step, one entry per direction
};
/// True if some sample has filled them.
bool is_known(const std::vector<InputMoments>& moments);

/// The moments of all LSTM nodes that `options` quantize in mode dynamic. States are read from the
/// output that holds all steps; a node without that output has no `hidden`. Samples that fail to
/// run are skipped.
std::vector<RecurrentMoments> collect_recurrent_moments(const Model& model,
                                                        const QuantizeOptions& options,
                                                        const SampleSource& samples,
                                                        const Progress& progress);

}  // namespace lapidary
