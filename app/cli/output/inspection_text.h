// SPDX-License-Identifier: Apache-2.0
// Values inside of a model as the command inspect prints them.
#pragma once

#include <iosfwd>

#include <lapidary/inspect/inspect_values.h>

#include "cli/output/json_output.h"

namespace lapidary::cli {

/// A table of statistics, with a row for each run; below it histograms, if there are few values,
/// and what was kept of each value as a table of its last two axes.
void print_inspection(std::ostream& out, const Inspection& inspection, bool has_tables);

/// A row for each value and token of what `generate --watch` saw; runs are tokens.
void print_watched(std::ostream& out, const Inspection& watched);

/// [{"name", "token", "type", "minimum", ...}]
Json watched_json(const Inspection& watched);

/// {"values": [...], "left_out"}
Json inspection_json(const Inspection& inspection, bool has_tables);

}  // namespace lapidary::cli
