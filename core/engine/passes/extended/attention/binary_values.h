// SPDX-License-Identifier: Apache-2.0
// Values whose elements are all 0 or 1.
#pragma once

#include "patterns/scope.h"

namespace lapidary::attention {

/// True if the type, the elements of a constant, or the operators that compute the value prove it.
bool is_zero_or_one(const Scope& scope, ValueId value);

}  // namespace lapidary::attention
