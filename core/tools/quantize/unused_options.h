// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <lapidary/quantize/quantize.h>

namespace lapidary {

/// Adds a note on each option that was given but has no effect in the mode.
void report_unused_options(const QuantizeOptions& options, std::vector<std::string>& notes);

}  // namespace lapidary
