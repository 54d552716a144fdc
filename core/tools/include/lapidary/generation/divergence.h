// SPDX-License-Identifier: Apache-2.0
// How far two choices of the next token are apart.
#pragma once

#include <span>

namespace lapidary {

/// The logarithm of the sum of the logits' exponentials: a token's logit less it is the logarithm
/// of the token's probability. NaN where a logit is NaN or all are minus infinity.
double log_sum(std::span<const float> logits);

/// The Kullback-Leibler divergence of the distribution that `q` gives from the one that `p` gives,
/// in nats: what it costs to take q's probabilities for p's. Logits of one vocabulary; 0 for equal
/// ones, infinity where q excludes what p does not, NaN where one of them is NaN or all are minus
/// infinity. Throws invalid_input where their numbers differ.
double kl_divergence(std::span<const float> p, std::span<const float> q);

}  // namespace lapidary
