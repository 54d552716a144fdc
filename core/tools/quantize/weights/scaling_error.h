// SPDX-License-Identifier: Apache-2.0
// What weights in blocks cost if they are scaled by rows beforehand.
#pragma once

#include <span>
#include <vector>

#include <lapidary/quantize/quantize.h>

#include "base/threads/thread_pool.h"
#include "quantize/quantized_operator.h"

namespace lapidary {

/// The error of outputs to expect if rows of weights are multiplied by factors before they are
/// rounded in blocks, and inputs divided by them (AWQ: Lin et al. 2023, arXiv 2306.00978). Some
/// columns of each weight are rounded for it.
class ScalingError {
public:
    /// `squares`: mean squares of the input that all products read.
    ScalingError(const Graph& graph, const std::vector<WeightedProduct>& products,
                 std::vector<double> squares, const QuantizeOptions& options);

    /// Sum of squared errors of outputs, as if inputs were independent of each other.
    double operator()(std::span<const float> factors, ThreadPool& threads,
                      const CancelToken& cancel) const;
    /// The factors for a share of the inputs' spread: root of the mean square ^ share, with a
    /// geometric mean of 1. Inputs that are always 0 have 1.
    std::vector<float> factors_of(double share) const;

private:
    std::vector<Tensor> weights_;  // [K, some of N]
    std::vector<double> squares_;
    const QuantizeOptions& options_;
};

}  // namespace lapidary
