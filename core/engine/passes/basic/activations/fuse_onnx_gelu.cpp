// SPDX-License-Identifier: Apache-2.0
//   before:  GELU written out with Erf or Tanh, from opset 20 on
//   after:   y = Gelu(x) {approximate: "none" or "tanh"}
#include "passes/extended/activations/gated_activation.h"

namespace lapidary::passes {

PassBody fuse_onnx_gelu() {
    return {.run = [](PassContext& context) {
        if (context.opset() < 20) return;
        fuse_gated_activation(context, erf_gelu("Gelu"));
        fuse_gated_activation(context, tanh_gelu("Gelu", {attr("approximate", "tanh")}));
    }};
}

}  // namespace lapidary::passes
