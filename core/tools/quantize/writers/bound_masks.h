// SPDX-License-Identifier: Apache-2.0
// Constants that masks are made of: numbers such as -3.4e38, added to scores or selected in their
// place so that Softmax gives nothing for them. A range of 8 bits that reaches to them holds no
// scores any more, and float16 has no room for them.
#pragma once

#include <string>
#include <vector>

#include <lapidary/quantize/calibrate.h>
#include <lapidary/quantize/quantize.h>

namespace lapidary {

/// A constant of f32 whose every use ends in a Softmax over sums with it, products with what is
/// made of a mask, and selections.
struct MaskConstant {
    ValueId constant;
    std::vector<ValueId> scores;  // what it is added to or selected in place of
    // what it is multiplied by: it is a mask where these lie between 0 and 1
    std::vector<ValueId> shares;
    std::vector<ValueId> values;  // that it reaches, itself among them
};

/// Of the main graph, with an element of -1e4 or less.
std::vector<MaskConstant> mask_constants(const Graph& graph);

/// Elements of -1e4 or less, infinities among them, become the width of the scores below zero and
/// 20 less, for which Softmax gives less than a hundred millionth; at least -1e4, which is also
/// what they become where nothing was seen. Rows that are masked whole give other shares than
/// before. Returns the constants changed, and says so in a note.
std::size_t bound_masks(Graph& graph, const std::vector<MaskConstant>& masks,
                        const Calibration* seen, std::vector<std::string>& notes);

}  // namespace lapidary
