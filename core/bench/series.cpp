// SPDX-License-Identifier: Apache-2.0
#include "bench/series.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/median.h"

namespace lapidary {
namespace {

constexpr std::size_t least_blocks = 8;  // whose variance says something

/// How much wider an interval must be when the variance is known from so few blocks only: Student's factor by the normal one,
/// at 95 %, squared.
double allowance(std::size_t blocks) {
    const double factor = 1 + 1.2 / static_cast<double>(blocks) + 1.5 / static_cast<double>(blocks * blocks);
    return factor * factor;
}

/// Mean square of block means of `signs`, times the block's size: 1 for independent signs.
double inflation_of_blocks(const std::vector<double>& signs, std::size_t size) {
    const std::size_t blocks = signs.size() / size;
    double sum = 0;
    for (std::size_t block = 0; block < blocks; ++block) {
        double mean = 0;
        for (std::size_t i = 0; i < size; ++i) mean += signs[block * size + i];
        mean /= static_cast<double>(size);
        sum += mean * mean;
    }
    return allowance(blocks) * static_cast<double>(size) * sum / static_cast<double>(blocks);
}

}  // namespace

double independent_samples(std::span<const double> series) {
    const double n = static_cast<double>(series.size());
    if (series.size() < 2 * least_blocks) return n;
    const double median = median_of({series.begin(), series.end()});
    std::vector<double> signs;
    for (const double v : series) signs.push_back(v > median ? 1 : v < median ? -1 : 0);
    double inflation = 1;
    for (std::size_t size = 2; size * least_blocks <= series.size(); size *= 2) inflation = std::max(inflation, inflation_of_blocks(signs, size));
    return std::max(1.0, n / inflation);
}

MedianEstimate estimate_median_of_series(std::span<const double> series, double systematic, bool repeats) {
    std::vector<double> sorted(series.begin(), series.end());
    MedianEstimate estimate = estimate_median(sorted);
    if (sorted.empty()) return estimate;
    std::ranges::sort(sorted);
    const double worth = independent_samples(series) / (repeats ? 2 : 1);
    // The rank among independent samples, as a share of all.
    const double share = static_cast<double>(median_interval_rank(static_cast<std::size_t>(worth))) / (worth + 1);
    const auto rank = std::clamp<std::size_t>(static_cast<std::size_t>(share * static_cast<double>(sorted.size() + 1) + 1e-9), 1, sorted.size());
    estimate.low = std::min(sorted[rank - 1], estimate.median);
    estimate.high = std::max(sorted[sorted.size() - rank], estimate.median);
    const double extra = systematic * estimate.median;
    estimate.low = estimate.median - std::hypot(estimate.median - estimate.low, extra);
    estimate.high = estimate.median + std::hypot(estimate.high - estimate.median, extra);
    return estimate;
}

}  // namespace lapidary
