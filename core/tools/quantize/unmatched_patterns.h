// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <lapidary/quantize/quantize.h>

namespace lapidary {

/// A sentence for each pattern of QuantizeOptions that no node of the graphs fits, the first few of
/// them; then how many more there are.
void report_unmatched_patterns(const Model& prepared, const QuantizeOptions& options,
                               std::vector<std::string>& notes);

}  // namespace lapidary
