// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <lapidary/graph/graph.h>

#include "kernels/vector/elementwise/elementwise.h"

namespace lapidary {

/// Add, Sub, Mul, Div, PRelu, Pow, and Min, Max, Sum of two inputs; nothing for other nodes.
std::optional<BinaryKind> binary_kind(const Node& node);

/// base^exponent for an exponent that needs no pow(): 2, 1/2, 3, 1, -1.
std::optional<UnaryKind> constant_power(float exponent);

}  // namespace lapidary
