// SPDX-License-Identifier: Apache-2.0
#include "node_times/paired_difference.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/statistics/median.h"
#include "bench/statistics/series.h"

namespace lapidary {
namespace {

constexpr double tail = 0.025;  // beyond each end of an interval
constexpr double run_share = 0.001;
constexpr double beyond_extremes = 2;  // where too few samples have no rank

/// The greatest rank that lies beyond the median of `count` independent samples with at most the
/// probability `most`; 0: none does. P(Binomial(count, 1/2) < rank) <= most.
std::size_t rank_beyond_median(std::size_t count, double most) {
    double term = std::pow(0.5, static_cast<double>(count)), sum = term;
    std::size_t rank = 0;
    while (sum <= most && rank < count) {
        ++rank;
        term *= static_cast<double>(count - rank + 1) / static_cast<double>(rank);
        sum += term;
    }
    return rank;
}

struct Ends {
    double low = 0, high = 0;
    bool are_sure = false;  // there were enough samples
};

/// Of the true median, each missed with the probability `most`. `sorted` is `series` in order.
Ends ends_of_median(std::span<const double> series, const std::vector<double>& sorted,
                    double median, double most) {
    const double worth = std::min(independent_samples(series), 1000.0);
    const std::size_t rank = rank_beyond_median(static_cast<std::size_t>(worth), most);
    if (rank == 0)
        return {median - beyond_extremes * (median - sorted.front()),
                median + beyond_extremes * (sorted.back() - median), false};
    const double share = static_cast<double>(rank) / (std::floor(worth) + 1);
    const auto place = std::clamp<std::size_t>(
        static_cast<std::size_t>(share * static_cast<double>(sorted.size() + 1) + 1e-9), 1,
        sorted.size());
    return {std::min(sorted[place - 1], median), std::max(sorted[sorted.size() - place], median),
            true};
}

}  // namespace

std::size_t fewest_pairs_for(std::size_t comparisons) {
    std::size_t pairs = 1;
    while (rank_beyond_median(pairs, tail / static_cast<double>(comparisons)) == 0) ++pairs;
    return pairs;
}

PairedDifference paired_difference(std::span<const double> a, std::span<const double> b,
                                   const DifferenceNoise& noise) {
    const std::size_t pairs = std::min(a.size(), b.size());
    std::vector<double> differences(pairs);
    for (std::size_t i = 0; i < pairs; ++i) differences[i] = b[i] - a[i];
    PairedDifference found;
    found.estimate = estimate_median(differences);
    if (pairs == 0) return found;
    std::vector<double> sorted = differences;
    std::ranges::sort(sorted);
    MedianEstimate& estimate = found.estimate;
    const auto comparisons = static_cast<double>(std::max<std::size_t>(noise.comparisons, 1));
    const Ends ends = ends_of_median(differences, sorted, estimate.median, tail / comparisons);
    const double larger =
        std::max(median_of({a.begin(), a.end()}), median_of({b.begin(), b.end()}));
    const double moved =
        std::hypot(repeat_share * larger, noise.resolution_ms, run_share * noise.run_ms);
    estimate.low = estimate.median - std::hypot(estimate.median - ends.low, moved);
    estimate.high = estimate.median + std::hypot(ends.high - estimate.median, moved);
    found.is_shown = ends.are_sure && (estimate.low > 0 || estimate.high < 0);
    return found;
}

}  // namespace lapidary
