// SPDX-License-Identifier: GPL-3.0-or-later
// Which of the blocks that a model repeats took much longer than the others.
#pragma once

#include <vector>

#include "canvas/graph_outline.h"

namespace lapidary::views {

/// Of each group that holds blocks alike, "12 × layer", the one that took at least half as long
/// again as half of them do; noIndex where none did, where a time is missing, and of other groups.
/// By group of the outline. `times`: by leaf, NaN where nothing is known.
std::vector<OutlineIndex> slowBlocks(const GraphOutline& outline, const std::vector<float>& times);

/// "#7" of "layer.7" or "block 7"; else by its place among its siblings.
QString blockNumber(const GraphOutline& outline, OutlineIndex group);

}  // namespace lapidary::views
