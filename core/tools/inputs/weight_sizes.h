// SPDX-License-Identifier: Apache-2.0
// Sizes of symbolic dimensions that follow from weights.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <lapidary/graph/model.h>

namespace lapidary {

/// Symbols of the main graph whose size a constant determines: rows of a product's weight, channels
/// of a convolution's or norm's parameters, the width (if not 1) of a constant that is added or
/// multiplied elementwise. If constants contradict each other, the first one counts.
std::map<std::string, std::int64_t> weight_sizes(const Model& model);

}  // namespace lapidary
