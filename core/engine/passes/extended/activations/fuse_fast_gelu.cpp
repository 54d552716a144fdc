// SPDX-License-Identifier: Apache-2.0
//   before:  y = 0.5 * x * (1 + Tanh(sqrt(2/pi) * (x + 0.044715 * x^3)))   any order and
//            association, Pow or products
//   after:   y = com.microsoft::FastGelu(x)
#include "passes/extended/activations/gated_activation.h"

namespace lapidary::passes {

PassBody fuse_fast_gelu() {
    return {.run = [](PassContext& context) {
        fuse_gated_activation(context, tanh_gelu("com.microsoft::FastGelu"));
    }};
}

}  // namespace lapidary::passes
