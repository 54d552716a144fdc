// SPDX-License-Identifier: Apache-2.0
// Matches nodes and operators of two variants A and B: nodes that replace the same original nodes,
// else those of the same name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <lapidary/report/html_report.h>

namespace lapidary {

/// A node of A and the node of B that matches it.
struct MatchedNode {
    std::string name, op;                  // of A, or of B where A has none
    std::optional<double> a_ms, b_ms;      // in the typical run; nothing: there is no such node
    std::size_t a_among = 1, b_among = 1;  // number of nodes that the time was divided among
    double change() const { return b_ms.value_or(0) - a_ms.value_or(0); }  // ms that B takes more
};

/// All nodes of an operator on both sides.
struct MatchedOperator {
    std::string op;                                // without its domain
    double a_ms = 0, b_ms = 0;                     // in the typical run
    std::int64_t a_calls = 0, b_calls = 0;         // per run
    double change() const { return b_ms - a_ms; }  // ms that B takes more
};

/// A against B.
struct Matching {
    bool by_origin = false;                  // else by name and operator
    std::vector<MatchedNode> nodes;          // largest change first
    std::vector<MatchedOperator> operators;  // largest change first
    double a_rest_ms = 0, b_rest_ms = 0;     // of nodes that replace no original node
};

/// The graph that a side's profile refers to.
const Graph& executed_graph(const ReportSide& side);

/// Nothing unless there are two sides, both with a profile.
std::optional<Matching> match_sides(const ReportContent& content);

}  // namespace lapidary
