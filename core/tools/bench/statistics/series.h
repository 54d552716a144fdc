// SPDX-License-Identifier: Apache-2.0
// Medians of times taken one after the other on a machine that drifts.
#pragma once

#include <span>

#include <lapidary/bench/bench.h>

namespace lapidary {

/// The effective number of independent samples for the median, from 1 to the length: the smallest
/// of several estimates, from the variance of the number of samples above the median in blocks of
/// 2, 4, 8 ... neighbours, and from the correlation of neighbours' ranks.
double independent_samples(std::span<const double> series);

/// The median and its 95 % interval by order statistics, at the ranks for independent_samples():
/// holds the true median of an autoregressive series (rho 0.6) of 16 samples or more in 95 of 100
/// cases. `repeats`: the interval holds the median of another such series instead of the true one,
/// which is wider by the root of two. `systematic`: a share of the median that is added to each
/// side (root of the sum of squares). NaN of no samples.
MedianEstimate estimate_median_of_series(std::span<const double> series, double systematic = 0,
                                         bool repeats = false);

}  // namespace lapidary
