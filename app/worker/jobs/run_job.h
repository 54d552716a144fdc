// SPDX-License-Identifier: Apache-2.0
// Runs one request of the worker process.
#pragma once

#include <functional>

#include "worker/jobs/engine.h"
#include "worker/protocol/job_json.h"
#include "worker/jobs/model_cache.h"

namespace lapidary::app {

/// Returns the "result" of the answer. `on_state` gets partial results. Throws invalid_input for an
/// unknown job or member, and what the engine throws.
Json run_job(const Json& request, Engine& engine, ModelCache& cache, const Progress& progress,
             const SweepControl& control, const std::function<void(Json)>& on_state);

/// Opens and runs one candidate of a measurement, as the only work of this process. `request`:
/// {"model", "configuration", "dimensions", "seed"}. Returns fresh_figures_text().
std::string run_fresh(const std::string& request);

}  // namespace lapidary::app
