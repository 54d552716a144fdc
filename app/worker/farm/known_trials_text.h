// SPDX-License-Identifier: Apache-2.0
// Recipes that a part of a search tried, as text, so that one search can take those of all parts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <lapidary/quantize/known_trials.h>

namespace lapidary::app {

/// JSON that parse_known_trials() reads back without loss.
std::string known_trials_text(const std::vector<KnownTrial>& trials);
/// Throws invalid_input naming the member that is wrong or unknown.
std::vector<KnownTrial> parse_known_trials(std::string_view text);

}  // namespace lapidary::app
