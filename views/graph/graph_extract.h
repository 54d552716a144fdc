// SPDX-License-Identifier: GPL-3.0-or-later
// Saves parts of the drawn model: the selection as a model, constants of a node as arrays.
#pragma once

#include <vector>

#include "canvas/graph_canvas.h"

namespace lapidary::views {

/// The selected nodes of the main graph; empty for inputs, outputs, tensors and subgraphs.
std::vector<NodeId> nodesOf(const GraphOutline& outline, const GraphSelection& selection);
/// The constants of its own graph that the selected node reads.
std::vector<const Value*> constantsOf(const GraphOutline& outline, const GraphSelection& selection);
/// A file name made from `text`: characters that file systems do not allow are replaced.
QString fileNameFrom(const QString& text);

}  // namespace lapidary::views
