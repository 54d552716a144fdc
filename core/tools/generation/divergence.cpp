// SPDX-License-Identifier: Apache-2.0
#include <lapidary/generation/divergence.h>

#include <algorithm>
#include <cmath>
#include <string>

#include <lapidary/base/error.h>

namespace lapidary {

double log_sum(std::span<const float> logits) {
    double most = -INFINITY;
    for (const float logit : logits) most = std::max(most, static_cast<double>(logit));
    double sum = 0;
    for (const float logit : logits) sum += std::exp(logit - most);
    return most + std::log(sum);
}

double kl_divergence(std::span<const float> p, std::span<const float> q) {
    if (p.size() != q.size())
        fail_input("logits of one vocabulary expected, found " + std::to_string(p.size()) +
                   " and " + std::to_string(q.size()));
    const double of_p = log_sum(p), of_q = log_sum(q);
    double divergence = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const double log_p = p[i] - of_p;
        if (log_p == -INFINITY) continue;
        divergence += std::exp(log_p) * (log_p - (q[i] - of_q));
    }
    // Rounding may leave less than nothing.
    return divergence < 0 ? 0 : divergence;
}

}  // namespace lapidary
