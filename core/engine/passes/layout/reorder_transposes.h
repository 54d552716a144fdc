// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rewrite/pass.h"

namespace lapidary::passes {

/// A Transpose between channels second and channels last, in front of a ReorderInput or behind a
/// ReorderOutput, becomes part of the reorder.
void merge_transposes_with_reorders(PassContext& context);

}  // namespace lapidary::passes
