// SPDX-License-Identifier: Apache-2.0
// Decoders of the Llama kind (Touvron et al. 2023) in any size.
#pragma once

#include <cstdint>
#include <string>

#include <lapidary/graph/model.h>

namespace lapidary::samples {

/// Those of 160 million parameters unless given.
struct LlamaSizes {
    std::string name = "llama-160m";
    std::int64_t layers = 12, width = 768, inner = 3072, heads = 12, key_heads = 4,
                 vocabulary = 32000, positions = 2048;
    /// Weights are computed when they are read: the model can be larger than memory.
    bool is_deferred = false;
};

/// With caches of keys and values; weights are seeded noise.
Model llama(const LlamaSizes& sizes, std::uint64_t seed);

}  // namespace lapidary::samples
