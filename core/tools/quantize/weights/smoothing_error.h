// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include <lapidary/quantize/quantize.h>

#include "quantize/calibration/held_out_rows.h"
#include "quantize/weights/weight_by_channel.h"

namespace lapidary {

/// The cost for rows of outputs, by row of the input. The weights' share is the same for all rows.
struct SmoothingCost {
    std::vector<double> of_input;
    double of_weights = 0;
    double mean() const;
    /// True if the mean difference is more than twice its standard error. A few rows that exceed
    /// their range decide nothing.
    bool is_clearly_below(const SmoothingCost& other) const;
};

/// Estimates the cost of rounding an input and the weights after it to 8 bits, for a row of
/// outputs, if the input's channels are divided. The input's share is measured on rows that gave
/// neither the divisors nor, in mode static, the range: few samples say little about the peaks of
/// channels, and values beyond a range that these peaks made too narrow are lost. The weights'
/// share is an expectation: roundings count as uniform and independent. Costs have no unit; only
/// compare them.
class SmoothingError {
public:
    /// `seen`: observations of the input, with channels. `held_out`: rows of the input; judging()
    /// must not be empty.
    SmoothingError(const Graph& graph, const std::vector<WeightedProduct>& products,
                   const ObservedTensor& seen, const HeldOutRows& held_out,
                   const QuantizeOptions& options);

    /// Computes the divisor of each channel from the channels' largest magnitudes.
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
    std::vector<double> row_squares_;  // by input channel, over all weights
    double weight_share_, input_steps_;
    bool range_of_each_run_;
};

}  // namespace lapidary
