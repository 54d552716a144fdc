// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <lapidary/base/progress.h>

#include "quantize/weights/quantized_weight.h"

namespace lapidary {

/// Which elements of a weight an output adds up.
struct SummedElements {
    std::int64_t outputs = 1;
    // outputs are the last axis, as of a matrix [inputs, outputs]; else rows follow rows
    bool is_last_axis = false;
    // elements of one input in a row: of a convolution the places of its window
    std::int64_t taps = 1;
};

/// Moves integers of a weight to the other neighbour where that lets the rounding errors of an
/// output cancel out, first those of each input of a convolution, then those of the output: their
/// sum is at most half a step then. Inputs that are positive on average, as behind a Relu, would
/// make a shift of it. The elements nearest to the middle of two steps move, and no element moves
/// out of the format's range; those on a step stay. Needs no samples (Guo et al., SQuant, ICLR
/// 2022, arXiv 2202.07471). `weight`: f32, what `stored` was made of by quantize_weight() without
/// blocks. All elements of an output share a scale. Throws invalid_input for blocks or another
/// shape; cancelled.
void balance_rounding(QuantizedWeight& stored, const Tensor& weight, const SummedElements& sums,
                      const CancelToken& cancel = {});

}  // namespace lapidary
