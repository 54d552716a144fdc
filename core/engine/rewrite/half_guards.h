// SPDX-License-Identifier: Apache-2.0
// Positive constants that float16 rounds to 0 and that keep divisors, roots, powers and logarithms
// off 0:
//   y = x / max(|x|, 1e-12)        log(p + 1e-9)        (x - mean) / sqrt(variance + 1e-12)
#pragma once

#include <map>
#include <string>

#include <lapidary/graph/graph.h>

namespace lapidary {

/// The nodes that have to stay float32 for such a constant to do its work, each with the reason:
/// the node that adds it (Add, Sum) or bounds by it (Max, Clip, Where), what divides by the result
/// or takes its root, power, reciprocal or logarithm, and the nodes between the two. Of one graph,
/// values of its subgraphs left out.
std::map<NodeId, std::string> half_guards(const Graph& graph);

}  // namespace lapidary
