// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rewrite/pass.h"

namespace lapidary::attention {

/// True if every row of the value is 0, 1, 2 ... along its last axis, which is `rows` long: a
/// Range, a slice of a constant, or NonZero of ones, in any shape that keeps that order.
bool counts_rows(PassContext& context, ValueId value, const Dim& rows);

}  // namespace lapidary::attention
