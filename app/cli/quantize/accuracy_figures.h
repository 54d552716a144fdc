// SPDX-License-Identifier: Apache-2.0
// Figures of accuracy that follow from counts, of one run or of several that were added up.
#pragma once

#include <iosfwd>

#include <lapidary/proof/accuracy.h>

#include "cli/output/json_value.h"

namespace lapidary::cli {

/// The members of `accuracy --json` that counts have.
Json accuracy_json(const AccuracyCounts& counts);
void print_accuracy(std::ostream& out, const AccuracyCounts& counts);  // the same as text

}  // namespace lapidary::cli
