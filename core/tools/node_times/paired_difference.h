// SPDX-License-Identifier: Apache-2.0
// The difference of two series of times that were measured in pairs.
#pragma once

#include <cstddef>
#include <span>

#include <lapidary/bench/bench.h>

namespace lapidary {

/// Fewer pairs have no interval with 95 % confidence (median.h).
inline constexpr std::size_t least_compared_pairs = 6;

/// What can move a time without a difference between the programs.
struct DifferenceNoise {
    double resolution_ms = 0;     // of the clock, over all calls of a run
    double run_ms = 0;            // of a whole run: of a node, a thousandth of it is not looked at
    std::size_t comparisons = 1;  // that are made at a time: nodes
};

/// The median of b - a with an interval that holds, together with those of all other comparisons,
/// the true difference with 95 % confidence (Bonferroni; by order statistics of the pairs, at the
/// ranks for independent_samples()). repeat_share of the larger of both times, the resolution and a
/// thousandth of the run are added to each side (root of the sum of squares): two sessions of one
/// program differ by so much, with the place of their memory.
MedianEstimate paired_difference(std::span<const double> a, std::span<const double> b,
                                 const DifferenceNoise& noise);

/// There are enough pairs, and 0 is outside.
bool is_difference(const MedianEstimate& difference);

}  // namespace lapidary
