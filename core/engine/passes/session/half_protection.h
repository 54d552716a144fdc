// SPDX-License-Identifier: Apache-2.0
// Finds nodes whose values may not fit into float16, without samples of values.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "patterns/scope.h"
#include "rewrite/half_floats.h"

namespace lapidary {

bool reads_floats(const Graph& graph, const Node& node);

/// Protected nodes: results may be far larger than inputs (powers, exponentials, sums, quotients by
/// computed values); constants beyond float16's range or rounded to 0; probabilities that are
/// outputs of the model; whole numbers; and nodes between those, as in the variance of a norm in
/// single operators. For bfloat16, which has the range of float32, only the last two.
class HalfProtection {
public:
    HalfProtection(const Scope& scope, DType half) : scope_(scope), half_(half) {}
    /// Nodes in topological order; `ports.problem` is set where the node is protected by itself.
    void add(NodeId node, HalfPorts& ports);
    /// The node stays float32 for another reason, which is reported if it reads floats.
    void add_refused(NodeId node, std::string reason);
    /// All nodes that stay float32, with the reasons.
    const std::map<NodeId, std::string>& settle();

private:
    std::string problem_of(const Node& node, const HalfPorts& ports) const;
    std::string constant_problem(const Node& node, const HalfPorts& ports) const;
    void stay(NodeId node, std::string reason);

    const Scope& scope_;
    const DType half_;
    std::map<NodeId, std::string> reasons_;
    std::set<NodeId> stays_;     // these, and those that read no floats
    std::set<NodeId> whole_;     // of them: those that compute with whole numbers
    std::set<NodeId> between_;   // nodes that only read values of these
    std::vector<NodeId> order_;  // of those
};

}  // namespace lapidary
