// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the nodes that a node depends on, those that depend on it, and those near it.
#pragma once

#include <vector>

#include "canvas/graph_canvas.h"

namespace lapidary::views {

enum class TraceDirection : std::uint8_t { against, along, both };  // relative to the data flow

/// The leaves of the outline that are at most `steps` tensors away from the selected ones,
/// including those; 0: at any distance. Ascending; empty: nothing is selected.
std::vector<OutlineIndex> traced(const GraphOutline& outline, const GraphSelection& selection,
                                 TraceDirection way, int steps);

}  // namespace lapidary::views
