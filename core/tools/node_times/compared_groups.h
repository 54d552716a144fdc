// SPDX-License-Identifier: Apache-2.0
// What two recordings of a model say, group by group.
#pragma once

#include <string>
#include <vector>

#include <lapidary/graph/graph.h>
#include <lapidary/node_times/node_comparison.h>

#include "node_times/kernel_times.h"

namespace lapidary {

/// ComparedGroup::name of the time in which no kernel ran.
inline constexpr const char* between_kernels_name = "(between kernels)";

/// Compares recordings of the same number of runs, taken in pairs. `sized`: the model with the
/// sizes of the run, so that the work of nodes is known.
NodeComparison compare_recordings(const Graph& sized, const RecordedTimes& a,
                                  const RecordedTimes& b);

/// NodeComparison::sentences of the rest of it.
std::vector<std::string> comparison_sentences(const NodeComparison& comparison);

}  // namespace lapidary
