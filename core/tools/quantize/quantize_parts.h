// SPDX-License-Identifier: Apache-2.0
// Quantizes only one half of a model (weights or activations), to see what the other half costs.
#pragma once

#include <filesystem>

#include <lapidary/quantize/quantize.h>

namespace lapidary {

enum class QuantizedParts : std::uint8_t { both, weights, activations, none };

/// As quantize_model(), but in mode static only weights or only activations become integers; the
/// others, and biases, stay float. `none`: the float model, equalized and smoothed as the quantized
/// one would be; its decisions are empty. `kept`: the folder of resume_quantization(); empty: none.
QuantizeResult quantize_parts(const Model& model, const QuantizeOptions& options,
                              QuantizedParts parts, const SampleSource* samples,
                              const Progress& progress = {},
                              const std::filesystem::path& kept = {});

}  // namespace lapidary
