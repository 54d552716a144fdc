// SPDX-License-Identifier: Apache-2.0
// Pools whose sizes are rounded up, and of which readers have two opinions.
#pragma once

#include <lapidary/graph/graph.h>

namespace lapidary {

/// Whether the node is a MaxPool, AveragePool or LpPool with ceil_mode whose last window of some
/// axis would begin in the padding and is dropped (ONNX opset 22, ONNX Runtime from 1.21 on;
/// before, it counted), and which gives the same without ceil_mode. False where sizes are not
/// known.
bool rounds_up_for_nothing(const Graph& graph, const Node& node);

}  // namespace lapidary
