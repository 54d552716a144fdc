// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/quantize/quantize.h>

#include "quantize/recipes/time_limit.h"

namespace lapidary {
namespace {

Model model_of(const std::string& text, std::int64_t opset = 17) {
    Model model;
    model.opset_imports[""] = opset;
    model.graph = parse_graph(text, {.opset = opset});
    infer_types(model);
    return model;
}

const std::string convolutions =
    "(x: f32[n,3,8,8]) -> (y)\na = Conv(x, w1: f32[8,3,3,3], b1: f32[8]) {pads: [1,1,1,1]}\nr = "
    "Relu(a)\nm = "
    "MaxPool(r) {kernel_shape: [2,2], strides: [2,2]}\n"
    "c = Conv(m, w2: f32[8,1,3,3]) {group: 8}\nf = Flatten(c)\ny = Gemm(f, w3: f32[5,32], b3: "
    "f32[5]) {transB: 1}";

SampleSourcePtr samples_for(const Model& model, std::size_t count, std::uint64_t seed = 1) {
    return generated_samples(std::make_shared<const Model>(model), count, seed);
}

TEST(SearchRecipes, KeepsTheBestAndStopsAtTheBudget) {
    const Model model = model_of(convolutions);
    const auto samples = samples_for(model, 10);
    std::vector<std::string> reported;
    std::size_t with_model = 0;
    const SearchResult all =
        search_recipes(model, {.mode = QuantizeMode::static_qdq}, samples, 0, {},
                       [&](const RecipeTrial& trial, const QuantizeResult* made) {
                           reported.push_back(trial.name);
                           EXPECT_EQ(made != nullptr, trial.failure.empty());
                           if (made) with_model += made->quantized > 0;
                       });
    EXPECT_GE(all.trials.size(), 6u);
    ASSERT_EQ(reported.size(), all.trials.size());
    EXPECT_EQ(reported[1], all.trials[1].name);
    EXPECT_GT(with_model, 3u);
    const RecipeTrial& best = all.trials[all.best_trial];
    for (const RecipeTrial& trial : all.trials) {
        // In so small a model the vector for smoothing takes more than a tenth of what is saved, so
        // that smoothing does not pay. Whether a float node pays depends on the node.
        const bool is_float_node = trial.name.ends_with("sensitive node float");
        const bool fits =
            is_float_node ? trial.failure.empty() : !trial.name.starts_with("smoothed 0.");
        EXPECT_EQ(trial.failure.empty(), fits) << trial.name << trial.failure;
        const std::uint64_t least = all.trials[0].weight_bytes;
        EXPECT_EQ(trial.failure.empty(),
                  trial.weight_bytes <= least + (constant_bytes(model) - least) / 10)
            << trial.name << trial.weight_bytes;
        // What was asked for is kept where samples do not agree that another is better.
        const double within = all.best_trial == 0 ? 0.5 : 0;
        if (trial.failure.empty() && trial.splits == best.splits) {
            EXPECT_LE(trial.sqnr_db, best.sqnr_db + within);
        }
    }
    const SearchResult dynamic = search_recipes(model, {}, samples);
    const auto left_float =
        std::ranges::find(dynamic.trials, "convolutions float, compensated", &RecipeTrial::name);
    ASSERT_NE(left_float, dynamic.trials.end());
    EXPECT_FALSE(left_float->failure.empty()) << "convolutions left float save too little";
    EXPECT_EQ(dynamic.best.quantized, 3u);
    const SearchResult one = search_recipes(model, {}, samples, 1e-9);
    EXPECT_TRUE(one.stopped);
    EXPECT_EQ(one.trials.size(), 1u);
    EXPECT_GT(one.best.quantized, 0u);
}

TEST(SearchRecipes, IsNotDecidedByOneSplit) {
    // Shares of classes that are mostly 0 or 1: the few samples between decide the SQNR of a split,
    // by chance.
    const Model model = model_of(
        "(x: f32[n,32]) -> (y)\na = MatMul(x, w1: f32[32,32])\nb = Relu(a)\nc = MatMul(b, w2: "
        "f32[32,8])\n"
        "d = Mul(c, s: f32[1]{30.0})\ny = Softmax(d)");
    const SearchResult found = search_recipes(model, {}, samples_for(model, 25));
    const RecipeTrial &asked = found.trials[0], &best = found.trials[found.best_trial];
    double highest = asked.accuracy.sqnr_db();
    for (const RecipeTrial& trial : found.trials)
        if (trial.failure.empty()) highest = std::max(highest, trial.accuracy.sqnr_db());
    ASSERT_GT(highest, asked.accuracy.sqnr_db() + 2) << "one split alone would decide";
    EXPECT_EQ(asked.splits, 5);
    EXPECT_EQ(best.splits, 5);
    EXPECT_EQ(asked.accuracy.sample_db.size(), 5u);
}

/// Samples that come slowly once the first recipe was judged.
class SlowSamples final : public SampleSource {
public:
    explicit SlowSamples(SampleSourcePtr samples) : samples_(std::move(samples)) {}
    std::size_t size() const override { return samples_->size(); }
    NamedValues at(std::size_t index, const CancelToken& cancel) const override {
        if (is_slow) std::this_thread::sleep_for(std::chrono::milliseconds(200));
        return samples_->at(index, cancel);
    }
    std::atomic<bool> is_slow = false;

private:
    SampleSourcePtr samples_;
};

TEST(SearchRecipes, EndsByTheClockWhateverATrialTakes) {
    const Model model = model_of(convolutions);
    const auto samples = std::make_shared<SlowSamples>(samples_for(model, 500));
    QuantizeOptions options{.mode = QuantizeMode::static_qdq};
    options.calibration.settled_samples = 0;
    const auto begin = std::chrono::steady_clock::now();
    const auto slow = [&](const RecipeTrial&, const QuantizeResult*) { samples->is_slow = true; };
    const SearchResult found = search_recipes(model, options, samples, 2, {}, slow);
    EXPECT_TRUE(found.stopped);
    EXPECT_GT(found.best.quantized, 0u);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30))
        << "a recipe would take 100 s";
}

