// SPDX-License-Identifier: Apache-2.0
#include "bench/statistics/series.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/statistics/median.h"

namespace lapidary {
namespace {

constexpr std::size_t least_blocks = 8;  // whose variance says something
constexpr std::size_t enough_for_correlation = 6;
constexpr double enough_for_ranks = 6;  // independent samples

/// How much wider an interval must be if the variance comes from few blocks: the square of
/// Student's factor divided by the normal one, at 95 %.
double allowance(std::size_t blocks) {
    const double factor =
        1 + 1.2 / static_cast<double>(blocks) + 1.5 / static_cast<double>(blocks * blocks);
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

/// Ranks from the middle; equal values share the mean of theirs.
std::vector<double> centred_ranks(std::span<const double> series) {
    std::vector<std::size_t> order(series.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, {}, [&](std::size_t i) { return series[i]; });
    std::vector<double> ranks(series.size());
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        while (end < order.size() && series[order[end]] == series[order[begin]]) ++end;
        const double middle =
            static_cast<double>(begin + end) / 2 - static_cast<double>(order.size()) / 2;
        for (std::size_t i = begin; i < end; ++i) ranks[order[i]] = middle;
    }
    return ranks;
}

/// The factor by which correlation of neighbours inflates the variance, as in a first-order
/// autoregressive series. 1 if their rank correlation may be chance. Corrected for short series,
/// which underestimate it.
double inflation_of_neighbours(std::span<const double> series) {
    constexpr double most_correlation = 0.95;
    const std::vector<double> ranks = centred_ranks(series);
    double products = 0, squares = 0;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        squares += ranks[i] * ranks[i];
        if (i > 0) products += ranks[i] * ranks[i - 1];
    }
    const double n = static_cast<double>(series.size()),
                 found = squares > 0 ? products / squares : 0;
    if (found <= 1 / std::sqrt(n)) return 1;
    const double correlation = std::min(most_correlation, found + (1 + 3 * found) / n);
    return (1 + correlation) / (1 - correlation);
}

}  // namespace

double independent_samples(std::span<const double> series) {
    const double n = static_cast<double>(series.size());
    if (series.size() < enough_for_correlation) return n;
    const double median = median_of({series.begin(), series.end()});
    std::vector<double> signs;
    for (const double v : series) signs.push_back(v > median ? 1 : v < median ? -1 : 0);
    double inflation = inflation_of_neighbours(series);
    for (std::size_t size = 2; size * least_blocks <= series.size(); size *= 2)
        inflation = std::max(inflation, inflation_of_blocks(signs, size));
    return std::max(1.0, n / inflation);
}

MedianEstimate estimate_median_of_series(std::span<const double> series, double systematic,
                                         bool repeats) {
    std::vector<double> sorted(series.begin(), series.end());
    MedianEstimate estimate = estimate_median(sorted);
    if (sorted.empty()) return estimate;
    std::ranges::sort(sorted);
    const double worth = independent_samples(series) / (repeats ? 2 : 1);
    // The rank for independent samples, as a share of their number. Too few samples have no such
    // rank: the fewer there are, the closer to the extremes.
    const double share =
        worth < enough_for_ranks
            ? worth * worth / (enough_for_ranks * enough_for_ranks) / (enough_for_ranks + 1)
            : static_cast<double>(median_interval_rank(static_cast<std::size_t>(worth))) /
                  (worth + 1);
    const auto rank = std::clamp<std::size_t>(
        static_cast<std::size_t>(share * static_cast<double>(sorted.size() + 1) + 1e-9), 1,
        sorted.size());
    estimate.low = std::min(sorted[rank - 1], estimate.median);
    estimate.high = std::max(sorted[sorted.size() - rank], estimate.median);
    const double extra = systematic * estimate.median;
    estimate.low = estimate.median - std::hypot(estimate.median - estimate.low, extra);
    estimate.high = estimate.median + std::hypot(estimate.high - estimate.median, extra);
    return estimate;
}

}  // namespace lapidary
