// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>

#include <lapidary/optimize.h>

namespace lapidary::cli {

/// Rewrites grouped by pass, then near misses, the nearest first, each with what kept it from happening.
void print_explanation(std::ostream& out, const PipelineReport& report);

}  // namespace lapidary::cli
