// SPDX-License-Identifier: Apache-2.0
// Windows of pools that extend beyond the edges of an image.
#pragma once

#include <lapidary/graph/graph.h>

namespace lapidary {

/// True if a window of the MaxPool may lie entirely in the padding. Its result is then no element
/// of the input.
bool may_see_only_padding(const Node& pool);

}  // namespace lapidary
