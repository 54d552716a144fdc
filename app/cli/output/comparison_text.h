// SPDX-License-Identifier: Apache-2.0
// Comparisons of outputs as check, compare, bisect and the guard print them.
#pragma once

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/proof/compare.h>
#include <lapidary/proof/lowered_precision.h>

#include "cli/output/json_output.h"

namespace lapidary::cli {

bool all_match(const std::vector<OutputComparison>& outputs);

/// The differences that a device's lower precision causes, by output.
Json lowered_json(const LoweredPrecision& lowered);

/// {"matches", "reason", "elements", "mismatches", "max_abs", "max_rel", "magnitude", "relative",
/// "sqnr_db", "cosine"}
Json comparison_json(const Comparison& comparison);

/// comparison_json() of each output with its name and type: of lists of CheckedOutput and of
/// CheckedRecordedOutput.
template <typename Outputs>
Json outputs_json(const Outputs& outputs) {
    Json list = Json::array();
    for (const auto& output : outputs) {
        Json entry = comparison_json(output.comparison);
        entry["name"] = output.name;
        entry["type"] = output.type;
        list.push_back(std::move(entry));
    }
    return list;
}

/// Titles of the columns that comparison_cells() fills; the last one is text.
const std::vector<std::string>& comparison_columns();
std::vector<std::string> comparison_cells(const Comparison& comparison);

/// A table, and below it the reason of each output that does not match.
void print_outputs(std::ostream& out, const std::vector<OutputComparison>& outputs);

}  // namespace lapidary::cli
