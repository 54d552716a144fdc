// SPDX-License-Identifier: GPL-3.0-or-later
// Checks slow blocks by the fastest call of each node. On a busy machine single calls take much
// longer than usual, even in the typical run.
#pragma once

#include "canvas/graph_outline.h"
#include "worker/protocol/run_record.h"

namespace lapidary::views {

/// True if each block that is slow by these times, by leaf (slowBlocks()), is also slow by the
/// fastest calls of the run. The time of a kernel that replaces several drawn nodes is divided
/// equally among them.
bool areSlowAtBest(const GraphOutline& outline, const std::vector<float>& times,
                   const app::RunRecord& run);

}  // namespace lapidary::views
