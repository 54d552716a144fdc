// SPDX-License-Identifier: Apache-2.0
// Which parts of a model lose accuracy by quantization: weights or activations, and which nodes.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <lapidary/quantize/accuracy_floor.h>
#include <lapidary/quantize/quantize.h>

namespace lapidary {

/// SQNR in dB over the evaluation samples when only one part is quantized.
struct QuantizeDiagnosis {
    double weights_db = 0;      // activations float
    double activations_db = 0;  // weights float
    double both_db = 0;         // both quantized
    /// "activations cost 13.2 dB more than weights", in a sentence without a stop.
    std::string sentence() const;
};
/// Quantizes in mode static with the other options as given. Ranges come from four of five samples.
/// Throws what quantize_model() and evaluate_quantized() throw.
QuantizeDiagnosis diagnose_quantization(const Model& model, const QuantizeOptions& options,
                                        const SampleSourcePtr& samples,
                                        const Progress& progress = {});

/// A group of nodes that read the same integers, quantized while all others are float. Mostly one
/// node, or the products of one input.
struct NodeSensitivity {
    std::vector<std::string> nodes, names;  // as NodeDecision has them
    double alone_db = 0;                    // SQNR; infinity: nothing changed
    /// of the summed noise of all groups, 0 to 1
    double share = 0;
};
/// A model whose `kept` most sensitive groups are float and all others quantized. The prediction
/// for a measured point uses the other measured points. It assumes that errors add up, which is
/// wrong below some 12 dB, where noise is no longer small against the signal.
struct SensitivityPoint {
    std::size_t kept = 0;  // groups that stay float
    /// from the summed noise of the quantized groups, shifted to fit measured points
    double predicted_db = 0;
    std::optional<double> measured_db;  // nothing: not measured
};
/// What each group of nodes costs when it alone is quantized.
struct Sensitivity {
    std::vector<NodeSensitivity> groups;  // the one that costs most first
    /// kept 0, 1, 2 ... all groups but one; the first is always measured
    std::vector<SensitivityPoint> curve;
    bool complete = true;     // false: the budget ended before all groups were tried
    std::size_t untried = 0;  // groups
};

/// Predicted SQNR if these nodes stay float: the curve's value for the noise of the groups that are
/// not entirely float.
double predicted_db(const Sensitivity& sensitivity, const std::set<std::string>& kept);

/// How much is measured.
struct SensitivityOptions {
    /// Evaluation samples, at most. Models with up to 4 MB of constants take four times as many.
    std::size_t samples = 8;
    double budget_seconds = 0;  // 0: all groups are tried
    std::size_t measured = 10;  // points of the curve to measure between its ends
    /// At most so many more, next to points that deviate from their prediction.
    std::size_t checked = 8;
    Level level = Level::all;  // that models are evaluated at
};
/// Quantizes each group that `options` quantize alone and measures some points of the curve that
/// follows. A cancel after the first group keeps what there is. Throws invalid_input for fewer than
/// 2 samples, not_supported when nothing is quantized, and what quantize_model() throws.
Sensitivity rank_sensitivity(const Model& model, const QuantizeOptions& options,
                             const SampleSourcePtr& samples, const SensitivityOptions& how = {},
                             const Progress& progress = {});

/// Keeps the most sensitive groups float until the floor is reached.
struct FloorResult {
    QuantizeOptions options;  // with the nodes kept float
    double value = 0;      // of the floor's measure; the best that was tried if the floor is missed
    double sqnr_db = 0;    // of the same
    std::size_t kept = 0;  // groups kept float in addition to those of the given options
    bool reached = false;  // the floor
};
/// Starts with the fewest groups for which the curve predicts the floor (one, if the floor is not
/// of SQNR). Then tries more while the floor is missed and fewer while it is reached. `labels`: of
/// the samples, for a floor of top-1. Throws invalid_input if they are missing, not_supported if no
/// answers can be counted, and as rank_sensitivity().
FloorResult keep_float_until(const Model& model, const QuantizeOptions& options,
                             const SampleSourcePtr& samples, const Sensitivity& sensitivity,
                             const AccuracyFloor& floor, const Labels* labels = nullptr,
                             const Progress& progress = {}, Level level = Level::all);

}  // namespace lapidary
