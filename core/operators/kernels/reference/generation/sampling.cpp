// SPDX-License-Identifier: Apache-2.0
// com.microsoft Sampling: at each step a token drawn from the most likely ones, of which top_p says
// how many; until every row met eos or max_length. Filter, generator and the order of draws are
// those of ONNX Runtime on Linux, which draws from std::default_random_engine; the presence penalty
// is that of its CUDA kernel, as the CPU kernel takes the penalties of all tokens from the first
// one.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "kernels/input_index.h"
#include "kernels/reference/generation/generation.h"

namespace lapidary::reference {
namespace {

/// Uniform doubles in [0, 1), each of two draws, as libstdc++'s std::uniform_real_distribution
/// makes them.
class MinimalStandardUniform {
public:
    explicit MinimalStandardUniform(std::uint32_t seed) : engine_(seed) {}
    double next() {
        constexpr double range = std::minstd_rand0::max() - std::minstd_rand0::min();
        const double low = static_cast<double>(engine_() - std::minstd_rand0::min()),
                     high = static_cast<double>(engine_() - std::minstd_rand0::min());
        return std::min((low + high * range) / (range * range), std::nextafter(1.0, 0.0));
    }

private:
    std::minstd_rand0 engine_;
};

class TokenSampler {
public:
    explicit TokenSampler(KernelContext& context)
        : context_(context), uniform_(seed_of(context)),
          top_p_(context.node().float_attribute("top_p", 0)),
          filter_value_(context.node().float_attribute("filter_value", -1e20f)),
          least_(context.node().int_attribute("min_tokens_to_keep", 0)),
          is_custom_(context.node().int_attribute("custom", 0) != 0) {
        require_generation(context, top_p_ >= 0 && top_p_ <= 1,
                           "attribute top_p: expected 0 to 1, found " + std::to_string(top_p_));
    }

    std::int64_t operator()(std::span<float> scores) {
        require_generation(
            context_, least_ >= 0 && least_ < static_cast<std::int64_t>(scores.size()),
            "attribute min_tokens_to_keep: expected 0 to " + std::to_string(scores.size() - 1) +
                ", found " + std::to_string(least_));
        filter(scores);
        return draw(scores);
    }

private:
    static std::uint32_t seed_of(const KernelContext& context) {
        const Tensor* tensor = context.optional_input(sampling_input::seed);
        if (!tensor) return 0;
        const auto values = to_int64s(*tensor);
        require_generation(
            context, values.size() == 1 && values[0] >= 0,
            "input seed: expected one integer of at least 0, found " +
                (values.size() == 1 ? std::to_string(values[0]) : to_string(tensor->shape())));
        return static_cast<std::uint32_t>(values[0]);
    }

    // Sets the scores of unlikely tokens to filter_value. In the custom way the most likely tokens
    // stay until they add up to more than top_p, the one that passes it among them; else the least
    // likely ones go that add up to at most 1 - top_p, but for min_tokens_to_keep of them.
    void filter(std::span<float> scores) const {
        std::vector<std::size_t> order(scores.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
            return is_custom_ ? scores[a] > scores[b] : scores[a] < scores[b];
        });
        const std::vector<float> probabilities = softmax(scores, order);
        float sum = 0;
        if (is_custom_) {
            for (std::size_t i = 0; i + 1 < order.size(); ++i)
                if ((sum += probabilities[i]) > top_p_) scores[order[i + 1]] = filter_value_;
            return;
        }
        for (std::size_t i = 0; i + static_cast<std::size_t>(least_) < order.size(); ++i)
            if (std::min(sum += probabilities[i], 1.0f) <= 1 - top_p_)
                scores[order[i]] = filter_value_;
    }

    static std::vector<float> softmax(std::span<const float> scores,
                                      std::span<const std::size_t> order) {
        const float most = *std::ranges::max_element(scores);
        std::vector<float> values(scores.size());
        float sum = 0;
        for (std::size_t i = 0; i < values.size(); ++i)
            sum += values[i] = std::exp(scores[order[i]] - most);
        for (float& value : values) value /= sum;
        return values;
    }

    std::int64_t draw(std::span<const float> scores) {
        float most = std::numeric_limits<float>::lowest();
        for (const float score : scores)
            if (std::isfinite(score)) most = std::max(most, score);
        std::vector<double> sums;
        double total = 0;
        for (const float score : scores) {
            if (std::isfinite(score)) total += std::exp(static_cast<double>(score) - most);
            sums.push_back(total);
        }
        require_generation(context_, total > 0,
                           "the decoder's logits give no token a finite score");
        const double at = uniform_.next() * total;
        const auto found = std::ranges::upper_bound(sums, at);
        return (found == sums.end() ? std::ranges::lower_bound(sums, total) : found) - sums.begin();
    }

    KernelContext& context_;
    MinimalStandardUniform uniform_;
    float top_p_, filter_value_;
    std::int64_t least_;
    bool is_custom_;
};

}  // namespace

void sampling(KernelContext& context) {
    TokenSampler sampler(context);
    generate_tokens(context, GenerationSettings(context),
                    [&](std::span<float> scores) { return sampler(scores); });
}

}  // namespace lapidary::reference
