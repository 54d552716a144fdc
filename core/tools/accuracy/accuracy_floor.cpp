// SPDX-License-Identifier: Apache-2.0
#include <lapidary/quantize/accuracy_floor.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

using Measure = AccuracyFloor::Measure;
constexpr std::array<std::pair<Measure, std::string_view>, 3> measures{
    {{Measure::sqnr, "sqnr"}, {Measure::flips, "flips"}, {Measure::top1, "top1"}}};

std::optional<double> number_of(std::string_view text) {
    double value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_whole =
        status == std::errc() && end == text.data() + text.size() && !text.empty();
    return is_whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<AccuracyFloor> parsed(std::string_view text) {
    AccuracyFloor floor;
    if (const std::size_t sign = text.find('='); sign != std::string_view::npos) {
        const auto* const known = std::ranges::find(measures, text.substr(0, sign),
                                                    &decltype(measures)::value_type::second);
        if (known == measures.end()) return std::nullopt;
        floor.measure = known->first;
        text.remove_prefix(sign + 1);
    }
    const bool is_percent = floor.measure != Measure::sqnr && text.ends_with('%');
    if (is_percent) text.remove_suffix(1);
    const std::optional<double> value = number_of(text);
    if (!value) return std::nullopt;
    floor.bound = *value / (is_percent ? 100 : 1);
    if (floor.measure == Measure::sqnr) return floor;
    // written as the lowest top-1 that is allowed
    if (floor.measure == Measure::top1) floor.bound = -floor.bound;
    if (!(floor.bound >= 0 && floor.bound <= 1)) return std::nullopt;
    floor.bound += 0.0;  // not -0
    return floor;
}

}  // namespace

std::string_view name_of(AccuracyFloor::Measure measure) {
    return std::ranges::find(measures, measure, &decltype(measures)::value_type::first)->second;
}

std::string AccuracyFloor::text_of(double value) const {
    switch (measure) {
    case Measure::flips: return fmt::format("{:.3g} % changed answers", value * 100);
    case Measure::top1: return fmt::format("{:.3g} % of top-1 lost", value * 100);
    case Measure::sqnr: break;
    }
    return fmt::format("{:.4g} dB", value);
}

AccuracyFloor accuracy_floor_from(const std::string& text) {
    if (const std::optional<AccuracyFloor> floor = parsed(text)) return *floor;
    fail_input("expected dB such as 30 or sqnr=30, flips=0.5% or top1=-1%, found " + quote(text));
}

double floor_value(const AccuracyFloor& floor, const QuantizedAccuracy& found) {
    if (floor.measure == Measure::sqnr) return found.sqnr_db();
    std::size_t rows = 0, flips = 0;
    for (const OutputAccuracy& output : found.outputs) {
        rows += output.rows;
        flips += output.flips;
    }
    if (rows == 0)
        fail_unsupported(
            "no output has answers that could change, which need two dimensions: a floor of flips "
            "has "
            "nothing to count");
    return static_cast<double>(flips) / static_cast<double>(rows);
}

double top1_lost(const AccuracyCounts& original, const AccuracyCounts& quantized) {
    if (original.rows == 0 || quantized.rows == 0)
        fail_unsupported(
            "no answer was compared with a label: a floor of top-1 has nothing to count");
    return original.top1_share().share - quantized.top1_share().share;
}

}  // namespace lapidary
