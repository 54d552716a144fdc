// SPDX-License-Identifier: Apache-2.0
// Where two sides first differ, as the command diverge prints it.
#pragma once

#include <iosfwd>

#include <lapidary/inspect/first_difference.h>

#include "cli/output/json_output.h"

namespace lapidary::cli {

void print_divergence(std::ostream& out, const Divergence& divergence);

/// {"verdict", "causes", "values", "unmatched_a", "unmatched_b", "kept_bytes", "runs",
/// "engine_runs"}
Json divergence_json(const Divergence& divergence);

}  // namespace lapidary::cli
