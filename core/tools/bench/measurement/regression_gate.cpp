// SPDX-License-Identifier: Apache-2.0
#include <lapidary/bench/regression_gate.h>

#include <algorithm>

#include <fmt/format.h>

#include <lapidary/base/quantity_text.h>

namespace lapidary {
namespace {

constexpr std::size_t least_samples = 6;  // for an interval

/// The narrowest interval that any number of samples of the second can give: the difference between
/// two starts remains.
Measurement known_exactly(const Measurement& second) {
    Measurement exact = second;
    MedianEstimate& median = exact.wall.median;
    median.low = median.median * (1 - repeat_share);
    median.high = median.median * (1 + repeat_share);
    median.samples = std::max(median.samples, least_samples);
    return exact;
}

double half_width_per_cent(const MedianEstimate& estimate) {
    return 50 * (estimate.high - estimate.low) / estimate.median;
}

std::string change_text(const MedianEstimate& ratio) {
    return fmt::format("{:+.1f} % [{:+.1f}, {:+.1f}]", 100 * (ratio.median - 1),
                       100 * (ratio.low - 1), 100 * (ratio.high - 1));
}

}  // namespace

std::string_view name_of(GateVerdict verdict) {
    return verdict == GateVerdict::passes  ? "passes"
           : verdict == GateVerdict::fails ? "fails"
                                           : "unresolved";
}

GateVerdict judge_regression(const MedianEstimate& ratio, double most_per_cent) {
    const double limit = 1 + most_per_cent / 100;
    if (ratio.samples < least_samples) return GateVerdict::unresolved;
    if (ratio.high <= limit) return GateVerdict::passes;
    return ratio.low > limit ? GateVerdict::fails : GateVerdict::unresolved;
}

GateResult hold_to_limit(const Measurement& first, const Measurement& second, bool paired,
                         double most_per_cent) {
    GateResult result;
    const Difference difference = difference_between(first, second, paired);
    if (!first.error.empty() || !second.error.empty()) {
        result.sentence = difference.sentence;
        result.is_final = true;
        return result;
    }
    result.ratio = difference.ratio;
    result.verdict = judge_regression(result.ratio, most_per_cent);
    result.sentence = change_text(result.ratio) + ": ";
    switch (result.verdict) {
    case GateVerdict::passes:
        result.sentence += fmt::format("within the {:g} % allowed", most_per_cent);
        break;
    case GateVerdict::fails:
        result.sentence += fmt::format("more than the {:g} % allowed", most_per_cent);
        break;
    case GateVerdict::unresolved:
        result.sentence +=
            fmt::format("cannot be resolved against the {:g} % allowed", most_per_cent);
        result.is_final =
            !paired &&
            judge_regression(difference_between(first, known_exactly(second), false).ratio,
                             most_per_cent) == GateVerdict::unresolved;
        if (!paired && first.wall.median.samples < least_samples)
            result.sentence += fmt::format(
                "; the baseline rests on {}, too few for an interval: measure it for longer",
                count_text(static_cast<std::int64_t>(first.wall.median.samples), "sample"));
        else if (result.is_final)
            result.sentence += fmt::format(
                "; the baseline is known to {:.1f} %, and one start of a program differs from the "
                "next by {:g} %: "
                "measure it for longer, or compare both models in turn",
                half_width_per_cent(first.wall.median), 100 * repeat_share);
        else if (result.ratio.samples < least_samples)
            result.sentence +=
                fmt::format("; it rests on {}, too few for an interval: allow more time to measure",
                            count_text(static_cast<std::int64_t>(result.ratio.samples), "sample"));
    }
    return result;
}

}  // namespace lapidary
