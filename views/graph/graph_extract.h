// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the drawn model as files: what is selected as a model, constants of a node as arrays.
#pragma once

#include <vector>

#include "canvas/graph_canvas.h"

namespace lapidary::views {

/// Nodes of the main graph that the selection stands for; none for inputs, outputs, tensors, and
/// bodies.
std::vector<NodeId> nodesOf(const GraphOutline& outline, const GraphSelection& selection);
/// Constants that the selected node reads, of its own graph.
std::vector<const Value*> constantsOf(const GraphOutline& outline, const GraphSelection& selection);
/// A name for a file: what stands in `text`, characters that file systems dislike replaced.
QString fileNameFrom(const QString& text);

}  // namespace lapidary::views
