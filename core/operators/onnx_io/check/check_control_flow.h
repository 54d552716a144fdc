// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lapidary/graph/graph_edit.h>

namespace lapidary::onnx_io {

/// Checks the numbers of inputs and outputs of the subgraphs of If, Loop and Scan. Throws
/// invalid_model with expected and found; does nothing for other operators.
void check_control_flow(const NodeSpec& node);

}  // namespace lapidary::onnx_io
