// SPDX-License-Identifier: Apache-2.0
//   before:  y = SimplifiedLayerNormalization(input + skip + bias, gamma)   also RMSNormalization
//   after:   y, _, _, sum = com.microsoft::SkipSimplifiedLayerNormalization(input, skip, gamma,
//            bias)
#include "passes/extended/normalization/skip_norm_rules.h"

namespace lapidary::passes {

PassBody fuse_skip_rms_norm() {
    return {.rules = skip_norm_rules("SimplifiedLayerNormalization|com.microsoft::"
                                     "SimplifiedLayerNormalization|RMSNormalization",
                                     false, "SkipSimplifiedLayerNormalization")};
}

}  // namespace lapidary::passes
