// SPDX-License-Identifier: Apache-2.0
// Finds and bounds mask constants: numbers such as -3.4e38 that are added to scores, or selected in
// their place, so that Softmax gives 0 for them. An 8-bit range that includes such numbers has no
// resolution left for the scores, and float16 cannot hold them.
#pragma once

#include <string>
#include <vector>

#include <lapidary/quantize/calibrate.h>
#include <lapidary/quantize/quantize.h>

namespace lapidary {

/// An f32 constant whose every use ends in a Softmax, by way of sums, products with values made
/// from a mask, and selections.
struct MaskConstant {
    ValueId constant;
    std::vector<ValueId> scores;  // what it is added to, or selected in place of
    // what it is multiplied with: it is a mask if these lie between 0 and 1
    std::vector<ValueId> shares;
    std::vector<ValueId> values;  // the values computed from it, itself included
};

/// The mask constants of the main graph that have an element of -1e4 or less.
std::vector<MaskConstant> mask_constants(const Graph& graph);

/// Replaces elements of -1e4 or less, infinities included, by the width of the range of scores
/// below zero, minus 20, but at least -1e4. Softmax gives less than 1e-8 for them. Where no scores
/// were observed the replacement is -1e4. Rows that are masked completely give other shares than
/// before. Returns the number of changed constants, and adds a note on them.
std::size_t bound_masks(Graph& graph, const std::vector<MaskConstant>& masks,
                        const Calibration* seen, std::vector<std::string>& notes);

}  // namespace lapidary
