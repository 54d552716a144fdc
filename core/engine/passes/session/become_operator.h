// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <lapidary/graph/graph_edit.h>

namespace lapidary {

/// Turns the node into an operator of the session's domain with these inputs and attributes in
/// place of its own. It keeps id, name and outputs, so that profiles name the node that wrote the
/// last value. Its origins become those of all nodes in `fused`, which includes the node itself.
/// None of them may have been erased.
void become_operator(GraphEdit& edit, NodeId node, std::string_view op_type,
                     std::span<const ValueId> inputs, std::vector<Attribute> attributes,
                     std::span<const NodeId> fused);

}  // namespace lapidary
