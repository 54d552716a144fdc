// SPDX-License-Identifier: Apache-2.0
// Which recipes of a search are judged on further samples.
#include "quantize/recipes/recipe_scores.h"

#include <gtest/gtest.h>

namespace lapidary {
namespace {

using Numbers = std::vector<std::size_t>;

/// A split of each recipe, by its samples.
RecipeScores scores_of(const std::vector<std::vector<double>>& samples) {
    RecipeScores scores;
    for (const std::vector<double>& found : samples) {
        double sum = 0;
        for (double db : found) sum += db;
        scores.add_split(scores.add_recipe(), sum / static_cast<double>(found.size()), found);
    }
    return scores;
}

TEST(RecipeScores, OneBadSampleDecidesNothing) {
    // The second is better on all samples but one, which one split has by chance.
    const RecipeScores scores = scores_of({{35, 36, 34, 35, 36}, {37, 38, 36, 37, 26}});
    EXPECT_EQ(scores.contenders(1), (Numbers{0, 1}));
}

TEST(RecipeScores, RecipesThatAreClearlyWorseAreDropped) {
    const RecipeScores scores =
        scores_of({{35, 36, 34, 35, 36}, {37.1, 38, 36, 37, 37.9}, {20, 21, 19, 20, 21}});
    EXPECT_EQ(scores.contenders(1), Numbers{1}) << "what was asked for too";
    EXPECT_GE(scores.gain(1, 0), RecipeScores::clear);
    EXPECT_LE(scores.gain(0, 1), -RecipeScores::clear);
}

TEST(RecipeScores, EqualOnesAreJudgedOnce) {
    const RecipeScores scores =
        scores_of({{30, 31, 32, 30}, {35, 32, 36, 31}, {35, 32, 36, 31}, {35, 32.01, 36, 31}});
    EXPECT_EQ(scores.contenders(1), (Numbers{3, 0})) << "a tenth of a dB is no difference";
}

TEST(RecipeScores, WhatWasAskedForStaysUnlessTheBestIsClearlyBetter) {
    const RecipeScores equal = scores_of({{35, 32, 36, 31}, {35, 32, 36, 31}});
    EXPECT_EQ(equal.contenders(1), Numbers{0}) << "the first of equal ones is the best";
    const RecipeScores close = scores_of({{35, 32, 36, 31}, {35.1, 32, 36, 31}});
    EXPECT_EQ(close.contenders(1), (Numbers{1, 0}));
}

TEST(RecipeScores, FewSamplesAreJudgedByRank) {
    const RecipeScores one = scores_of({{30}, {29.5}, {29}, {28.5}, {27}});
    EXPECT_EQ(one.contenders(1), (Numbers{0, 1, 2})) << "the three best, at most 2 dB behind";
    EXPECT_EQ(scores_of({{30}, {27}}).contenders(1), Numbers{0});
    EXPECT_GE(one.gain(1, 2), RecipeScores::clear) << "nothing to estimate the noise from";
}

TEST(RecipeScores, SplitsAreComparedAlike) {
    RecipeScores scores = scores_of({{30, 31, 30, 32}, {31, 30, 31, 31}, {29, 32, 29, 33}});
    EXPECT_EQ(scores.contenders(1).size(), 3u);
    scores.add_split(0, 30, {30, 30, 30, 30});
    scores.add_split(1, 33, {33, 33, 33, 33});
    EXPECT_EQ(scores.contenders(2).front(), 1u);
    EXPECT_EQ(scores.contenders(1), Numbers{2}) << "the others were judged on more";
    EXPECT_EQ(scores.splits(1), 2u);
    EXPECT_NEAR(scores.pooled_db(1), 31.7309, 1e-4) << "below the mean, 31.875";
}

}  // namespace
}  // namespace lapidary
