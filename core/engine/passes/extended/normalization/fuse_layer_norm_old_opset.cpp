// SPDX-License-Identifier: Apache-2.0
//   before:  layer normalization written out, before opset 17
//   after:   y = LayerNormalization(x, scale, bias) {axis, epsilon}
// ONNX has no such operator there; ONNX Runtime registers its own under the ONNX domain, hence
// level extended.
#include "passes/extended/normalization/normalization_pattern.h"

namespace lapidary::passes {

PassBody fuse_layer_norm_old_opset() { return {.rules = layer_norm_rules(), .most_opset = 16}; }

}  // namespace lapidary::passes
