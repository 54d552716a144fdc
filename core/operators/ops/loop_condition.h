// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lapidary/graph/graph.h>

namespace lapidary {

/// True when the body of a Loop passes its condition on, or a constant true: the loop then runs for
/// the given count.
bool condition_stays(const Graph& body);

}  // namespace lapidary
