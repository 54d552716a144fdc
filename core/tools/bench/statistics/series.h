// SPDX-License-Identifier: Apache-2.0
// Medians of times taken one after the other on a machine that drifts.
#pragma once

#include <span>

#include <lapidary/bench/bench.h>

namespace lapidary {

/// How many independent samples the series is worth for its median, 1 to its length: from the
/// variance of how many of a block of 2, 4, 8 ... neighbours lie above the median, and from the
/// correlation of neighbours' ranks. The least of all block sizes of which there are enough, and of
/// that correlation.
double independent_samples(std::span<const double> series);

/// The median and its 95 % interval by order statistics, at the ranks for as many independent
/// samples as the series is worth: holds the true median of an autoregressive series (rho 0.6) of
/// 16 samples or more in 95 of 100 cases. `repeats`: the interval holds the median of another such
/// series instead of the true one, which is wider by the root of two. `systematic`: a share of the
/// median that is added to each side (root of the sum of squares). NaN of no samples.
MedianEstimate estimate_median_of_series(std::span<const double> series, double systematic = 0,
                                         bool repeats = false);

}  // namespace lapidary
