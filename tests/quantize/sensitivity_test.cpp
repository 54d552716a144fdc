// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include <lapidary/error.h>
#include <lapidary/graph_text.h>
#include <lapidary/infer.h>
#include <lapidary/pareto.h>
#include <lapidary/sensitivity.h>

#include "support/test_data.h"

namespace lapidary {
namespace {

constexpr double agreement_db = 2;  // of predicted and measured curves

Model model_of(const std::string& text) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(text, {.opset = 17});
    infer_types(model);
    return model;
}

/// Five products side by side, summed up; one input channel of the third has values a hundred times the others.
Model model_with_outlier() {
    std::string scale = "{1.0";
    for (int i = 1; i < 32; ++i) scale += i == 7 ? ",200.0" : ",1.0";
    return model_of(
        "(x: f32[n,32]) -> (y)\na = MatMul(x, w1: f32[32,16])\nb = Tanh(x)\nc = MatMul(b, w2: f32[32,16])\n"
        "d = Mul(x, s: f32[32]" +
        scale + "})\ne = MatMul(d, w3: f32[32,16])\nf = Add(a, c)\ny = Add(f, e)");
}

SampleSourcePtr samples_for(const Model& model, std::size_t count) {
    return generated_samples(std::make_shared<const Model>(model), count, 1);
}

TEST(Sensitivity, RanksTheOutlierFirstAndAddsNoise) {
    const Model model = model_with_outlier();
    const auto samples = samples_for(model, 20);
    for (QuantizeMode mode : {QuantizeMode::static_qdq, QuantizeMode::dynamic}) {
        const Sensitivity found = rank_sensitivity(model, {.mode = mode}, samples);
        ASSERT_EQ(found.groups.size(), 3u) << name_of(mode);
        EXPECT_TRUE(found.complete);
        EXPECT_EQ(found.groups[0].names, std::vector<std::string>{"y"})
            << "a product and the sum behind it are one Gemm";
        EXPECT_LT(found.groups[0].alone_db, found.groups[1].alone_db - 3);
        EXPECT_GT(found.groups[0].share, 0.5);
        double shares = 0;
        for (const NodeSensitivity& group : found.groups) shares += group.share;
        EXPECT_NEAR(shares, 1, 1e-9);
        ASSERT_EQ(found.curve.size(), 3u);
        std::size_t measured = 0;
        for (const SensitivityPoint& point : found.curve)
            if (point.measured_db) {
                EXPECT_NEAR(point.predicted_db, *point.measured_db, agreement_db) << name_of(mode) << point.kept;
                ++measured;
            }
        EXPECT_GE(measured, 2u);
    }
}

TEST(Sensitivity, KeepsNodesFloatUntilTheFloorIsMetOrSaysSo) {
    const Model model = model_with_outlier();
    const auto samples = samples_for(model, 20);
    const QuantizeOptions options{.mode = QuantizeMode::static_qdq};
    const Sensitivity found = rank_sensitivity(model, options, samples);
    const double all = *found.curve[0].measured_db, without_worst = *found.curve[1].measured_db;
    ASSERT_GT(without_worst, all + 3);
    const FloorResult easy = keep_float_until(model, options, samples, found, all - 1);
    EXPECT_TRUE(easy.reached);
    EXPECT_EQ(easy.kept, 0u);
    const FloorResult middle = keep_float_until(model, options, samples, found, (all + without_worst) / 2);
    EXPECT_TRUE(middle.reached);
    EXPECT_EQ(middle.kept, 1u);
    EXPECT_EQ(middle.options.keep_float, std::vector<std::string>{"y"});
    const FloorResult hopeless = keep_float_until(model, options, samples, found, 300);
    EXPECT_FALSE(hopeless.reached);
    EXPECT_GE(hopeless.sqnr_db, without_worst - 1) << "the best of those tried";
}

TEST(Sensitivity, ProductsOfOneInputAreOneGroup) {
    const Model model = model_of(
        "(x: f32[n,32]) -> (y)\nh = Tanh(x)\na = MatMul(h, w1: f32[32,16])\nb = MatMul(h, w2: f32[32,16])\n"
        "c = Mul(a, b)\ny = MatMul(c, w3: f32[16,4])");
    const Sensitivity found = rank_sensitivity(model, {.mode = QuantizeMode::static_qdq}, samples_for(model, 20));
    ASSERT_EQ(found.groups.size(), 2u);
    EXPECT_EQ(found.groups[0].names.size() + found.groups[1].names.size(), 3u);
}

TEST(Sensitivity, ABudgetAndBadModelsAreTold) {
    const Model model = model_with_outlier();
    const auto samples = samples_for(model, 10);
    const Sensitivity some = rank_sensitivity(model, {}, samples, {.budget_seconds = 1e-9});
    EXPECT_EQ(some.groups.size(), 1u);
    EXPECT_FALSE(some.complete);
    EXPECT_EQ(some.untried, 2u);
    EXPECT_THROW(rank_sensitivity(model, {}, samples_for(model, 1)), Error);
    const Model nothing = model_of("(x: f32[n,4]) -> (y)\ny = Relu(x)");
    EXPECT_THROW(rank_sensitivity(nothing, {}, samples_for(nothing, 10)), Error);
}

TEST(Diagnosis, TellsActivationsFromWeights) {
    const Model model = model_with_outlier();
    const auto samples = samples_for(model, 20);
    const QuantizeDiagnosis found = diagnose_quantization(model, {}, samples);
    EXPECT_GT(found.weights_db, found.activations_db + 3) << "one channel takes the whole range of activations";
    EXPECT_LE(found.both_db, found.activations_db + 1);
    EXPECT_NE(found.sentence().find("activations cost most"), std::string::npos) << found.sentence();
}

TEST(Pareto, KeepsWhatNoOtherBeats) {
    const std::vector<ParetoPoint> points{{100, 10, 30}, {100, 10, 30},     {120, 10, 25}, {100, 12, 35},
                                          {50, 9, 20},   {100, 10.1, 30.5}, {40, 20, 10}};
    EXPECT_EQ(pareto_front(points), (std::vector<std::size_t>{6, 4, 5, 3}));
    EXPECT_TRUE(pareto_front({}).empty());
    const std::vector<ParetoPoint> equal{{1, 1, 1}, {1, 1, 1}, {1, 1.01, 1}};
    EXPECT_EQ(pareto_front(equal), std::vector<std::size_t>{0}) << "of equals the first; times within noise are equal";
}

}  // namespace
}  // namespace lapidary
