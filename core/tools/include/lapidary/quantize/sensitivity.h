// SPDX-License-Identifier: Apache-2.0
// What quantizing costs where: weights or activations, and node by node.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <lapidary/quantize/accuracy_floor.h>
#include <lapidary/quantize/quantize.h>

namespace lapidary {

/// SQNR in dB over the judging samples when one part alone is quantized.
struct QuantizeDiagnosis {
    double weights_db = 0;      // activations float
    double activations_db = 0;  // weights float
    double both_db = 0;         // both of them
    /// "activations cost 13.2 dB more than weights", in a sentence without a stop.
    std::string sentence() const;
};
/// Of mode static with the options given, whatever their mode; ranges from four of five samples.
/// Throws what quantize_model() and evaluate_quantized() throw.
QuantizeDiagnosis diagnose_quantization(const Model& model, const QuantizeOptions& options,
                                        const SampleSourcePtr& samples,
                                        const Progress& progress = {});

/// Nodes that read the same integers, quantized with all others float: mostly one node, or the
/// products of one input.
struct NodeSensitivity {
    std::vector<std::string> nodes, names;  // as NodeDecision has them
    double alone_db = 0;                    // SQNR; infinity: nothing changed
    /// of the noise of all groups, 0 to 1, noise taken to add up
    double share = 0;
};
/// The worst `kept` groups float, all others quantized. Of a measured point the prediction comes
/// from the other ones; below some 12 dB, where noise is no longer small against the signal, errors
/// do not add up and it says little.
struct SensitivityPoint {
    std::size_t kept = 0;  // groups that stay float
    /// of the noise of the others added up, shifted as measured points want it
    double predicted_db = 0;
    std::optional<double> measured_db;  // nothing: not measured
};
/// What each group of nodes costs when it alone is quantized.
struct Sensitivity {
    std::vector<NodeSensitivity> groups;  // the one that costs most first
    /// kept 0, 1, 2 ... all groups but one; the first is always measured
    std::vector<SensitivityPoint> curve;
    bool complete = true;     // false: the time was over before all groups were tried
    std::size_t untried = 0;  // groups
};

/// SQNR where these nodes stay float: of the curve where as much noise is left as of the groups
/// that do not stay float as a whole.
double predicted_db(const Sensitivity& sensitivity, const std::set<std::string>& kept);

/// How much is measured.
struct SensitivityOptions {
    /// that judge, at most; of models with up to 4 MB of constants four times as many
    std::size_t samples = 8;
    double budget_seconds = 0;  // 0: all groups are tried
    std::size_t measured = 10;  // points of the curve to measure between its ends
    /// further ones, at most, beside points that are not where the others say
    std::size_t checked = 8;
    Level level = Level::all;  // that models are judged at
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
    double value = 0;         // what the floor is of; the best of those tried where it is missed
    double sqnr_db = 0;       // of the same
    std::size_t kept = 0;     // groups float beside what the options given keep
    bool reached = false;     // the floor
};
/// Measures the fewest groups for which the curve promises the floor (of others than SQNR: one),
/// then more while it is missed and fewer while it is reached. `labels`: of the samples, for a
/// floor of top-1. Throws invalid_input where they lack, not_supported where nothing can be
/// counted, and as rank_sensitivity().
FloorResult keep_float_until(const Model& model, const QuantizeOptions& options,
                             const SampleSourcePtr& samples, const Sensitivity& sensitivity,
                             const AccuracyFloor& floor, const Labels* labels = nullptr,
                             const Progress& progress = {}, Level level = Level::all);

}  // namespace lapidary
