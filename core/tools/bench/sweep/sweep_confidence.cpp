// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <lapidary/bench/sweep.h>

namespace lapidary {
namespace {

constexpr std::size_t enough_runs = 6;
constexpr double widest_trusted = 0.04;  // half an interval, by the median

}  // namespace

SweepConfidence confidence_of(const SweepResult& result, const std::vector<std::size_t>& verified) {
    using Degree = SweepConfidence::Degree;
    SweepConfidence confidence;
    const std::ptrdiff_t cell = result.recommendation.cell;
    if (cell < 0 || static_cast<std::size_t>(cell) >= result.cells.size()) return confidence;
    const auto winner = static_cast<std::size_t>(cell);
    const SampleSummary& wall = result.cells[winner].measurement.wall;
    confidence.runs = wall.median.samples;
    const MedianEstimate& median = wall.median;  // the wider side, as its figures show it
    confidence.half_width =
        median.median > 0
            ? std::max(median.high - median.median, median.median - median.low) / median.median
            : 1;
    confidence.drift = wall.drifts ? wall.drift : 0;
    if (std::ranges::find(verified, winner) != verified.end())
        confidence.verified = verified.size();
    confidence.planned = result.cells.size();
    for (const SweepCell& c : result.cells) {
        if (c.state != CellState::done) continue;
        ++confidence.measured;
        if (c.measurement.wall.drifts || c.measurement.wall.noisy) ++confidence.unsteady;
    }
    if (confidence.runs < enough_runs || confidence.half_width > widest_trusted ||
        confidence.measured == 1 || wall.drifts)
        confidence.degree = Degree::low;
    else if (confidence.verified > 0 && !wall.noisy) confidence.degree = Degree::high;
    else confidence.degree = Degree::medium;
    return confidence;
}

std::string to_string(const SweepConfidence& c) {
    using Degree = SweepConfidence::Degree;
    if (c.degree == Degree::none) return {};
    std::string text = c.degree == Degree::high     ? "high"
                       : c.degree == Degree::medium ? "fair"
                                                    : "low";
    text += " confidence: ";
    text += c.runs < enough_runs
                ? fmt::format("only {} {} measured", c.runs, c.runs == 1 ? "run" : "runs")
                : fmt::format("median known to ±{:.1f} %", 100 * c.half_width);
    if (c.verified > 0)
        text +=
            fmt::format("; measured in turn with the next best, {} settings in all", c.verified);
    if (c.measured == 1) text += "; nothing to compare with";
    if (c.drift != 0)
        text += fmt::format("; its times drifted by {:.1f} % while it was measured", 100 * c.drift);
    if (c.unsteady > 0)
        text += fmt::format("; the machine was unsteady during {} of {} settings", c.unsteady,
                            c.measured);
    if (c.measured < c.planned)
        text += fmt::format("; {} of {} settings measured", c.measured, c.planned);
    return text;
}

}  // namespace lapidary
