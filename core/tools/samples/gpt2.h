// SPDX-License-Identifier: Apache-2.0
// Decoders of the GPT-2 kind (Radford et al. 2019) in any size.
#pragma once

#include <cstdint>
#include <string>

#include <lapidary/graph/model.h>

namespace lapidary::samples {

/// Those of GPT-2 small unless given.
struct Gpt2Sizes {
    std::string name = "gpt2-small";
    std::int64_t layers = 12, width = 768, heads = 12, vocabulary = 50257, positions = 1024;
};

/// With caches of keys and values that Concat makes longer; weights are seeded noise.
Model gpt2(const Gpt2Sizes& sizes, std::uint64_t seed);

}  // namespace lapidary::samples
