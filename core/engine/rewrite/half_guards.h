// SPDX-License-Identifier: Apache-2.0
// Positive constants that keep divisors, roots, powers and logarithms away from 0, and that float16
// would round to 0:
//   y = x / max(|x|, 1e-12)        log(p + 1e-9)        (x - mean) / sqrt(variance + 1e-12)
#pragma once

#include <map>
#include <string>

#include <lapidary/graph/graph.h>

namespace lapidary {

/// The nodes that must stay float32 for such a constant to have an effect, each with the reason:
/// the node that adds it (Add, Sum) or bounds by it (Max, Clip, Where), the node that divides by
/// the result or takes its root, power, reciprocal or logarithm, and the nodes between. Without
/// subgraphs.
std::map<NodeId, std::string> half_guards(const Graph& graph);

}  // namespace lapidary
