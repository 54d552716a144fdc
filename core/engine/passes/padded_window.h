// SPDX-License-Identifier: Apache-2.0
// Windows of pools that reach over the edges of an image.
#pragma once

#include <lapidary/graph/graph.h>

namespace lapidary {

/// A window of the MaxPool may lie wholly in the padding: it has no maximum, so that its result is
/// no element of the input.
bool may_see_only_padding(const Node& pool);

}  // namespace lapidary
