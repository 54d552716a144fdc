// SPDX-License-Identifier: Apache-2.0
//   before:  y = (x - mean(x)) / Sqrt(mean((x - mean(x))^2) + epsilon) * scale + bias   any
//            spelling, opset 17 or later
//   after:   y = LayerNormalization(x, scale, bias) {axis, epsilon}
// Sound because exponent, operand order, axes, epsilon and the shapes of scale and bias are all
// checked; scale and bias need not be constant.
#include "passes/extended/normalization/normalization_pattern.h"

namespace lapidary::passes {

PassBody fuse_layer_norm() { return {.rules = layer_norm_rules(), .least_opset = 17}; }

}  // namespace lapidary::passes
