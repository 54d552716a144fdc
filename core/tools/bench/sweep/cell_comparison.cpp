// SPDX-License-Identifier: Apache-2.0
#include "bench/sweep/cell_comparison.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr std::size_t fewest_for_interval = 6;  // for an interval of order statistics
constexpr double most_by_chance = 0.05;

/// Number of rows by which the goal divides a time.
double rows_of(const Measurement& m, SweepGoal goal) {
    return goal == SweepGoal::latency
               ? 1.0
               : static_cast<double>(std::max<std::int64_t>(m.configuration.batch, 1));
}

/// The probability that all `n` samples of one lie on the same side of all `m` samples of another,
/// if there is no difference.
double chance_of_separation(std::size_t n, std::size_t m) {
    double ways = 1;  // to choose n of n + m
    for (std::size_t i = 1; i <= n; ++i)
        ways *= static_cast<double>(m + i) / static_cast<double>(i);
    return 2 / ways;
}

/// The low end, but not below zero, as outliers could make it.
double low_of(const MedianEstimate& e) { return std::max(e.low, 0.01 * e.median); }

CellComparison compare_few(const Measurement& first, const Measurement& second, double scale) {
    const MedianEstimate &a = first.wall.median, &b = second.wall.median;
    CellComparison found;
    found.ratio = {scale * b.median / a.median, scale * low_of(b) / a.high,
                   scale * b.high / low_of(a), std::min(a.samples, b.samples)};
    if (chance_of_separation(a.samples, b.samples) > most_by_chance) return found;
    if (found.ratio.low > 1) found.standing = Standing::slower;
    else if (found.ratio.high < 1) found.standing = Standing::faster;
    return found;
}

}  // namespace

CellComparison compare_cells(const Measurement& first, const Measurement& second, SweepGoal goal) {
    const double scale = rows_of(first, goal) / rows_of(second, goal);
    if (std::min(first.wall.median.samples, second.wall.median.samples) < fewest_for_interval)
        return compare_few(first, second, scale);
    Measurement a = first, b = second;
    a.configuration.batch = b.configuration.batch = 0;  // the scale above is that of the goal
    CellComparison found;
    found.ratio = difference_between(a, b, true).ratio;
    for (double* value : {&found.ratio.median, &found.ratio.low, &found.ratio.high})
        *value *= scale;
    if (found.ratio.samples < fewest_for_interval) return compare_few(first, second, scale);
    if (found.ratio.low > 1) found.standing = Standing::slower;
    else if (found.ratio.high < 1) found.standing = Standing::faster;
    else if (found.ratio.low >= 1 / (1 + same_speed) && found.ratio.high <= 1 + same_speed)
        found.standing = Standing::same;
    return found;
}

}  // namespace lapidary
