// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/generation/sampling.h>

namespace lapidary {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = INFINITY;

std::int64_t chosen(const SamplingOptions& options, std::vector<float> logits,
                    std::vector<std::int64_t> seen = {}) {
    return Sampler(options).choose(logits, seen);
}

/// How often each of four tokens is drawn.
std::array<int, 4> draws(const SamplingOptions& options, const std::vector<float>& logits) {
    Sampler sampler(options);
    std::array<int, 4> counts{};
    for (int i = 0; i < 20000; ++i) ++counts[static_cast<std::size_t>(sampler.choose(logits, {}))];
    return counts;
}

TEST(Sampling, GreedyTakesTheFirstOfTheLargest) {
    EXPECT_EQ(chosen({}, {1, 5, 5, 2}), 1);
    EXPECT_EQ(chosen({}, {nan, -3, -infinity, -2}), 3);
    EXPECT_EQ(chosen({}, {1, infinity, 5, 2}), 1);
}

TEST(Sampling, NoNumberIsAnError) {
    for (const double temperature : {0.0, 1.0}) {
        EXPECT_THROW(chosen({.temperature = temperature}, {nan, -infinity}), Error);
        EXPECT_THROW(chosen({.temperature = temperature}, {}), Error);
    }
}

TEST(Sampling, DrawsByProbability) {
    const std::vector<float> logits{std::log(1.0f), std::log(2.0f), std::log(3.0f), -infinity};
    const auto counts = draws({.temperature = 1, .seed = 3}, logits);
    EXPECT_NEAR(counts[0], 20000 / 6.0, 200);
    EXPECT_NEAR(counts[1], 20000 / 3.0, 250);
    EXPECT_NEAR(counts[2], 20000 / 2.0, 250);
    EXPECT_EQ(counts[3], 0);
}

TEST(Sampling, TemperatureSharpens) {
    const std::vector<float> logits{0, std::log(2.0f), -infinity, -infinity};
    EXPECT_NEAR(draws({.temperature = 0.5}, logits)[1], 20000 * 4 / 5.0, 250);
    EXPECT_NEAR(draws({.temperature = 2}, logits)[1], 20000 * std::sqrt(2.0) / (1 + std::sqrt(2.0)),
                250);
}

TEST(Sampling, TopKAndTopPLeaveOutTheRest) {
    const std::vector<float> logits{std::log(1.0f), std::log(4.0f), std::log(3.0f), std::log(2.0f)};
    const auto two = draws({.temperature = 1, .top_k = 2}, logits);
    EXPECT_EQ(two[0] + two[3], 0);
    EXPECT_NEAR(two[1], 20000 * 4 / 7.0, 250);
    // 0.4 is less than 0.6: the second is needed too, the third is not.
    const auto most = draws({.temperature = 1, .top_p = 0.6}, logits);
    EXPECT_EQ(most[0] + most[3], 0);
    EXPECT_NEAR(most[1], 20000 * 4 / 7.0, 250);
    EXPECT_EQ(draws({.temperature = 1, .top_k = 1}, logits)[1], 20000);
    EXPECT_EQ(draws({.temperature = 1, .top_p = 1e-9}, logits)[1], 20000);
}

TEST(Sampling, PenaltyMakesSeenTokensLessProbable) {
    EXPECT_EQ(chosen({.repetition_penalty = 3}, {2, 5, 1}, {1}), 0);
    EXPECT_EQ(chosen({.repetition_penalty = 3}, {-2, -1, -4}, {1, 1, 99, -1}), 0);
}

TEST(Sampling, SameSeedSameChoices) {
    const std::vector<float> logits(50, 0.0f);
    for (const std::uint64_t seed : {0u, 7u}) {
        Sampler a({.temperature = 1, .seed = seed}), b({.temperature = 1, .seed = seed});
        for (int i = 0; i < 20; ++i) EXPECT_EQ(a.choose(logits, {}), b.choose(logits, {}));
    }
    // The generator and its use are fixed by their definition: so is the choice.
    EXPECT_EQ(chosen({.temperature = 1, .seed = 5489}, logits),
              static_cast<std::int64_t>(14514284786278117030ull / 0x1p64 * 50));
}

TEST(Sampling, OptionsOutOfRangeAreRefused) {
    EXPECT_THROW(Sampler({.temperature = -1}), Error);
    EXPECT_THROW(Sampler({.temperature = nan}), Error);
    EXPECT_THROW(Sampler({.top_k = -1}), Error);
    EXPECT_THROW(Sampler({.top_p = 0}), Error);
    EXPECT_THROW(Sampler({.top_p = 1.5}), Error);
    EXPECT_THROW(Sampler({.repetition_penalty = 0}), Error);
}

}  // namespace
}  // namespace lapidary
