// SPDX-License-Identifier: Apache-2.0
// Accuracy counts as text, so that the counts of several processes can be merged.
#pragma once

#include <string>
#include <string_view>

#include <lapidary/proof/accuracy.h>

namespace lapidary::app {

/// JSON that parse_accuracy() reads back without loss.
std::string accuracy_text(const AccuracyCounts& counts);
/// Throws invalid_input naming the member that is wrong or unknown, also for counts that no run
/// gives, as more right answers than answers.
AccuracyCounts parse_accuracy(std::string_view text);

}  // namespace lapidary::app
