// SPDX-License-Identifier: Apache-2.0
// Converts a model to another opset of ai.onnx, one version at a time.
#pragma once

#include <cstdint>
#include <vector>

#include <lapidary/passes/optimize.h>

#include "rewrite/pass.h"

namespace lapidary {

/// The newest opset that conversion knows.
inline constexpr std::int64_t newest_opset = 28;

/// Converts one node from the form right before a version to the form of that version. Declines
/// with the reason, before it edits, if no such form computes the same. `node` is a copy; new nodes
/// get the new version.
using UpgradeNode = Outcome (*)(const Node& node, PassContext& context);

/// Brings every ai.onnx node to `opset`: those whose form changed by the steps of opset_steps.inc,
/// the others by taking the new version. Model-local functions are expanded first, and Constant
/// nodes then become constants of the graph. Returns the nodes that were rewritten. Throws
/// not_supported naming node and reason, invalid_input for an opset that is not known. Nodes above
/// the opset are brought down by convert_down().
std::vector<AppliedRewrite> convert_opset(Model& model, std::int64_t opset,
                                          const Progress& progress = {});

/// The same without functions, which are neither expanded nor changed.
std::vector<AppliedRewrite> convert_nodes(Model& model, std::int64_t opset,
                                          const Progress& progress = {});

/// The first version above one of `opset` and the node's version, up to the other, that changed
/// the operator's form; 0: none did.
std::int64_t version_of_change(const Node& node, std::int64_t opset);

/// Adds an import of ai.onnx if there is none, so that nodes can be added: the newest opset that
/// the model's IR version allows.
void import_onnx(Model& model);

}  // namespace lapidary
