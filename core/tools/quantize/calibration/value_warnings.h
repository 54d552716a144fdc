// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <lapidary/quantize/calibrate.h>

namespace lapidary {

/// Adds notes on values that are not finite, never change or have outliers: a largest magnitude of
/// more than ten times the one below which 99.99 % of the elements lie. Names the first few of each
/// kind.
void warn_of_values(const Calibration& calibration, std::vector<std::string>& notes);

}  // namespace lapidary
