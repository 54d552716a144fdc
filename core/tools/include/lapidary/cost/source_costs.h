// SPDX-License-Identifier: Apache-2.0
// Times of nodes by the program that the model was exported from: classes of its modules, lines of
// its code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lapidary/cost/cost_rollback.h>
#include <lapidary/graph/graph.h>

namespace lapidary {

/// What times are summed by.
enum class SourceUnit : std::uint8_t { class_name, line };

/// A class or a line.
struct SourceCost {
    std::string name;  // "LlamaAttention", "model.py:12"; empty: nodes of which it is not known
    std::string code;  // of a line; empty: not known
    /// of all nodes in modules of the class, those of other classes inside of it included; of a
    /// line its part of each node: several lines have equal parts
    double ms = 0;
    double own_ms = 0;      // of nodes whose innermost module is of the class; of a line: the same
    double share = 0;       // of the time given to source_costs(), 0..1
    std::size_t nodes = 0;  // that have a part in it
};

/// What exporters noted of the nodes (source_of()) says where `costs` belong. Longest first, equal
/// ones by name; nodes of which nothing is known last. Shares of classes overlap: a class contains
/// others.
std::vector<SourceCost> source_costs(const Graph& graph, const std::vector<NodeCost>& costs,
                                     SourceUnit unit, double whole_ms);

/// The nodes of a profile of `graph` as costs, without those that are not in it.
std::vector<NodeCost> node_costs(const Graph& graph, const std::vector<NodeTotal>& totals);

}  // namespace lapidary
