// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rewrite/pass.h"

namespace lapidary::attention {

/// The value counts 0, 1, 2 ... along its last axis, which is `rows` long, and does the same in
/// every row: a Range, a slice of a constant, NonZero of ones, in any shape that keeps that order.
bool counts_rows(PassContext& context, ValueId value, const Dim& rows);

}  // namespace lapidary::attention
