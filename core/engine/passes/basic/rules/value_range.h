// SPDX-License-Identifier: Apache-2.0
// Bounds on the elements of a value, from the operators that compute it.
#pragma once

#include <optional>

#include "ops/operator_traits.h"
#include "patterns/scope.h"

namespace lapidary {

/// Looks up through a few operators.
ValueRange range_of(const Scope& scope, ValueId value);

/// Bounds of a Relu or Clip node as it applies them; nothing when a bound is no constant.
std::optional<ValueRange> clip_bounds(const Scope& scope, const Node& node);

}  // namespace lapidary