TEST(SearchRecipes, WhatIsTooLargeInFloatKeepsItsWeightInIntegers) {
    // Nearly all weights are in the product that costs most: its input has a channel two hundred
    // times the others.
    std::string scale = "{200.0";
    for (int i = 1; i < 64; ++i) scale += ",1.0";
    const Model model =
        model_of("(x: f32[n,64]) -> (y)\na = Tanh(x)\nb = Mul(a, s: f32[64]" + scale +
                 "})\nc = Sigmoid(b)\nd = Sub(b, c)\ne = MatMul(d, w1: f32[64,256])\nf = Tanh(e)\n"
                 "y = MatMul(f, w2: f32[256,4])");
    const SearchResult found =
        search_recipes(model, {.mode = QuantizeMode::static_qdq}, samples_for(model, 20));
    const auto alone = std::ranges::find(found.trials, "most sensitive node with its weight alone",
                                         &RecipeTrial::name);
    ASSERT_NE(alone, found.trials.end());
    EXPECT_EQ(alone->options.weights_alone.size(), 1u);
    EXPECT_TRUE(alone->failure.empty()) << alone->failure;
    EXPECT_GT(alone->sqnr_db, found.trials[0].sqnr_db + 3);
}

TEST(SearchRecipes, ACancelKeepsTheBestSoFar) {
    const Model model = model_of(convolutions);
    const auto samples = samples_for(model, 10);
    const CancelToken cancel;
    std::vector<double> seen;
    const SearchResult stopped =
        search_recipes(model, {.mode = QuantizeMode::static_qdq}, samples, 0, {cancel, {}},
                       [&](const RecipeTrial& trial, const QuantizeResult*) {
                           seen.push_back(trial.sqnr_db);
                           if (seen.size() == 2) cancel.cancel();
                       });
    EXPECT_TRUE(stopped.stopped);
    ASSERT_EQ(stopped.trials.size(), 2u);
    EXPECT_EQ(stopped.trials[stopped.best_trial].sqnr_db, std::max(seen[0], seen[1]));
    EXPECT_GT(stopped.best.quantized, 0u);
    EXPECT_THROW(search_recipes(model, {}, samples, 0, {cancel, {}}), Error)
        << "before anything was tried";
}

TEST(TimeLimit, CancelsWhenItIsOverOrTheCallerDoes) {
    const auto wait_for = [](const CancelToken& token) {
        while (!token.is_cancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    const CancelToken mine;
    TimeLimit over(0.02, mine);
    wait_for(over.token());
    EXPECT_TRUE(over.is_over());
    EXPECT_FALSE(mine.is_cancelled());
    TimeLimit reserved(1000, mine);
    EXPECT_FALSE(reserved.is_over());
    reserved.reserve(1000);
    wait_for(reserved.token());
    TimeLimit long_one(1000, mine), none(0, mine);
    mine.cancel();
    wait_for(long_one.token());
    EXPECT_FALSE(long_one.is_over());
    EXPECT_TRUE(none.token().is_cancelled()) << "the caller's own";
    EXPECT_FALSE(none.is_over());
}

}  // namespace
}  // namespace lapidary
