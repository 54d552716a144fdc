// SPDX-License-Identifier: Apache-2.0
//   before:  y = x / Sqrt(mean(x^2) + epsilon) * scale             any spelling, also x * (1 / ...)
//   after:   y = SimplifiedLayerNormalization(x, scale) {axis, epsilon}
// The operator is ONNX Runtime's, registered under the ONNX domain; RMSNormalization of opset 23
// would be taken apart there.
#include "passes/extended/normalization/normalization_pattern.h"

namespace lapidary::passes {

PassBody fuse_rms_norm() {
    return {.rules = plain_normalization_rules(rms_normalized(), "SimplifiedLayerNormalization")};
}

}  // namespace lapidary::passes
