// SPDX-License-Identifier: Apache-2.0
// Arithmetic operations of one call, by operator. Nothing: the operator or a size that is needed is
// not known.
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
/// All other operators, by the operations on each element. 0: they move data.
std::optional<double> element_operations(const Node& node, const NodeSizes& sizes);

/// True if the operator makes a view of the same memory, or reads only a shape.
bool touches_no_data(const Node& node);
/// True if it reads no more of its inputs than it writes.
bool picks_elements(const Node& node);

}  // namespace lapidary
