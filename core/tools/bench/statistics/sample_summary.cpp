// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include <lapidary/bench/bench.h>

#include "bench/statistics/median.h"
#include "bench/statistics/series.h"

namespace lapidary {
namespace {

constexpr double least_drift = 0.02;         // a share below is not worth a word
constexpr std::size_t least_for_drift = 18;  // samples: an interval for each third

/// `sorted` is not empty.
double percentile(const std::vector<double>& sorted, double share) {
    const auto rank =
        static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size()) - 1e-9));
    return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

void find_drift(std::span<const double> ms, SampleSummary& summary) {
    if (ms.size() < least_for_drift) return;
    const std::size_t third = ms.size() / 3;
    const MedianEstimate first = estimate_median_of_series(ms.first(third)),
                         last = estimate_median_of_series(ms.last(third));
    summary.drift = last.median / first.median - 1;
    summary.drifts =
        std::abs(summary.drift) > least_drift && (last.low > first.high || last.high < first.low);
}

std::string note_of(const SampleSummary& summary, double known, double precision) {
    std::string note;
    if (summary.noisy) {
        if (summary.median.samples < 6)
            note = fmt::format("{} {}: too few to know the noise", summary.median.samples,
                               summary.median.samples == 1 ? "sample" : "samples");
        else
            note =
                fmt::format("noisy: the median is known within {:.1f} %, asked for were {:.1f} %",
                            100 * known, 100 * precision);
    }
    if (!summary.drifts) return note;
    return note + (note.empty() ? "" : "; ") +
           fmt::format("drift: the last third was {:.0f} % {} than the first",
                       100 * std::abs(summary.drift), summary.drift > 0 ? "slower" : "faster");
}

}  // namespace

SampleSummary summarize_samples(std::span<const double> ms, double precision,
                                std::span<const double> single_ms) {
    SampleSummary summary;
    summary.median = estimate_median_of_series(ms, repeat_share, true);
    const std::span<const double> singles = single_ms.empty() ? ms : single_ms;
    if (ms.empty()) {
        constexpr double nan = std::numeric_limits<double>::quiet_NaN();
        summary.mean = summary.minimum = summary.maximum = summary.p50 = summary.p90 = summary.p95 =
            summary.p99 = summary.p999 = nan;
        return summary;
    }
    std::vector<double> sorted(singles.begin(), singles.end());
    std::ranges::sort(sorted);
    summary.runs = sorted.size();
    summary.mean =
        std::accumulate(sorted.begin(), sorted.end(), 0.0) / static_cast<double>(sorted.size());
    summary.minimum = sorted.front();
    summary.maximum = sorted.back();
    summary.p50 = percentile(sorted, 0.5);
    summary.p90 = percentile(sorted, 0.9);
    summary.p95 = percentile(sorted, 0.95);
    summary.p99 = percentile(sorted, 0.99);
    summary.p999 = percentile(sorted, 0.999);
    find_drift(ms, summary);
    const double known = relative_half_width(estimate_median_of_series(ms, 0, true));
    summary.noisy = !(known <= precision);
    summary.note = note_of(summary, known, precision);
    return summary;
}

MedianEstimate estimate_run_time(const Profile& profile) {
    std::vector<double> ms;
    for (const Span& run : profile.run_spans)
        ms.push_back(static_cast<double>(run.duration_ns()) / 1e6);
    MedianEstimate estimate = summarize_samples(ms).median;
    if (ms.empty()) return estimate;
    estimate.median = static_cast<double>(typical_run(profile).wall_ns) / 1e6;
    estimate.low = std::min(estimate.low, estimate.median);
    estimate.high = std::max(estimate.high, estimate.median);
    return estimate;
}

}  // namespace lapidary
