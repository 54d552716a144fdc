// SPDX-License-Identifier: Apache-2.0
// Puts the nodes that define an operator in its place: ONNX calls them its function body.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include <lapidary/base/limits.h>
#include <lapidary/base/progress.h>
#include <lapidary/graph/model.h>

namespace lapidary {

/// A node that stayed as it is.
struct UnexpandedNode {
    NodeId node;
    std::string reason;  // a sentence part: what its parts need
};

/// Puts simpler nodes in place of nodes of the main graph, one level deep: the body of a function
/// of the model that the node calls, what a lowering makes of an operator of com.microsoft, or the
/// body that ONNX defines. Types must be known; those of new nodes are. Returns the nodes that
/// stayed, in the order of `nodes`. Throws limit_exceeded for functions that are too large.
std::vector<UnexpandedNode> expand_nodes(Model& model, std::span<const NodeId> nodes,
                                         const Limits& limits = {}, const Progress& progress = {});

/// Operators of ai.onnx whose parts are known.
const std::set<std::string>& operators_with_parts();

}  // namespace lapidary
