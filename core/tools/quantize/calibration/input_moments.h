// SPDX-License-Identifier: Apache-2.0
// Second moments of the data that a product multiplies with its weight.
#pragma once

#include <lapidary/tensor/tensor.h>

#include "quantize/quantized_operator.h"

namespace lapidary {

/// Sum over rows of x x^T, per group. `size`: inputs of one output element.
struct InputMoments {
    std::int64_t groups = 1, size = 0;
    std::vector<double> sums;  // [groups, size, size]
    double rows = 0;
};

/// Empty if the product has more inputs than `most`, or attributes that are not supported
/// (auto_pad, ConvTranspose).
InputMoments moments_for(const Graph& graph, const WeightedProduct& product, std::int64_t most);
/// Adds one row of `size` elements to the lower triangle of a group; the caller counts `rows`.
void add_row(InputMoments& moments, std::int64_t group, const std::vector<float>& row);
/// Adds rows of one sample: every row of a matrix product; of a convolution at most `most_rows`
/// windows, spread evenly. Throws cancelled.
void add_moments(InputMoments& moments, const Graph& graph, const WeightedProduct& product,
                 const Tensor& data, std::int64_t most_rows, const CancelToken& cancel = {});

}  // namespace lapidary
