// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <lapidary/quantize/quantize.h>

namespace lapidary {

/// A note on what was asked for, but means nothing in the mode.
void report_unused_options(const QuantizeOptions& options, std::vector<std::string>& notes);

}  // namespace lapidary
