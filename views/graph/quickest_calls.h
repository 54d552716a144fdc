// SPDX-License-Identifier: GPL-3.0-or-later
// What the nodes of a drawing took at best: where others use the machine, single calls take much
// longer than usual, in the typical run too.
#pragma once

#include "canvas/graph_outline.h"
#include "worker/protocol/run_record.h"

namespace lapidary::views {

/// Whether each block that is slow by these times, by leaf (slowBlocks()), is so by the quickest
/// calls of the run too. Kernels that stand for several nodes of the drawing count in equal parts.
bool areSlowAtBest(const GraphOutline& outline, const std::vector<float>& times,
                   const app::RunRecord& run);

}  // namespace lapidary::views
