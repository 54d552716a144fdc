// SPDX-License-Identifier: Apache-2.0
// Perplexity and divergence on tokens: figures of known probabilities, whatever the windows, the
// tokens of a run and the caches are.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/generation/divergence.h>
#include <lapidary/generation/text_quality.h>
#include <lapidary/graph/graph_text.h>

#include "samples/gpt2.h"
#include "samples/llama.h"

namespace lapidary {
namespace {

/// Logits of the next token by the token before alone: row t of the table.
ModelPtr table_model(const std::string& rows) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 18;
    model->graph = parse_graph(
        "(input_ids: i64[b,s]) -> (logits)\n"
        "logits = Gather(table: f32[3,3]{" +
            rows + "}, input_ids)\n",
        {.opset = 18});
    return model;
}

// Probabilities 1/2, 1/4, 1/4 behind token 0, 1/4, 1/2, 1/4 behind 1, equal ones behind 2.
constexpr const char* known_rows = "0.6931472,0,0, 0,0.6931472,0, 0,0,0";

std::vector<std::int64_t> some_tokens(std::size_t count) {
    std::vector<std::int64_t> tokens;
    for (std::size_t i = 0; i < count; ++i)
        tokens.push_back(static_cast<std::int64_t>((i * i * 7 + i * 31 + 11) % 97));
    return tokens;
}

ModelPtr small_llama(std::uint64_t seed) {
    return std::make_shared<Model>(samples::llama({.name = "small",
                                                   .layers = 2,
                                                   .width = 32,
                                                   .inner = 64,
                                                   .heads = 4,
                                                   .key_heads = 2,
                                                   .vocabulary = 97,
                                                   .positions = 64},
                                                  seed));
}

ModelPtr small_gpt2() {
    return std::make_shared<Model>(samples::gpt2(
        {.name = "small", .layers = 2, .width = 32, .heads = 4, .vocabulary = 97, .positions = 64},
        5));
}

std::string refusal(Generator& model, const std::vector<std::int64_t>& tokens,
                    const TextQualityOptions& options) {
    try {
        measure_text_quality(model, nullptr, tokens, options);
    } catch (const Error& error) { return error.message(); }
    return "";
}

TEST(TextQuality, FiguresAreThoseOfKnownProbabilities) {
    Generator model = Generator::compile(table_model(known_rows));
    const std::vector<std::int64_t> tokens{0, 0, 1, 1, 2, 0};
    const TextQuality found = measure_text_quality(model, nullptr, tokens);
    EXPECT_EQ(found.tokens, 5);
    EXPECT_EQ(found.windows, 1);
    EXPECT_FALSE(found.other || found.divergence);
    // 1/2, 1/4, 1/2, 1/4, 1/3
    const double nats = (2 * std::log(2) + 2 * std::log(4) + std::log(3)) / 5;
    EXPECT_NEAR(found.model.nats.mean, nats, 1e-6);
    EXPECT_NEAR(found.model.perplexity(), std::exp(nats), 1e-5);
    EXPECT_EQ(found.model.right, 3);  // the last by the first of equal logits
    EXPECT_GT(found.model.perplexity_error(), 0);
}

TEST(TextQuality, TheErrorIsByHowMuchWindowsDiffer) {
    Generator model = Generator::compile(table_model(known_rows));
    std::vector<std::int64_t> tokens;
    for (int i = 0; i < 10; ++i) tokens.insert(tokens.end(), {0, 0, 1});
    const auto error_of = [&](std::int64_t most) {
        return measure_text_quality(model, nullptr, tokens, {.window = 3, .most_tokens = most})
            .model.nats.error;
    };
    EXPECT_NEAR(error_of(0), 0, 1e-9) << "ten equal windows";
    EXPECT_GT(error_of(12), 0.1) << "four windows: as if tokens were independent";
    // half of the windows have 1/2 twice: each is a quarter of log 2 a token off the mean
    for (std::size_t i = 0; i < tokens.size(); i += 6) tokens[i + 2] = 0;
    EXPECT_NEAR(error_of(0), std::log(2) / 4 / 3, 1e-6);
}

TEST(TextQuality, TheDivergenceIsFromTheOtherModel) {
    Generator model = Generator::compile(table_model("0,0,0, 0,0,0, 0,0,0")),
              other = Generator::compile(table_model(known_rows));
    const std::vector<std::int64_t> tokens{0, 1, 1, 2, 0};
    const TextQuality found = measure_text_quality(model, &other, tokens);
    // behind 0 and 1 the other's entropy is 1.5 bits, ours log 3 nats; behind 2 both are equal
    const double kl = std::log(3) - 1.5 * std::log(2);
    EXPECT_NEAR(found.divergence->kl.mean, 3 * kl / 4, 1e-6);
    EXPECT_NEAR(found.divergence->kl_most, kl, 1e-6);
    EXPECT_NEAR(found.divergence->kl_median, kl, 1e-6);
    EXPECT_EQ(found.divergence->changed, 2);  // of equal logits the first is taken
    EXPECT_NEAR(found.model.perplexity(), 3, 1e-5);
    EXPECT_NEAR(found.divergence->perplexity_ratio(),
                found.model.perplexity() / found.other->perplexity(), 1e-6);
    const double quarter = 1.0 / 4 - 1.0 / 3, half = 1.0 / 2 - 1.0 / 3;
    EXPECT_NEAR(found.divergence->probability_change,
                std::sqrt((2 * quarter * quarter + half * half) / 4), 1e-6);
}

TEST(TextQuality, RunsAndCachesDoNotChangeIt) {
    const std::vector<std::int64_t> tokens = some_tokens(50);
    for (const ModelPtr& graph : {small_llama(5), small_gpt2()}) {
        TextQualityOptions options;
        options.window = 20;
        options.tokens_per_run = 20;
        std::optional<TextQuality> expected;
        for (const CacheStorage storage : {CacheStorage::growing, CacheStorage::fixed})
            for (const std::int64_t each : {20, 7, 1}) {
                Generator model = Generator::compile(graph, {.storage = storage, .capacity = 20});
                options.tokens_per_run = each;
                const TextQuality found = measure_text_quality(model, nullptr, tokens, options);
                EXPECT_EQ(found.tokens, 19 + 19 + 9);
                EXPECT_EQ(found.windows, 3);
                if (!expected) expected = found;
                EXPECT_NEAR(found.model.nats.mean, expected->model.nats.mean, 1e-5) << each;
                EXPECT_EQ(found.model.right, expected->model.right);
            }
    }
}

TEST(TextQuality, EachTokenCountsOnceWhereWindowsOverlap) {
    Generator model = Generator::compile(small_llama(5), {.capacity = 32});
    const std::vector<std::int64_t> tokens = some_tokens(50);
    TextQualityOptions options;
    options.window = 20;
    options.stride = 8;
    const TextQuality overlapping = measure_text_quality(model, nullptr, tokens, options);
    EXPECT_EQ(overlapping.tokens, 49);
    EXPECT_EQ(overlapping.windows, 5);  // from 0, 8, 16, 24 and 32 on
    options.stride = 0;
    options.begin_token = 1;
    const TextQuality begun = measure_text_quality(model, nullptr, tokens, options);
    EXPECT_EQ(begun.tokens, 50);
    EXPECT_EQ(begun.windows, 3);  // of 19, 19 and 12
    options.most_tokens = 19;
    EXPECT_EQ(measure_text_quality(model, nullptr, tokens, options).windows, 1);
}

TEST(TextQuality, AModelIsNoWayFromItself) {
    Generator model = Generator::compile(small_llama(5), {.capacity = 64}),
              same = Generator::compile(small_llama(5), {.capacity = 64}),
              another = Generator::compile(small_llama(6), {.capacity = 64});
    const std::vector<std::int64_t> tokens = some_tokens(40);
    const TextQuality equal = measure_text_quality(model, &same, tokens, {.window = 40});
    EXPECT_EQ(equal.divergence->kl_most, 0);
    EXPECT_EQ(equal.divergence->changed, 0);
    EXPECT_EQ(equal.divergence->perplexity_ratio(), 1);
    const TextQuality far = measure_text_quality(model, &another, tokens, {.window = 40});
    EXPECT_GT(far.divergence->kl.mean, 0);
    EXPECT_GE(far.divergence->kl_99, far.divergence->kl_median);
    EXPECT_GT(far.divergence->changed, 0);
}

TEST(TextQuality, WhatIsNotFiniteIsCountedApart) {
    Generator model = Generator::compile(table_model("0,0,-inf, 0,0,0, nan,0,0")),
              other = Generator::compile(table_model("0,0,0, 0,0,0, 0,0,0"));
    const std::vector<std::int64_t> tokens{0, 1, 1, 2, 1};
    const TextQuality found = measure_text_quality(model, &other, tokens);
    EXPECT_EQ(found.not_finite, 2);
    EXPECT_EQ(found.tokens, 2);
    EXPECT_NEAR(found.model.perplexity(), 3, 1e-5);
    EXPECT_EQ(found.divergence->kl_most, 0);
}

TEST(TextQuality, MistakesAreToldInASentence) {
    Generator model = Generator::compile(table_model(known_rows));
    const std::vector<std::int64_t> tokens{0, 1, 2};
    EXPECT_NE(refusal(model, tokens, {.window = 1}).find("window"), std::string::npos);
    EXPECT_NE(refusal(model, tokens, {.window = 8, .stride = 9}).find("leave some out"),
              std::string::npos);
    EXPECT_NE(refusal(model, tokens, {.tokens_per_run = 0}).find("of a run"), std::string::npos);
    EXPECT_NE(refusal(model, {0}, {}).find("at least 2, found 1"), std::string::npos);
    EXPECT_NE(refusal(model, {0, 3}, {}).find("token 3 at place 2"), std::string::npos);
}

TEST(TextQuality, AllLogitsAreThoseOfSingleRuns) {
    Generator whole = Generator::compile(small_llama(5), {.capacity = 8}),
              single = Generator::compile(small_llama(5), {.capacity = 8});
    const std::vector<std::int64_t> ids{3, 90, 14, 15};
    const Tensor all = whole.feed_all({1, ids}).clone();
    ASSERT_EQ(all.shape(), (Shape{1, 4, 97}));
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const Tensor& one = single.feed({1, {ids[i]}});
        for (std::size_t k = 0; k < 97; ++k)
            EXPECT_NEAR(all.data<float>()[i * 97 + k], one.data<float>()[k], 1e-5f) << i;
    }
}

}  // namespace
}  // namespace lapidary
