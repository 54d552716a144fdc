// SPDX-License-Identifier: Apache-2.0
//   before:  y = LayerNormalization(input + skip + bias, gamma, beta)   bias optional, on any side
//   after:   y, _, _, sum = com.microsoft::SkipLayerNormalization(input, skip, gamma, beta, bias)
// Runs after the fusions of embeddings and attention, which look for the LayerNormalization.
#include "passes/extended/normalization/skip_norm_rules.h"

namespace lapidary::passes {

PassBody fuse_skip_layer_norm() {
    return {.rules = skip_norm_rules("LayerNormalization", true, "SkipLayerNormalization")};
}

}  // namespace lapidary::passes
