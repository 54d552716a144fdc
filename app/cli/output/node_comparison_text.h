// SPDX-License-Identifier: Apache-2.0
// Two engines node by node, as compare --by node prints them.
#pragma once

#include <iosfwd>
#include <vector>

#include <lapidary/node_times/node_comparison.h>

#include "cli/output/json_output.h"

namespace lapidary::cli {

/// `levels`: that A and B optimize at.
Json node_comparison_json(const NodeComparison& comparison, const std::vector<Level>& levels);
void print_node_comparison(std::ostream& out, const NodeComparison& comparison,
                           const std::vector<Level>& levels);

}  // namespace lapidary::cli
