// SPDX-License-Identifier: Apache-2.0
// Values that hold nothing but 0 and 1.
#pragma once

#include "patterns/scope.h"

namespace lapidary::attention {

/// Proven by the type, the elements of a constant, or the operators that compute the value; false
/// where nothing proves it.
bool is_zero_or_one(const Scope& scope, ValueId value);

}  // namespace lapidary::attention
