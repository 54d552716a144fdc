// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <lapidary/quantize/calibrate.h>

#include "quantize/calibration/watched_runs.h"

namespace lapidary {

/// Runs the model over the samples while `wants_more()`, without rewriting its nodes, and passes
/// the named values to `visit` in the order of the samples. Samples that cannot be read or run are
/// skipped. Throws cancelled.
void visit_values(const Model& model, const SampleSource& samples,
                  const std::vector<std::string>& names, int threads, const Progress& progress,
                  const std::function<bool()>& wants_more,
                  const std::function<void(const SeenValues&)>& visit);

}  // namespace lapidary
