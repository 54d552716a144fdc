// SPDX-License-Identifier: Apache-2.0
// Runs of two engines in turn.
#pragma once

#include <cstddef>

#include <lapidary/base/progress.h>
#include <lapidary/node_times/node_comparison.h>

#include "node_times/recorded_engine.h"

namespace lapidary {

/// The most pairs whose recordings engines keep whole: ONNX Runtime drops events behind the
/// millionth. `nodes`: of the model.
std::size_t most_pairs(std::size_t nodes);

/// Runs both in pairs of random order, as many as the options say, and gives their number. Before a
/// measured run comes one that is not where runs are short, since the other engine's run has left
/// nothing in the caches. Threads rest in between.
std::size_t run_in_pairs(RecordedEngine& a, RecordedEngine& b, std::size_t most,
                         const NodeComparisonOptions& options, const Progress& progress);

}  // namespace lapidary
