// SPDX-License-Identifier: Apache-2.0
// A quantized model looked at from inside: how far each layer is off, and what the samples that
// gave the ranges did not show.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <lapidary/quantize/quantize.h>

namespace lapidary {

/// Samples that are looked at, at most: the accuracy of outputs that evaluate_quantized() reports
/// is of all that judge.
inline constexpr std::size_t inspected_samples = 8;

/// A value that float and quantized model both compute.
struct LayerAccuracy {
    std::string node, name;  // that writes it, as NodeDecision has them
    std::string value;       // its name in both models
    double sqnr_db = 0;      // infinity: equal
    friend bool operator==(const LayerAccuracy&, const LayerAccuracy&) = default;
};

/// What a look inside found.
struct QuantizedInspection {
    std::vector<LayerAccuracy> layers;  // in the order of the graph
    std::vector<std::string> warnings;  // sentences
};

/// Runs the float model, equalized and smoothed as the quantized one is, and the quantized one,
/// node by node as they stand, on the first of the samples. Warns of values beyond the range that
/// was calibrated, of pairs of QuantizeLinear and DequantizeLinear that no integer kernel takes up,
/// and of neighbouring weights whose products saturate on x86 CPUs without VNNI. `calibration_samples`: the
/// samples that gave ranges. Throws as quantize_model() and calibrate().
QuantizedInspection inspect_quantized(const Model& model, const QuantizeOptions& options,
                                      const QuantizeResult& made,
                                      const SampleSource& calibration_samples,
                                      const SampleSource& evaluation_samples,
                                      const Progress& progress = {});

}  // namespace lapidary
