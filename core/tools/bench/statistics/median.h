// SPDX-License-Identifier: Apache-2.0
// Medians with intervals that assume nothing about how times are distributed.
#pragma once

#include <span>
#include <vector>

#include <lapidary/bench/bench.h>

namespace lapidary {

/// Of an even count, the mean of the middle two. NaN of no samples.
double median_of(std::vector<double> samples);

/// The greatest rank whose pair of order statistics (that many from either end) of `n` independent
/// samples encloses the median with at least 95 % confidence; 1 for fewer than 6, which have no
/// such pair.
std::size_t median_interval_rank(std::size_t n);

/// The median and the order statistics that enclose the true one with at least 95 % confidence
/// (binomial, exact up to 1000 samples). Fewer than 6 samples have no such pair: the least and the
/// greatest then.
MedianEstimate estimate_median(std::vector<double> samples);

/// Half the width of the interval, relative to the median; infinite when there are fewer than 6
/// samples.
double relative_half_width(const MedianEstimate& estimate);

/// exp(mean(log x)). 1 of no values.
double geometric_mean(std::span<const double> values);

}  // namespace lapidary
