// SPDX-License-Identifier: Apache-2.0
// Second moments of what a product's weight is multiplied with.
#pragma once

#include <lapidary/tensor/tensor.h>

#include "quantize/quantized_operator.h"

namespace lapidary {

/// Sum over rows of x x^T, per group: `size` = inputs of one output element.
struct InputMoments {
    std::int64_t groups = 1, size = 0;
    std::vector<double> sums;  // [groups, size, size]
    double rows = 0;
};

/// Empty, for a product of which `most` is passed, or whose attributes are not plain (auto_pad,
/// ConvTranspose).
InputMoments moments_for(const Graph& graph, const WeightedProduct& product, std::int64_t most);
/// Adds one row of `size` elements to the lower triangle of a group; the caller counts `rows`.
void add_row(InputMoments& moments, std::int64_t group, const std::vector<float>& row);
/// Adds rows of one sample: of products every row, of convolutions windows, at most `most_rows`
/// spread evenly. Throws cancelled.
void add_moments(InputMoments& moments, const Graph& graph, const WeightedProduct& product,
                 const Tensor& data, std::int64_t most_rows, const CancelToken& cancel = {});

}  // namespace lapidary
