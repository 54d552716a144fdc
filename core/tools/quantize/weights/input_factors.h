// SPDX-License-Identifier: Apache-2.0
// Where a value's channels can be divided by factors without a node for it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <lapidary/graph/graph_edit.h>

#include "quantize/quantized_operator.h"

namespace lapidary {

/// Constants that make the value's channels larger or smaller, so that dividing them divides the
/// value.
struct FactorPlace {
    std::vector<std::pair<NodeId, std::size_t>> vectors;  // nodes and inputs: one element a channel
    std::optional<WeightedProduct> product;               // its outputs are the channels
};

/// Scales and biases of a normalization, the constant of a Mul, or, with `through_products`, the
/// weight of a product that alone goes into the Mul which makes the value (the linear part of a
/// gated unit). Nothing: there are none.
std::optional<FactorPlace> factor_place(const Graph& graph, ValueId value, std::size_t channels,
                                        bool through_products);

/// Divides them. What else reads them keeps its own.
void divide(GraphEdit& edit, const FactorPlace& place, std::span<const float> divisors);

}  // namespace lapidary
