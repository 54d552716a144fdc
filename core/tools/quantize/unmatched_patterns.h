// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <lapidary/quantize/quantize.h>

namespace lapidary {

/// Adds a sentence for each of the first few patterns of QuantizeOptions that match no node, then
/// one with the number of the others.
void report_unmatched_patterns(const Model& prepared, const QuantizeOptions& options,
                               std::vector<std::string>& notes);

}  // namespace lapidary
