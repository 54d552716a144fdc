// SPDX-License-Identifier: Apache-2.0
#include "node_times/paired_difference.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "bench/statistics/median.h"
#include "bench/statistics/series.h"

namespace lapidary {
namespace {

constexpr double tail = 0.025;  // beyond each end of an interval
constexpr double run_share = 0.001;

/// The number of standard deviations beyond which a normal distribution has this share.
double normal_quantile(double share) {
    double low = 0, high = 40;
    for (int i = 0; i < 100; ++i) {
        const double middle = 0.5 * (low + high);
        (0.5 * std::erfc(middle / std::numbers::sqrt2) > share ? low : high) = middle;
    }
    return low;
}

}  // namespace

MedianEstimate paired_difference(std::span<const double> a, std::span<const double> b,
                                 const DifferenceNoise& noise) {
    const std::size_t pairs = std::min(a.size(), b.size());
    std::vector<double> differences(pairs);
    for (std::size_t i = 0; i < pairs; ++i) differences[i] = b[i] - a[i];
    MedianEstimate estimate = estimate_median_of_series(differences);
    if (pairs == 0) return estimate;
    const auto comparisons = static_cast<double>(std::max<std::size_t>(noise.comparisons, 1));
    const double wider = normal_quantile(tail / comparisons) / normal_quantile(tail);
    const double larger =
        std::max(median_of({a.begin(), a.end()}), median_of({b.begin(), b.end()}));
    const double moved =
        std::hypot(repeat_share * larger, noise.resolution_ms, run_share * noise.run_ms);
    estimate.low = estimate.median - std::hypot(wider * (estimate.median - estimate.low), moved);
    estimate.high = estimate.median + std::hypot(wider * (estimate.high - estimate.median), moved);
    return estimate;
}

bool is_difference(const MedianEstimate& difference) {
    return difference.samples >= least_pairs && (difference.low > 0 || difference.high < 0);
}

}  // namespace lapidary
