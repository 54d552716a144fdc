// SPDX-License-Identifier: Apache-2.0
// What two measured settings of a sweep say of each other: which is faster, that they are the same,
// or that it is not known.
#pragma once

#include <lapidary/bench/sweep.h>

namespace lapidary {

/// Settings whose times differ by less than this share are called the same.
constexpr double same_speed = 0.05;

/// How the second of two settings stands to the first.
enum class Standing { faster, same, slower, unknown };

/// With the time of the second by that of the first: of runs for latency, per inference for
/// throughput.
struct CellComparison {
    Standing standing = Standing::unknown;
    // with its 95 % interval; of fewer than 6 samples the widest that they allow
    MedianEstimate ratio;
};

/// Faster or slower: the interval of the ratio lies on one side of 1. The same: all of it lies
/// within `same_speed` of 1. Unknown: neither, so "no difference" is never said of intervals that
/// are too wide to mean it. Of fewer than 6 samples each, one is faster where all of its samples
/// are below all of the other's and chance does that in at most 5 % of all cases; they are never
/// called the same.
CellComparison compare_cells(const Measurement& first, const Measurement& second, SweepGoal goal);

}  // namespace lapidary
