// SPDX-License-Identifier: Apache-2.0
// The difference of two series of times that were measured in pairs.
#pragma once

#include <cstddef>
#include <span>

#include <lapidary/bench/bench.h>

namespace lapidary {

/// What can move a time without a difference between the programs.
struct DifferenceNoise {
    double resolution_ms = 0;     // of the clock, over all calls of a run
    double run_ms = 0;            // of a whole run: of a node, a thousandth of it is not looked at
    std::size_t comparisons = 1;  // that are made at a time: nodes
};

/// A difference with its interval, in the unit of the times.
struct PairedDifference {
    MedianEstimate estimate;
    /// 0 is outside the interval, and there are enough pairs for one with this confidence.
    bool is_shown = false;
};

/// The fewest pairs that can show a difference where so many comparisons are made at a time.
std::size_t fewest_pairs_for(std::size_t comparisons);

/// The median of b - a with an interval that holds, together with those of all other comparisons,
/// the true difference with 95 % confidence (Bonferroni; by order statistics of the pairs, at the
/// ranks for independent_samples()). repeat_share of the larger of both times, the resolution and a
/// thousandth of the run are added to each side (root of the sum of squares): two sessions of one
/// program differ by so much, with the place of their memory. Fewer pairs than fewest_pairs_for()
/// have an interval that is wider than all of them, and show nothing.
PairedDifference paired_difference(std::span<const double> a, std::span<const double> b,
                                   const DifferenceNoise& noise);

}  // namespace lapidary
