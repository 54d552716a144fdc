// SPDX-License-Identifier: GPL-3.0-or-later
// Finds repeated blocks of a model that took much longer than the others.
#pragma once

#include <vector>

#include "canvas/graph_outline.h"

namespace lapidary::views {

/// By group of the outline: in a group of repeated blocks ("12 × layer"), the block that took at
/// least 1.5 times their median; noIndex if none did, if a time is missing, and for other groups.
/// `times`: by leaf; NaN: not known.
std::vector<OutlineIndex> slowBlocks(const GraphOutline& outline, const std::vector<float>& times);

/// "#7" for "layer.7" or "block 7"; for other names its place among its siblings.
QString blockNumber(const GraphOutline& outline, OutlineIndex group);

}  // namespace lapidary::views
