// SPDX-License-Identifier: Apache-2.0
// Where two sides first differ, as the commands diverge and check print it.
#pragma once

#include <iosfwd>
#include <vector>

#include <lapidary/inspect/difference_text.h>
#include <lapidary/inspect/first_difference.h>

#include "cli/output/json_output.h"

namespace lapidary::cli {

/// Titles in a column of their own, then the texts.
void print_lines(std::ostream& out, const std::vector<FoundLine>& lines);

/// {"verdict", "causes", "values", "unmatched_a", "unmatched_b", "kept_bytes", "runs",
/// "engine_runs"}
Json divergence_json(const Divergence& divergence);

}  // namespace lapidary::cli
