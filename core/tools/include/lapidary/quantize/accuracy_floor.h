// SPDX-License-Identifier: Apache-2.0
// The accuracy that a quantized model has to reach: a bound on noise, on changed answers, or on
// lost top-1 accuracy.
#pragma once

#include <cstdint>
#include <string>

#include <lapidary/proof/judge_labelled.h>
#include <lapidary/quantize/quantize.h>

namespace lapidary {

/// One bound of one figure.
struct AccuracyFloor {
    /// The figure.
    enum class Measure : std::uint8_t {
        sqnr,   // at least so many dB
        flips,  // at most this share of the answers changed, 0 to 1; see OutputAccuracy::flips
        /// at most this share of right answers lost, 0 to 1: top-1 of the float model less that of
        /// the quantized
        top1
    };
    Measure measure = Measure::sqnr;  // what is bounded
    double bound = 30;                // as above

    /// `value`: of the same measure.
    bool is_reached(double value) const {
        return measure == Measure::sqnr ? value >= bound : value <= bound;
    }
    /// Larger is better, whatever is measured.
    double merit(double value) const { return measure == Measure::sqnr ? value : -value; }
    /// "30 dB", "0.5 % changed answers", "1 % of top-1 lost".
    std::string text_of(double value) const;
    friend bool operator==(const AccuracyFloor&, const AccuracyFloor&) = default;
};
std::string_view name_of(AccuracyFloor::Measure measure);  // "sqnr", "flips", "top1"

/// "30" or "sqnr=30": dB; "flips=0.5%", "flips=0.005"; "top1=-1%", "top1=-0.01". Throws
/// invalid_input for others.
AccuracyFloor accuracy_floor_from(const std::string& text);

/// The measured value: SQNR, or the share of changed answers over all outputs. Throws not_supported
/// if no output has answers. The floor must not be one of top-1.
double floor_value(const AccuracyFloor& floor, const QuantizedAccuracy& found);
/// Top-1 accuracy that the quantized model lost; below 0: it gained some. Throws not_supported
/// where no answer was counted.
double top1_lost(const AccuracyCounts& original, const AccuracyCounts& quantized);

}  // namespace lapidary
