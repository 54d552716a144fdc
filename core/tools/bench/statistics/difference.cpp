// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <lapidary/bench/bench.h>
#include <lapidary/bench/compared_samples.h>
#include <lapidary/base/quantity_text.h>

#include "bench/statistics/median.h"
#include "bench/statistics/series.h"

namespace lapidary {
namespace {

constexpr double placement_share = 0.01;

/// Ratios of the second to the first in rounds that both have. Rounds are ascending.
std::vector<double> ratios_of_rounds(const Measurement& first, const Measurement& second) {
    std::vector<double> ratios;
    const std::size_t n = std::min(first.rounds.size(), first.samples_ms.size()),
                      m = std::min(second.rounds.size(), second.samples_ms.size());
    for (std::size_t i = 0, k = 0; i < n && k < m;) {
        if (first.rounds[i] < second.rounds[k]) ++i;
        else if (second.rounds[k] < first.rounds[i]) ++k;
        else ratios.push_back(second.samples_ms[k++] / first.samples_ms[i++]);
    }
    return ratios;
}

MedianEstimate ratio_of_medians(const MedianEstimate& first, const MedianEstimate& second) {
    MedianEstimate ratio;
    ratio.samples = std::min(first.samples, second.samples);
    ratio.median = second.median / first.median;
    const double down = std::hypot((second.median - second.low) / second.median,
                                   (first.high - first.median) / first.median);
    const double up = std::hypot((second.high - second.median) / second.median,
                                 (first.median - first.low) / first.median);
    ratio.low = ratio.median / (1 + down);
    ratio.high = ratio.median * (1 + up);
    return ratio;
}

std::string speed_text(const MedianEstimate& ratio) {
    return fmt::format("{:.2f} times as fast [{:.2f}, {:.2f}]", 1 / ratio.median, 1 / ratio.high,
                       1 / ratio.low);
}

}  // namespace

Difference difference_between(const Measurement& first, const Measurement& second, bool paired,
                              std::string_view name) {
    Difference difference;
    if (const Measurement* failed = !first.error.empty()    ? &first
                                    : !second.error.empty() ? &second
                                                            : nullptr) {
        difference.sentence = "not measured: " + failed->error;
        return difference;
    }
    const std::vector<double> ratios =
        paired ? ratios_of_rounds(first, second) : std::vector<double>();
    difference.ratio = ratios.size() >= least_compared_samples
                           ? estimate_median_of_series(ratios, placement_share)
                           : ratio_of_medians(first.wall.median, second.wall.median);
    const auto batch = [](const Measurement& m) {
        return static_cast<double>(std::max<std::int64_t>(m.configuration.batch, 1));
    };
    const double scale = batch(first) / batch(second);
    for (double* value : {&difference.ratio.median, &difference.ratio.low, &difference.ratio.high})
        *value *= scale;
    difference.significant = difference.ratio.samples >= least_compared_samples &&
                             (difference.ratio.low > 1 || difference.ratio.high < 1);
    if (difference.ratio.samples < least_compared_samples) {
        difference.sentence =
            fmt::format("{} too few to tell a difference from noise",
                        count_text(static_cast<std::int64_t>(difference.ratio.samples), "sample is",
                                   "samples are"));
    } else if (!difference.significant) {
        difference.sentence = "no difference beyond noise";
    } else {
        std::string who(name);
        if (who.empty())
            who = first.configuration == second.configuration
                      ? std::string("the second")
                      : name_of(second.configuration, first.configuration);
        difference.sentence = fmt::format("{} is {}{}", who, speed_text(difference.ratio),
                                          scale == 1 ? "" : " per inference");
    }
    return difference;
}

}  // namespace lapidary
