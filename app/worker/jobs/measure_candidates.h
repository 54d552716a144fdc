// SPDX-License-Identifier: Apache-2.0
// Measures models side by side on the same inputs, in turn.
#pragma once

#include <functional>
#include <vector>

#include "worker/jobs/engine.h"

namespace lapidary::app {

/// As Engine::measure(). A candidate that cannot be opened gets the reason as its error, and the
/// others go on. Memory is measured for models that another process can open, if there is a program
/// for it (find_worker_program()).
std::vector<Measurement> measure_candidates(
    const MeasureJob& job, const Progress& progress,
    const std::function<void(const std::vector<Measurement>&)>& on_round);

/// The part of the fresh process that measures the memory of one candidate: opens and runs it and
/// returns fresh_figures_text(). The model of `source` is in memory; reading it took `read_ms`.
std::string fresh_figures(const ModelSource& source, const RunConfiguration& configuration,
                          const std::map<std::string, std::int64_t>& dimensions, std::uint64_t seed,
                          const GivenInputs& given, double read_ms);

}  // namespace lapidary::app
