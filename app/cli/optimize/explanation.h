// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>

#include <lapidary/advice/near_miss_groups.h>
#include <lapidary/passes/optimize.h>

namespace lapidary::cli {

/// Prints rewrites grouped by pass, then near misses grouped by pass and reason. If shares are
/// known, the near misses with the largest share come first.
void print_explanation(std::ostream& out, const PipelineReport& report, const TimeShares& shares);

}  // namespace lapidary::cli
