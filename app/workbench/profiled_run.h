// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workbench/workbench.h"

namespace lapidary::app {

/// Compiles the model, runs it with generated inputs: warm-ups, then profiled repetitions. Blocks; called on
/// a worker. Throws what the session throws.
RunRecord profiledRun(const ModelPtr& model, const RunSettings& settings, const Progress& progress);

}  // namespace lapidary::app
