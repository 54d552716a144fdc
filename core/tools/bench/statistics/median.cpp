// SPDX-License-Identifier: Apache-2.0
#include "bench/statistics/median.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lapidary {
namespace {

constexpr std::size_t least_for_interval = 6;  // 2 * 0.5^6 < 0.05 < 2 * 0.5^5

double middle_of_sorted(const std::vector<double>& samples) {
    const std::size_t n = samples.size();
    return n % 2 ? samples[n / 2] : 0.5 * (samples[n / 2 - 1] + samples[n / 2]);
}

}  // namespace

std::size_t median_interval_rank(std::size_t n) {
    // The greatest k with P(Binomial(n, 1/2) < k) <= 0.025.
    if (n < least_for_interval) return 1;
    if (n > 1000)
        return static_cast<std::size_t>(0.5 * static_cast<double>(n) -
                                        0.98 * std::sqrt(static_cast<double>(n)));
    double term = std::pow(0.5, static_cast<double>(n)), sum = term;
    std::size_t k = 0;
    while (sum <= 0.025) {
        ++k;
        term *= static_cast<double>(n - k + 1) / static_cast<double>(k);
        sum += term;
    }
    return k;
}

double median_of(std::vector<double> samples) { return estimate_median(std::move(samples)).median; }

MedianEstimate estimate_median(std::vector<double> samples) {
    MedianEstimate estimate;
    estimate.samples = samples.size();
    if (samples.empty()) {
        estimate.median = estimate.low = estimate.high = std::numeric_limits<double>::quiet_NaN();
        return estimate;
    }
    std::ranges::sort(samples);
    estimate.median = middle_of_sorted(samples);
    const std::size_t rank = median_interval_rank(samples.size());
    estimate.low = samples[rank - 1];
    estimate.high = samples[samples.size() - rank];
    return estimate;
}

double relative_half_width(const MedianEstimate& estimate) {
    if (estimate.samples < least_for_interval) return std::numeric_limits<double>::infinity();
    return 0.5 * (estimate.high - estimate.low) / estimate.median;
}

double geometric_mean(std::span<const double> values) {
    double sum = 0;
    for (const double v : values) sum += std::log(v);
    return values.empty() ? 1 : std::exp(sum / static_cast<double>(values.size()));
}

}  // namespace lapidary
