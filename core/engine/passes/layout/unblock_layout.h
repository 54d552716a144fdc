// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <lapidary/graph/model.h>

namespace lapidary {

/// Turns every operator of com.microsoft.nchwc back into plain ONNX: Conv (its activation and Sum
/// as operators of their own), pools, Resize; weights are un-blocked, fill channels go away, and so
/// does the stamp of the layout. Types are those of the plain graph. Returns a sentence that says
/// what was done, empty when there was nothing to do. Throws not_supported, naming the node, for
/// what cannot be turned back (a blocked weight that is no constant, an operator that reads blocked
/// values and is none that may); the model is then as it was.
std::string unblock_layout(Model& model);

}  // namespace lapidary
