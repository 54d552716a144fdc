// SPDX-License-Identifier: Apache-2.0
// The passes of the levels once more, on a session's copy of a model whose 16-bit floats became
// float32: layouts, fusions and kernels that only fit float32.
#pragma once

#include "rewrite/pipeline.h"

namespace lapidary {

/// Makes the pipeline run these passes after those of group `widen`, if the session fuses and runs
/// on the CPU. `options` are those of the pipeline, and as it does outlive its run. Disabled passes
/// stay so; all others of the level at which models run by default apply.
void follow_widening_by_levels(Pipeline& pipeline, const OptimizeOptions& options,
                               const Progress& progress);

}  // namespace lapidary
