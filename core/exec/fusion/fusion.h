// SPDX-License-Identifier: Apache-2.0
// Neighbouring nodes that one kernel runs: rewrites of a session's own copy of the graph, after optimize(). What they
// make are operators of domain "lapidary" that no file ever holds. The node that gives the last value keeps its id, so
// that profiles still point at it. fusion_list.inc lists them in order, a file and a function each:
//   LAPIDARY_FUSION(function)     void function(Graph& graph, GraphEdit& edit, const CancelToken& cancel)
#pragma once

#include <string_view>

#include <lapidary/graph.h>
#include <lapidary/progress.h>

namespace lapidary {

inline constexpr std::string_view fusion_domain = "lapidary";

/// All of the list, in subgraphs too.
void fuse_steps(Graph& graph, const CancelToken& cancel);

}  // namespace lapidary
