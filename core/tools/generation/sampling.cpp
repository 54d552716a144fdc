// SPDX-License-Identifier: Apache-2.0
#include <lapidary/generation/sampling.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

void require(bool holds, const char* expected, double found) {
    if (!holds) fail_input(std::string(expected) + ", found " + std::to_string(found));
}

bool is_candidate(float logit) { return !std::isnan(logit) && logit != -INFINITY; }

/// The first of the largest logits; NaN is none.
std::int64_t largest(std::span<const float> logits) {
    std::int64_t best = -1;
    for (std::size_t i = 0; i < logits.size(); ++i)
        if (is_candidate(logits[i]) &&
            (best < 0 || logits[i] > logits[static_cast<std::size_t>(best)]))
            best = static_cast<std::int64_t>(i);
    if (best < 0) fail_input("no logit is a number: the model computed NaN or minus infinity");
    return best;
}

}  // namespace

Sampler::Sampler(const SamplingOptions& options) : options_(options), random_(options.seed) {
    require(std::isfinite(options.temperature) && options.temperature >= 0,
            "temperature: expected 0 or more", options.temperature);
    require(options.top_k >= 0, "top-k: expected 0 or more", static_cast<double>(options.top_k));
    require(options.top_p > 0 && options.top_p <= 1, "top-p: expected more than 0 and at most 1",
            options.top_p);
    require(std::isfinite(options.repetition_penalty) && options.repetition_penalty > 0,
            "repetition penalty: expected more than 0", options.repetition_penalty);
}

std::int64_t Sampler::choose(std::span<const float> logits, std::span<const std::int64_t> seen) {
    if (options_.repetition_penalty != 1) {
        penalized_.assign(logits.begin(), logits.end());
        const auto penalty = static_cast<float>(options_.repetition_penalty);
        for (const std::int64_t token : seen) {
            if (token < 0 || token >= static_cast<std::int64_t>(logits.size())) continue;
            const auto at = static_cast<std::size_t>(token);
            penalized_[at] = logits[at] > 0 ? logits[at] / penalty : logits[at] * penalty;
        }
        logits = penalized_;
    }
    return options_.temperature == 0 ? largest(logits) : draw(logits);
}

std::int64_t Sampler::draw(std::span<const float> logits) {
    const float most = logits[static_cast<std::size_t>(largest(logits))];
    if (most == INFINITY) return largest(logits);
    candidates_.clear();
    for (std::size_t i = 0; i < logits.size(); ++i)
        if (is_candidate(logits[i])) candidates_.push_back(static_cast<std::int64_t>(i));
    const auto logit = [&](std::int64_t i) { return logits[static_cast<std::size_t>(i)]; };
    const auto more_probable = [&](std::int64_t a, std::int64_t b) {
        return logit(a) != logit(b) ? logit(a) > logit(b) : a < b;
    };
    const auto count = static_cast<std::int64_t>(candidates_.size());
    const std::int64_t kept = options_.top_k == 0 ? count : std::min(options_.top_k, count);
    if (kept < count)
        std::ranges::partial_sort(candidates_, candidates_.begin() + kept, more_probable);
    else if (options_.top_p < 1) std::ranges::sort(candidates_, more_probable);
    candidates_.resize(static_cast<std::size_t>(kept));
    weights_.clear();
    for (const std::int64_t i : candidates_)
        weights_.push_back(std::exp((static_cast<double>(logit(i)) - most) / options_.temperature));
    double all = std::accumulate(weights_.begin(), weights_.end(), 0.0);
    if (options_.top_p < 1) {
        double sum = 0;
        std::size_t end = 0;
        while (end < weights_.size() && sum < options_.top_p * all) sum += weights_[end++];
        weights_.resize(end);
        all = sum;
    }
    // 53 random bits: the same number on every machine, which the standard's distributions are not.
    double at = static_cast<double>(random_() >> 11) * 0x1p-53 * all;
    for (std::size_t i = 0; i < weights_.size(); ++i)
        if ((at -= weights_[i]) < 0) return candidates_[i];
    return candidates_[weights_.size() - 1];
}

}  // namespace lapidary
