// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <lapidary/graph/model.h>

namespace lapidary {

/// Turns every operator of com.microsoft.nchwc back into plain ONNX: Conv (its activation and Sum
/// as operators of their own), pools, Resize; weights are unblocked, padding channels and the
/// layout's metadata are removed. Types are those of the plain graph. Returns a sentence about the
/// changes; empty: there was nothing to do. Throws not_supported, naming the node, if one cannot be
/// turned back: its blocked weight is no constant, or it must not read blocked values. The model is
/// then unchanged.
std::string unblock_layout(Model& model);

}  // namespace lapidary
