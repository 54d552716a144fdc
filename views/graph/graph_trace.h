// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the nodes that a node depends on, those that depend on it, those near it, and those on the
// way from one node to another.
#pragma once

#include <vector>

#include "canvas/graph_canvas.h"

namespace lapidary::views {

enum class TraceDirection : std::uint8_t { against, along, both };  // relative to the data flow

/// The leaves of the outline that are at most `steps` tensors away from the selected ones,
/// including those; 0: at any distance. Ascending; empty: nothing is selected.
std::vector<OutlineIndex> traced(const GraphOutline& outline, const GraphSelection& selection,
                                 TraceDirection way, int steps);

/// The leaves on the paths of data between two leaves, in whichever direction data flows, with
/// both. Ascending; empty: no data flows from one to the other.
std::vector<OutlineIndex> between(const GraphOutline& outline, OutlineIndex one,
                                  OutlineIndex other);

}  // namespace lapidary::views
