// SPDX-License-Identifier: Apache-2.0
//   before:  y = 0.5 * x * (1 + Erf(x / sqrt(2)))   any order, association and place of the
//            constants
//   after:   y = com.microsoft::Gelu(x)   opset 20 has its own Gelu: fuse_onnx_gelu
#include "passes/extended/activations/gated_activation.h"

namespace lapidary::passes {

PassBody fuse_gelu() {
    return {.run = [](PassContext& context) {
        if (context.opset() < 20) fuse_gated_activation(context, erf_gelu("com.microsoft::Gelu"));
    }};
}

}  // namespace lapidary::passes
