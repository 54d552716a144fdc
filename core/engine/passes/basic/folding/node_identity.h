// SPDX-License-Identifier: Apache-2.0
// Recognizes nodes that compute the same.
#pragma once

#include <functional>
#include <string>

#include <lapidary/graph/graph.h>

namespace lapidary {

/// A key equal for nodes that compute the same from the same inputs: operator, version, attributes,
/// number and presence of outputs, and the inputs as `input_key` names them. Empty when the node
/// must not be merged: random, with subgraphs, without outputs, large tensor attributes.
std::string node_identity(const Node& node, const std::function<std::string(ValueId)>& input_key);

}  // namespace lapidary
