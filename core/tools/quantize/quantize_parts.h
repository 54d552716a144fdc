// SPDX-License-Identifier: Apache-2.0
// Half of a quantization, to see what the other half costs.
#pragma once

#include <lapidary/quantize/quantize.h>

namespace lapidary {

enum class QuantizedParts : std::uint8_t { both, weights, activations, none };

/// quantize_model() with, in mode static, weights or activations alone in integers: the other one
/// stays float, and so do biases. `none`: the float model, equalized and smoothed as the quantized
/// one would be; its decisions are empty.
QuantizeResult quantize_parts(const Model& model, const QuantizeOptions& options,
                              QuantizedParts parts, const SampleSource* samples,
                              const Progress& progress = {});

}  // namespace lapidary
