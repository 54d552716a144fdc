// SPDX-License-Identifier: Apache-2.0
// Operations of one call by operator. Nothing: the operator is not known, or not enough of its
// inputs are there.
#pragma once

#include <optional>

#include "cost/node_sizes.h"

namespace lapidary {

struct Operations {
    double count = 0;
    bool integer = false;
};

/// Operators that multiply matrices: products, convolutions, attention, recurrent ones.
std::optional<Operations> product_operations(const Node& node, const NodeSizes& sizes);
/// All others: what is done to each element. 0: they move data.
std::optional<double> element_operations(const Node& node, const NodeSizes& sizes);

/// Names a new tensor over the same memory, or reads a shape.
bool touches_no_data(const Node& node);
/// Reads no more of its inputs than it writes.
bool picks_elements(const Node& node);

}  // namespace lapidary
