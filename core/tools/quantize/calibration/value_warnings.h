// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <lapidary/quantize/calibrate.h>

namespace lapidary {

/// Notes on values that are not finite, never change, or have outliers: a largest magnitude of more
/// than ten times that which 99.99 % of their elements keep below. Of each kind the first few are
/// named.
void warn_of_values(const Calibration& calibration, std::vector<std::string>& notes);

}  // namespace lapidary
