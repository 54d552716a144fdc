// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <lapidary/base/progress.h>

#include "rewrite/quantized_weight.h"

namespace lapidary {

/// Which elements of a weight are summed in one output.
struct SummedElements {
    std::int64_t outputs = 1;
    // true: outputs are the last axis, as in a matrix [inputs, outputs]; false: the first one
    bool is_last_axis = false;
    // consecutive elements of one input: the window of a convolution
    std::int64_t taps = 1;
};

/// Moves integers of a weight to the other neighbour so that the rounding errors of an output
/// cancel out: first the errors of each input of a convolution, then those of the output. Their sum
/// is then at most half a step. This helps because inputs that are positive on average, as after a
/// Relu, turn the sum of errors into a shift. The elements closest to the middle between two steps
/// move; none leaves the range of the format, and elements exactly on a step stay. Needs no samples
/// (Guo et al., SQuant, ICLR 2022, arXiv 2202.07471). `weight`: f32, from which quantize_weight()
/// without blocks made `stored`. All elements of an output share a scale. Throws invalid_input for
/// blocks or another shape; cancelled.
void balance_rounding(QuantizedWeight& stored, const Tensor& weight, const SummedElements& sums,
                      const CancelToken& cancel = {});

}  // namespace lapidary
