// SPDX-License-Identifier: Apache-2.0
// Nodes in the form of another opset than the model imports. A file has one version of each domain,
// and every node of the main graph and its bodies is read in the form of that version.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <lapidary/graph/graph.h>

namespace lapidary {

struct OtherForm {
    NodeId node;
    std::string reason;  // a sentence with both versions and how the imported one differs
};

/// Nodes of `graph`, without those of bodies, that are valid at their own version of the operator,
/// and at the one that `imports` (domain -> version) has for their domain are invalid, gone, or
/// mean something else. For example Resize(x, scales) and Softmax(x) of opset 10 where opset 17 is
/// imported, which have come from the body of a function with imports of its own. Domains that are
/// not imported are left out. Types of inputs that are not known refuse nothing.
std::vector<OtherForm> nodes_of_other_forms(const Graph& graph,
                                            const std::map<std::string, std::int64_t>& imports);

}  // namespace lapidary
