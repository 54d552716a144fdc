// SPDX-License-Identifier: GPL-3.0-or-later
// What a node is made of, what is made of it, and what is near it.
#pragma once

#include <vector>

#include "canvas/graph_canvas.h"

namespace lapidary::views {

enum class TraceDirection : std::uint8_t { against, along, both };  // the data

/// Leaves of the outline, those selected among them, that are at most so many tensors away; 0:
/// however far. Ascending; empty: nothing is selected.
std::vector<OutlineIndex> traced(const GraphOutline& outline, const GraphSelection& selection,
                                 TraceDirection way, int steps);

}  // namespace lapidary::views
