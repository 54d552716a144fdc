// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes and values as lines of an edit script name them.
#pragma once

#include <QString>

#include <vector>

#include <lapidary/graph/graph.h>

namespace lapidary::views {

/// The node's name, or `index:7` where it has none or shares it with another node.
QString editName(const Graph& graph, NodeId node);
/// The nodes as one selection: "conv1, conv2".
QString editNames(const Graph& graph, const std::vector<NodeId>& nodes);
/// The value's name.
QString editName(const Graph& graph, ValueId value);

}  // namespace lapidary::views
