// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace lapidary {

/// Sizes of `parts` pieces of an axis of `dim` elements: equal, the last one smaller when they do
/// not divide (allowed by `uneven`, Split-18 with num_outputs). Throws invalid_input otherwise.
std::vector<std::int64_t> split_evenly(std::int64_t dim, std::int64_t parts, bool uneven);

/// Checks that `sizes` are not negative and add up to `dim`; throws invalid_input otherwise.
void check_split(const std::vector<std::int64_t>& sizes, std::int64_t dim);

}  // namespace lapidary
