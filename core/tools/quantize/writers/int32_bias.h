// SPDX-License-Identifier: Apache-2.0
// Biases of integer products: int32 with the scale input scale * weight scale.
#pragma once

#include <lapidary/tensor/tensor.h>

#include "rewrite/quantized_weight.h"

namespace lapidary {

struct Int32Bias {
    Tensor values;     // i32, the bias's shape
    Tensor scale;      // f32, the weight scale's shape: [channels], or [1] if that is a scalar
    bool fits = true;  // false: an element was clamped to the range of int32
};

/// rint(bias / (input_scale * weight_scale)), the product in float32, the division in float64.
/// `bias`: f32 [channels]. `weight_scale`: a scalar or [channels].
Int32Bias quantize_bias(const Tensor& bias, float input_scale, const Tensor& weight_scale);

/// Weight scales, enlarged where the bias would not fit into int32 (as ONNX Runtime does): at least
/// 1.0001 * 2 * |bias| / (2^32 - 2) / input_scale. The same tensor if no scale was too small.
Tensor scale_for_bias(const Tensor& bias, float input_scale, const Tensor& weight_scale);

}  // namespace lapidary
