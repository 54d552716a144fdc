// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <lapidary/calibrate.h>

#include "quantize/weight_by_channel.h"

namespace lapidary {

/// What rounding an input and the weights behind it to 8 bits is expected to cost, as a function of the divisors of the
/// input's channels: roundings are taken for uniform and independent. Only comparisons mean anything.
class SmoothingError {
public:
    /// `seen`: of the input, with channels. `compensated`: weights are rounded with compensation.
    SmoothingError(const Graph& graph, const std::vector<WeightedProduct>& products, const ObservedTensor& seen,
                   bool compensated);

    double operator()(const std::vector<float>& divisors) const;

private:
    struct Weight {
        std::vector<float> magnitudes;  // [inputs, outputs]
        std::size_t outputs = 0;
    };
    const ObservedTensor& seen_;
    std::vector<Weight> weights_;
    std::vector<double> row_squares_;  // by input channel, of all weights
    double weight_share_;
};

}  // namespace lapidary
