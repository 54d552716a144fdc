// SPDX-License-Identifier: Apache-2.0
// The choice of the next token from a decoder's logits.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace lapidary {

/// How a token is chosen. The defaults take the most probable one.
struct SamplingOptions {
    double temperature = 0;  // logits are divided by it; 0: the largest logit is taken
    std::int64_t top_k = 0;  // only so many of the largest logits; 0: all
    double top_p = 1;        // only the most probable ones that together have this probability
    double repetition_penalty = 1;  // of tokens that were there before (CTRL, Keskar et al. 2019)
    std::uint64_t seed = 0;         // same seed, same choices
};

/// Chooses tokens; its random numbers are the same on every machine.
class Sampler {
public:
    /// Throws invalid_input naming the option that is out of its range.
    explicit Sampler(const SamplingOptions& options);
    /// An index into `logits`, which `seen` tokens came before; of equal logits the lowest. Throws
    /// invalid_input where no logit is a number that is not minus infinity.
    std::int64_t choose(std::span<const float> logits, std::span<const std::int64_t> seen);

private:
    std::int64_t draw(std::span<const float> logits);

    SamplingOptions options_;
    std::mt19937_64 random_;
    std::vector<float> penalized_;
    std::vector<std::int64_t> candidates_;
    std::vector<double> weights_;
};

}  // namespace lapidary
