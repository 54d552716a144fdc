// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>

#include <lapidary/advice/near_miss_groups.h>
#include <lapidary/passes/optimize.h>

namespace lapidary::cli {

/// Rewrites grouped by pass, then near misses grouped by pass and reason, the dearest first where
/// shares are known.
void print_explanation(std::ostream& out, const PipelineReport& report, const TimeShares& shares);

}  // namespace lapidary::cli
