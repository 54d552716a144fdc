// SPDX-License-Identifier: Apache-2.0
// Converts a model to an earlier opset of ai.onnx, one version at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lapidary/passes/optimize.h>

#include "rewrite/pass.h"

namespace lapidary {

/// The oldest opset that conversion writes.
inline constexpr std::int64_t oldest_opset = 7;

/// Converts one node from the form of a version to the form right before it. Declines with the
/// reason, before it edits, if no such form computes the same. `node` is a copy; new nodes get the
/// opset right before the version.
using DowngradeNode = Outcome (*)(const Node& node, PassContext& context);

/// Brings every ai.onnx node above `opset` down to it: those whose form or meaning changed by the
/// steps of opset_down_steps.inc, the others by taking the older version where their types and
/// attributes exist there. Functions of the model must be expanded before. Sets
/// the oldest IR version that allows the result. Returns the nodes that were rewritten. Throws
/// not_supported naming nodes and reasons, invalid_input for an opset below oldest_opset.
std::vector<AppliedRewrite> convert_down(Model& model, std::int64_t opset,
                                         const Progress& progress = {});

/// Operators that came after opset 7 and that a step writes out in older ones.
std::vector<std::string> written_out_downwards();

}  // namespace lapidary
