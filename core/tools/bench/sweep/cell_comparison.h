// SPDX-License-Identifier: Apache-2.0
// Compares two measured settings of a sweep: which is faster, whether they are equal, or whether
// that is not known.
#pragma once

#include <lapidary/bench/sweep.h>

namespace lapidary {

/// Settings whose times differ by less than this share are called the same.
constexpr double same_speed = 0.05;

/// The second of two settings compared with the first.
enum class Standing { faster, same, slower, unknown };

/// The ratio is the time of the second divided by that of the first: of runs for latency, per
/// inference for throughput.
struct CellComparison {
    Standing standing = Standing::unknown;
    // with its 95 % interval; of fewer than 6 samples the widest that they allow
    MedianEstimate ratio;
};

/// Faster or slower: the interval of the ratio lies on one side of 1. The same: all of it lies
/// within `same_speed` of 1. Unknown: neither, since wide intervals do not prove that there is no
/// difference. Of fewer than 6 samples each, one is faster where all of its samples are below all
/// of the other's and chance does that in at most 5 % of all cases; they are never called the same.
CellComparison compare_cells(const Measurement& first, const Measurement& second, SweepGoal goal);

}  // namespace lapidary
