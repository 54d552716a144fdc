// SPDX-License-Identifier: Apache-2.0
// Models side by side on the same inputs, measured in turn.
#pragma once

#include <functional>
#include <vector>

#include "worker/jobs/engine.h"

namespace lapidary::app {

/// As Engine::measure(). A candidate that cannot be opened has the reason as its error; the others
/// go on. Memory is measured for models that another process can open, where there is a program for
/// it (find_worker_program()).
std::vector<Measurement> measure_candidates(
    const MeasureJob& job, const Progress& progress,
    const std::function<void(const std::vector<Measurement>&)>& on_round);

/// What the fresh process does for the memory of one candidate: opens and runs it, returns
/// fresh_figures_text(). The model of `source` is in memory, where reading it took `read_ms`.
std::string fresh_figures(const ModelSource& source, const RunConfiguration& configuration,
                          const std::map<std::string, std::int64_t>& dimensions, std::uint64_t seed,
                          const GivenInputs& given, double read_ms);

}  // namespace lapidary::app
