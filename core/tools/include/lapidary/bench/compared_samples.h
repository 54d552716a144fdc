// SPDX-License-Identifier: Apache-2.0
// How many runs a difference between two measurements needs.
#pragma once

#include <cstddef>

namespace lapidary {

/// Fewest samples of each measurement, or pairs of them, by which difference_between() tells a
/// difference from noise. Where Difference::ratio has fewer, nothing is known: neither that there
/// is a difference nor that it is within noise.
inline constexpr std::size_t least_compared_samples = 6;

}  // namespace lapidary
