// SPDX-License-Identifier: Apache-2.0
#include <lapidary/quantize/quantize_verdict.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/base/quantity_text.h>

namespace lapidary {
namespace {

using Measure = AccuracyFloor::Measure;

constexpr double equal_db = 300;  // QuantizedAccuracy::sqnr_db() of equal outputs
constexpr double very_good_db = 40, good_db = 30, visible_db = 20;
constexpr double usual_floor_db = visible_db, usual_floor_of_4_bits_db = 10;
constexpr double as_zeros_db = 0.5;       // an output of zeros alone has 0 dB
constexpr double many_flips = 0.25;       // of the answers
constexpr double minded_slowdown = 1.05;  // less is of no concern to anybody
constexpr double least_saved = 0.02;      // of the bytes
constexpr double db_of_a_bit = 6;         // half the noise

/// 97.5 % quantile of Student's t.
double t_quantile(std::size_t degrees) {
    constexpr std::array<double, 10> few{12.71, 4.30, 3.18, 2.78, 2.57,
                                         2.45,  2.36, 2.31, 2.26, 2.23};
    return degrees <= few.size() ? few[degrees - 1] : 1.96 + 2.4 / static_cast<double>(degrees);
}

std::string db_text(double db) {
    if (db >= equal_db) return "equal";
    return std::isfinite(db) ? fmt::format("{:.1f} dB", db) : "none";
}

std::string times_words(const QuantizedTimes& times) {
    return fmt::format("{:.3g} ms against {:.3g} ms a run, {:.2f} times ({:.2f} to {:.2f})",
                       times.quantized_ms.median, times.original_ms.median, times.ratio.median,
                       times.ratio.low, times.ratio.high);
}

std::optional<std::string> fault_by_floor(const QuantizedFigures& figures,
                                          const AccuracyFloor& floor) {
    if (floor.measure == Measure::sqnr) {
        if (floor.is_reached(figures.sqnr.db)) return std::nullopt;
        return fmt::format("SQNR {} is below {}", text_of(figures.sqnr),
                           floor.text_of(floor.bound));
    }
    if (floor.measure == Measure::flips) {
        if (figures.rows == 0) return std::nullopt;
        const double share = static_cast<double>(figures.flips) / static_cast<double>(figures.rows);
        if (floor.is_reached(share)) return std::nullopt;
        return fmt::format("{} is more than {}", floor.text_of(share), floor.text_of(floor.bound));
    }
    if (!figures.top1_before || !figures.top1_after) return std::nullopt;
    const double lost = figures.top1_before->share - figures.top1_after->share;
    if (floor.is_reached(lost)) return std::nullopt;
    return fmt::format("{} is more than {}", floor.text_of(lost), floor.text_of(floor.bound));
}

/// "above the floor of 30 dB", or that there are too few samples to decide.
std::string floor_words(const VerdictInput& in, bool is_reached) {
    const std::string floor = in.floor.text_of(in.floor.bound);
    const DecibelEstimate& sqnr = in.figures.sqnr;
    const bool is_open = in.floor.measure == Measure::sqnr && sqnr.has_interval() &&
                         sqnr.low < in.floor.bound && sqnr.high >= in.floor.bound;
    return fmt::format("{} the {}floor of {}{}", is_reached ? "at or above" : "below",
                       in.floor_asked ? "" : "usual ", floor,
                       is_open ? ", which other samples may turn round" : "");
}

}  // namespace

DecibelEstimate estimate_db(double db, std::optional<double> error, std::size_t samples) {
    if (!error || samples < 2 || !std::isfinite(db)) return {db, db, db};
    const double half = t_quantile(samples - 1) * *error;
    return {db, db - half, db + half};
}

DecibelEstimate estimate_of(const QuantizedAccuracy& accuracy) {
    return estimate_db(accuracy.sqnr_db(), accuracy.error_db, accuracy.samples);
}

DecibelEstimate estimate_of(const RecipeTrial& trial) {
    return estimate_db(trial.sqnr_db, trial.error_db, trial.evaluation_samples);
}

std::string text_of(const DecibelEstimate& estimate) {
    if (!estimate.has_interval()) return db_text(estimate.db);
    return fmt::format("{:.1f} dB ({:.1f} to {:.1f})", estimate.db, estimate.low, estimate.high);
}

QuantizedFigures figures_of(const QuantizedAccuracy& accuracy) {
    QuantizedFigures figures;
    figures.sqnr = estimate_of(accuracy);
    figures.worst_output_db = figures.sqnr.db;
    for (const OutputAccuracy& output : accuracy.outputs) {
        figures.worst_output_db = std::min(figures.worst_output_db, output.sqnr_db);
        figures.rows += output.rows;
        figures.flips += output.flips;
    }
    return figures;
}

bool is_slower(const MedianEstimate& ratio) {
    return ratio.low > 1 && ratio.median > minded_slowdown;
}
bool is_faster(const MedianEstimate& ratio) { return ratio.high < 1; }

bool is_hardly_smaller(const QuantizedFigures& figures) {
    return static_cast<double>(figures.bytes) >
           (1 - least_saved) * static_cast<double>(figures.original_bytes);
}

std::string_view name_of(QuantizedQuality quality) {
    switch (quality) {
    case QuantizedQuality::equal: return "equal";
    case QuantizedQuality::very_good: return "very good";
    case QuantizedQuality::good: return "good";
    case QuantizedQuality::visible: return "visible";
    case QuantizedQuality::poor: break;
    }
    return "poor";
}

QuantizedQuality quality_of(double sqnr_db) {
    return sqnr_db >= equal_db       ? QuantizedQuality::equal
           : sqnr_db >= very_good_db ? QuantizedQuality::very_good
           : sqnr_db >= good_db      ? QuantizedQuality::good
           : sqnr_db >= visible_db   ? QuantizedQuality::visible
                                     : QuantizedQuality::poor;
}

AccuracyFloor usual_floor(const QuantizeOptions& options) {
    const bool is_static_of_4 =
        options.mode == QuantizeMode::static_qdq && is_packed(options.weight);
    const bool is_blocks_of_4 =
        options.mode == QuantizeMode::weights && options.storage == WeightStorage::blocks &&
        (options.bits_per_weight > 0 ? options.bits_per_weight < 8 : options.weight_bits == 4);
    return {Measure::sqnr,
            is_static_of_4 || is_blocks_of_4 ? usual_floor_of_4_bits_db : usual_floor_db};
}

std::optional<std::string> fault_of(const QuantizedFigures& figures, const AccuracyFloor& floor,
                                    bool is_asked) {
    if (auto fault = fault_by_floor(figures, floor); fault || is_asked) return fault;
    if (std::isfinite(figures.worst_output_db) && figures.worst_output_db < as_zeros_db)
        return fmt::format("an output has SQNR {}, no better than zeros",
                           db_text(figures.worst_output_db));
    if (figures.rows > 0 && share_of(figures.flips, figures.rows).low > many_flips)
        return fmt::format("{} of {} changed", figures.flips,
                           count_text(static_cast<std::int64_t>(figures.rows), "answer"));
    if (figures.top1_before && figures.top1_after &&
        figures.top1_after->high < figures.top1_before->low)
        return fmt::format("right answers fell from {} to {}", share_text(*figures.top1_before),
                           share_text(*figures.top1_after));
    return std::nullopt;
}

double score_of(const QuantizedFigures& figures) {
    double worth =
        std::clamp(std::isnan(figures.sqnr.low) ? 0 : figures.sqnr.low, 0.0, very_good_db) /
        db_of_a_bit;
    if (figures.bytes > 0 && figures.original_bytes > 0)
        worth += std::log2(static_cast<double>(figures.original_bytes) /
                           static_cast<double>(figures.bytes));
    const auto& ratio = figures.ratio;
    if (ratio && ratio->median > 0 && (ratio->low > 1 || ratio->high < 1))
        worth -= std::log2(ratio->median);
    return worth;
}

std::size_t best_of(std::span<const QuantizedFigures> candidates, const AccuracyFloor& floor,
                    bool is_asked) {
    if (candidates.empty()) fail_input("there is no quantized model to choose from");
    const auto rank = [&](const QuantizedFigures& figures) {
        return std::tuple(!fault_of(figures, floor, is_asked),
                          !(figures.ratio && is_slower(*figures.ratio)),
                          !is_hardly_smaller(figures), score_of(figures));
    };
    const auto best = std::ranges::max_element(candidates, {}, rank);
    return static_cast<std::size_t>(std::distance(candidates.begin(), best));
}

QuantizeVerdict verdict_of(const VerdictInput& in) {
    QuantizeVerdict verdict;
    verdict.quality = quality_of(in.figures.sqnr.db);
    const auto fault = fault_of(in.figures, in.floor, in.floor_asked);
    verdict.is_usable = !fault;
    const bool is_reached = !fault_by_floor(in.figures, in.floor);
    verdict.sentence = fmt::format("{}: SQNR {}, {}", name_of(verdict.quality),
                                   text_of(in.figures.sqnr), floor_words(in, is_reached));
    verdict.warnings = in.data_warnings;
    if (fault)
        verdict.warnings.push_back(
            (in.floor_asked ? "the floor was missed: " : "outputs are far off: ") + *fault);
    if (in.difference) verdict.warnings.push_back(*in.difference);
    if (in.times && is_slower(in.times->ratio))
        verdict.warnings.push_back("slower than the original here: " + times_words(*in.times));
    if (in.times_onnxruntime && is_slower(in.times_onnxruntime->ratio))
        verdict.warnings.push_back("slower than the original in ONNX Runtime: " +
                                   times_words(*in.times_onnxruntime));
    if (is_hardly_smaller(in.figures) && in.figures.original_bytes > 0)
        verdict.warnings.push_back(
            fmt::format("hardly smaller: constants {} -> {}",
                        bytes_text(static_cast<double>(in.figures.original_bytes)),
                        bytes_text(static_cast<double>(in.figures.bytes))));
    return verdict;
}

}  // namespace lapidary
