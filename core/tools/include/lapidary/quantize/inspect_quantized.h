// SPDX-License-Identifier: Apache-2.0
// Inspects a quantized model: the error of each layer, and values outside of the calibrated ranges.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <lapidary/quantize/quantize.h>

namespace lapidary {

/// At most so many samples are run: unlike evaluate_quantized(), which runs all evaluation samples.
inline constexpr std::size_t inspected_samples = 8;

/// A value that float and quantized model both compute.
struct LayerAccuracy {
    std::string node, name;  // that writes it, as NodeDecision has them
    std::string value;       // its name in both models
    double sqnr_db = 0;      // infinity: equal
    friend bool operator==(const LayerAccuracy&, const LayerAccuracy&) = default;
};

/// Findings of an inspection.
struct QuantizedInspection {
    std::vector<LayerAccuracy> layers;  // in the order of the graph
    std::vector<std::string> warnings;  // sentences
};

/// Runs the float model (equalized and smoothed as the quantized one is) and the quantized one on
/// the first evaluation samples, both without optimization. Warns of values outside of the
/// calibrated range, of pairs of QuantizeLinear and DequantizeLinear that no integer kernel
/// replaces, and of neighbouring weights whose products saturate on x86 CPUs without VNNI. Throws
/// as quantize_model() and calibrate().
QuantizedInspection inspect_quantized(const Model& model, const QuantizeOptions& options,
                                      const QuantizeResult& made,
                                      const SampleSource& calibration_samples,
                                      const SampleSource& evaluation_samples,
                                      const Progress& progress = {});

}  // namespace lapidary
