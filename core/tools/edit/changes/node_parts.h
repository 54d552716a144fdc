// SPDX-License-Identifier: Apache-2.0
// Puts other nodes that compute the same in place of one node.
#pragma once

#include <cstdint>

#include <lapidary/graph/graph_edit.h>

namespace lapidary {

/// Puts the nodes of one branch of an If in its place, whatever its condition. `opset`: of new
/// nodes. Throws invalid_input for a node that is no If or lacks the branch.
void resolve_branch(GraphEdit& edit, NodeId node, bool then_branch, std::int64_t opset);

/// Puts Transpose, MatMul, Mul and Add in place of a Gemm, as far as its attributes need them.
/// Throws invalid_input for another node, and where a factor is not 1 and the element type is not
/// known.
void split_gemm(GraphEdit& edit, NodeId node, std::int64_t opset);

}  // namespace lapidary
