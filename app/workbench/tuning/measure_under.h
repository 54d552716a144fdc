// SPDX-License-Identifier: GPL-3.0-or-later
// Measuring under the settings of runs: what every measurement that the window starts has in
// common.
#pragma once

#include "worker/jobs/engine.h"
#include "worker/jobs/measure_job.h"
#include "worker/protocol/run_record.h"

namespace lapidary::app {

/// Without candidates: seed, given inputs, chosen sizes and warm-ups of the settings (at least one,
/// whatever `options` say).
MeasureJob measureUnder(const RunSettings& settings, const MeasureOptions& options);

}  // namespace lapidary::app
