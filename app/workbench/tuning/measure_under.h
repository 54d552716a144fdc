// SPDX-License-Identifier: GPL-3.0-or-later
// What all measurements that the window starts have in common.
#pragma once

#include "worker/jobs/engine.h"
#include "worker/jobs/measure_job.h"
#include "worker/protocol/run_record.h"

namespace lapidary::app {

/// A job without candidates, with the seed, given inputs, sizes and warm-ups of the settings. There
/// is at least one warm-up, whatever `options` say.
MeasureJob measureUnder(const RunSettings& settings, const MeasureOptions& options);

}  // namespace lapidary::app
