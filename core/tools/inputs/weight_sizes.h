// SPDX-License-Identifier: Apache-2.0
// Sizes that weights ask of the values beside them.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <lapidary/graph/model.h>

namespace lapidary {

/// Symbols of the main graph that are one size of a constant: rows of a product's weight, channels
/// of a convolution's or of a norm's parameters, the width of what is added or multiplied
/// elementwise where that is not 1. Symbols of which constants ask for different sizes have the
/// first.
std::map<std::string, std::int64_t> weight_sizes(const Model& model);

}  // namespace lapidary
