// SPDX-License-Identifier: Apache-2.0
// Counts of accuracy as text, so that those of several processes can be merged.
#pragma once

#include <string>
#include <string_view>

#include <lapidary/proof/accuracy.h>

namespace lapidary::app {

/// JSON; every count comes back as it was.
std::string accuracy_text(const AccuracyCounts& counts);
/// Throws invalid_input naming the member that is wrong or not known.
AccuracyCounts parse_accuracy(std::string_view text);

}  // namespace lapidary::app
