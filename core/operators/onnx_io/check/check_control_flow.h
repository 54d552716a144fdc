// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lapidary/graph/graph_edit.h>

namespace lapidary::onnx_io {

/// The counts that If, Loop and Scan require of their subgraphs' inputs and outputs. Throws
/// invalid_model with expected and found; other operators pass.
void check_control_flow(const NodeSpec& node);

}  // namespace lapidary::onnx_io
