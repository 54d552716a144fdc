// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include <lapidary/quantize/quantize.h>

#include "quantize/calibration/held_out_rows.h"
#include "quantize/weights/weight_by_channel.h"

namespace lapidary {

/// Of rows of outputs, by their rows of the input; the weights' share is the same for all.
struct SmoothingCost {
    std::vector<double> of_input;
    double of_weights = 0;
    double mean() const;
    /// By more than what rows differ in of themselves: twice the standard error of the mean of the
    /// differences. One row in many that exceeds its range decides nothing.
    bool is_clearly_below(const SmoothingCost& other) const;
};

/// What rounding an input and the weights behind it to 8 bits costs when the input's channels are
/// divided, for a row of outputs. The input's share is measured on rows that gave neither divisors
/// nor, in mode static, the range: few samples say little of what channels reach, and what exceeds
/// a range that was made narrow by their peaks is lost. The weights' share is expected: roundings
/// are taken for uniform and independent. Only comparisons mean anything.
class SmoothingError {
public:
    /// `seen`: of the input, with channels. `held_out`: of the input; judging() must not be empty.
    SmoothingError(const Graph& graph, const std::vector<WeightedProduct>& products,
                   const ObservedTensor& seen, const HeldOutRows& held_out,
                   const QuantizeOptions& options);

    /// Divisors of each channel, given the largest magnitudes of the channels.
    using DivisorsOf = std::function<std::vector<float>(const std::vector<float>& peaks)>;
    SmoothingCost operator()(const DivisorsOf& divisors_of) const;

private:
    struct Weight {
        std::vector<float> magnitudes;  // [inputs, outputs]
        std::size_t outputs = 0;
    };
    std::vector<double> of_input(const DivisorsOf& divisors_of) const;
    double of_weights(const std::vector<float>& divisors) const;

    const ObservedTensor& seen_;
    const HeldOutRows& held_out_;
    std::vector<Weight> weights_;
    std::vector<double> row_squares_;  // by input channel, of all weights
    double weight_share_, input_steps_;
    bool range_of_each_run_;
};

}  // namespace lapidary
