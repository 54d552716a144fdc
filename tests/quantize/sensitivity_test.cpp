// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/quantize/pareto.h>
#include <lapidary/quantize/sensitivity.h>
#include <lapidary/exec/session.h>

#include "quantize/inspect/output_errors.h"
#include "quantize/inspect/sensitivity_curve.h"
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

/// Five products side by side, summed up; one input channel of the third has values a hundred times
/// the others.
Model model_with_outlier() {
    std::string scale = "{1.0";
    for (int i = 1; i < 32; ++i) scale += i == 7 ? ",200.0" : ",1.0";
    return model_of(
        "(x: f32[n,32]) -> (y)\na = MatMul(x, w1: f32[32,16])\nb = Tanh(x)\nc = MatMul(b, w2: "
        "f32[32,16])\n"
        "d = Mul(x, s: f32[32]" +
        scale + "})\ne = MatMul(d, w3: f32[32,16])\nf = Add(a, c)\ny = Add(f, e)");
}

SampleSourcePtr samples_for(const Model& model, std::size_t count) {
    return generated_samples(std::make_shared<const Model>(model), count, 1);
}

/// The column of the largest element of each row.
Tensor answers_of(const Tensor& scores) {
    const std::int64_t rows = scores.dim(0), columns = scores.dim(1);
    Tensor answers(DType::i64, {rows});
    for (std::int64_t r = 0; r < rows; ++r) {
        const auto row = scores.data<float>().subspan(static_cast<std::size_t>(r * columns),
                                                      static_cast<std::size_t>(columns));
        answers.mutable_data<std::int64_t>()[static_cast<std::size_t>(r)] =
            std::ranges::max_element(row) - row.begin();
    }
    return answers;
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
                EXPECT_NEAR(point.predicted_db, *point.measured_db, agreement_db)
                    << name_of(mode) << point.kept;
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
    const FloorResult easy = keep_float_until(model, options, samples, found, {.bound = all - 1});
    EXPECT_TRUE(easy.reached);
    EXPECT_EQ(easy.kept, 0u);
    const FloorResult middle =
        keep_float_until(model, options, samples, found, {.bound = (all + without_worst) / 2});
    EXPECT_TRUE(middle.reached);
    EXPECT_EQ(middle.kept, 1u);
    EXPECT_EQ(middle.options.keep_float, std::vector<std::string>{"y"});
    const FloorResult hopeless = keep_float_until(model, options, samples, found, {.bound = 300});
    EXPECT_FALSE(hopeless.reached);
    EXPECT_GE(hopeless.sqnr_db, without_worst - 1) << "the best of those tried";
}

TEST(Sensitivity, FloorsOfChangedAnswersAndOfLabels) {
    const Model model = model_with_outlier();
    const auto samples = samples_for(model, 400);
    const QuantizeOptions options{.mode = QuantizeMode::static_qdq};
    const Sensitivity found = rank_sensitivity(model, options, samples);
    using Measure = AccuracyFloor::Measure;
    const auto original = std::make_shared<const Model>(Model(model));
    const auto changed = [&](const QuantizeOptions& tried) {
        const auto [learned, judged] = split_samples(samples);
        const QuantizeResult made = quantize_model(model, tried, learned.get());
        return floor_value(
            {.measure = Measure::flips},
            evaluate_quantized(original, std::make_shared<const Model>(Model(made.model)),
                               *judged));
    };
    const double all = changed(options);
    ASSERT_GT(all, 0) << "else there is nothing to reach";
    const FloorResult loose =
        keep_float_until(model, options, samples, found, {Measure::flips, all});
    EXPECT_TRUE(loose.reached);
    EXPECT_EQ(loose.kept, 0u);
    const FloorResult strict =
        keep_float_until(model, options, samples, found, {Measure::flips, all / 2});
    EXPECT_TRUE(strict.reached);
    EXPECT_GE(strict.kept, 1u);
    EXPECT_DOUBLE_EQ(strict.value, changed(strict.options));

    Labels labels;  // what the float model says, so that each changed answer is a wrong one
    Session session = Session::compile(original, {});
    for (std::size_t i = 0; i < samples->size(); ++i) {
        const Tensor scores = session.run(samples->at(i)).outputs.at(0).second.tensor();
        labels.values.push_back(answers_of(scores));
    }
    const FloorResult labelled =
        keep_float_until(model, options, samples, found, {Measure::top1, all / 2}, &labels);
    EXPECT_TRUE(labelled.reached);
    EXPECT_LE(labelled.value, all / 2);
    EXPECT_THROW(keep_float_until(model, options, samples, found, {Measure::top1, 0.1}), Error);
}

TEST(AccuracyFloor, IsReadAsItIsWritten) {
    using Measure = AccuracyFloor::Measure;
    EXPECT_EQ(accuracy_floor_from("30"), (AccuracyFloor{Measure::sqnr, 30}));
    EXPECT_EQ(accuracy_floor_from("sqnr=27.5"), (AccuracyFloor{Measure::sqnr, 27.5}));
    EXPECT_EQ(accuracy_floor_from("flips=0.5%"), (AccuracyFloor{Measure::flips, 0.005}));
    EXPECT_EQ(accuracy_floor_from("flips=0"), (AccuracyFloor{Measure::flips, 0}));
    EXPECT_EQ(accuracy_floor_from("top1=-1%"), (AccuracyFloor{Measure::top1, 0.01}));
    EXPECT_EQ(accuracy_floor_from("top1=-0.02").text_of(0.02), "2 % of top-1 lost");
    for (const char* text : {"", "=", "nan", "inf", "sqnr=", "sqnr=x", "flips=-1%", "flips=101%",
                             "top1=1%", "top5=-1%", "30 dB", "flips=0.5%%"})
        EXPECT_THROW(accuracy_floor_from(text), Error) << text;
}

TEST(Sensitivity, ProductsOfOneInputAreOneGroup) {
    const Model model = model_of(
        "(x: f32[n,32]) -> (y)\nh = Tanh(x)\na = MatMul(h, w1: f32[32,16])\nb = MatMul(h, w2: "
        "f32[32,16])\n"
        "c = Mul(a, b)\ny = MatMul(c, w3: f32[16,4])");
    const Sensitivity found =
        rank_sensitivity(model, {.mode = QuantizeMode::static_qdq}, samples_for(model, 20));
    ASSERT_EQ(found.groups.size(), 2u);
    EXPECT_EQ(found.groups[0].names.size() + found.groups[1].names.size(), 3u);
}

NodeSensitivity group_of(double alone_db) {
    NodeSensitivity group;
    group.alone_db = alone_db;
    return group;
}

TEST(SensitivityCurve, WhatNeighboursShareCountsOnce) {
    const std::vector<NodeSensitivity> groups{group_of(10), group_of(10), group_of(40)};
    const auto added = SensitivityCurve(groups, {}, std::nullopt).points();
    EXPECT_NEAR(added[0].predicted_db, 10 - 10 * std::log10(2), 0.01);
    const auto once = SensitivityCurve(groups, {{0, 1, 0.1}}, std::nullopt).points();
    EXPECT_NEAR(once[0].predicted_db, 10, 0.01) << "both round the same value and little else";
    EXPECT_NEAR(once[1].predicted_db, 10, 0.01) << "the second still does";
    EXPECT_NEAR(once[2].predicted_db, 40, 1e-9);
    const auto half = SensitivityCurve(groups, {{0, 1, 0.05}}, std::nullopt).points();
    EXPECT_NEAR(half[0].predicted_db, 10 - 10 * std::log10(1.5), 0.01);
}

TEST(OutputErrors, SayHowAlikeErrorsAre) {
    const auto with = [](const std::string& factor) {
        return model_of("(x: f32[n,4]) -> (y, z)\ny = Mul(x, one: f32[1]{" + factor +
                        "})\nz = Mul(x, ten: f32[1]{10.0})");
    };
    const Model model = with("1.0");
    const OutputErrors errors(model, samples_for(model, 5), 1, {});
    EXPECT_NEAR(cosine_similarity(errors.of(with("1.1")), errors.of(with("1.2"))), 1, 1e-6);
    EXPECT_NEAR(cosine_similarity(errors.of(with("1.1")), errors.of(with("0.9"))), -1, 1e-6);
    EXPECT_EQ(cosine_similarity(errors.of(with("1.1")), errors.of(model)), 0)
        << "an output without an error is like no other";
    EXPECT_EQ(cosine_similarity({1, 2}, {1}), 0);
}

TEST(Sensitivity, APairBetweenTwoConvolutionsCountsOnce) {
    // One channel between the first two has values two hundred times the others: quantizing either
    // of them alone loses the other channels.
    const Model model = model_of(
        "(x: f32[n,4,6,6]) -> (y)\na = Conv(x, w1: f32[4,1,1,1]{200.0,1.0,-1.0,1.0}) {group: 4}\nr "
        "= Relu(a)\n"
        "b = Conv(r, w2: "
        "f32[4,4,1,1]{0.005,1.0,0.5,0.2,0.0,1.0,-0.7,0.9,0.001,-0.4,1.0,0.6,0.0,0.3,0.8,-1.0})\n"
        "s = Relu(b)\nc = Conv(s, w3: f32[3,4,1,1])\nt = Tanh(c)\ny = Conv(t, w4: f32[2,3,1,1])");
    const Sensitivity found =
        rank_sensitivity(model, {.mode = QuantizeMode::static_qdq}, samples_for(model, 40));
    ASSERT_EQ(found.groups.size(), 4u);
    EXPECT_NEAR(found.groups[0].alone_db, found.groups[1].alone_db, 1)
        << "the same value is lost in both";
    for (const SensitivityPoint& point : found.curve)
        if (point.measured_db) {
            EXPECT_NEAR(point.predicted_db, *point.measured_db, agreement_db) << point.kept;
        }
}

TEST(Sensitivity, AnEndOfTheBudgetAndBadModelsAreReported) {
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

TEST(Diagnosis, DistinguishesActivationsFromWeights) {
    const Model model = model_with_outlier();
    const auto samples = samples_for(model, 20);
    const QuantizeDiagnosis found = diagnose_quantization(model, {}, samples);
    EXPECT_GT(found.weights_db, found.activations_db + 3)
        << "one channel takes the whole range of activations";
    EXPECT_LE(found.both_db, found.activations_db + 1);
    EXPECT_NE(found.sentence().find("activations cost most"), std::string::npos)
        << found.sentence();
}

TEST(Pareto, KeepsWhatNoOtherBeats) {
    const std::vector<ParetoPoint> points{{100, 10, 30}, {100, 10, 30}, {120, 10, 25},
                                          {100, 12, 35}, {50, 9, 20},   {100, 10.1, 30.5},
                                          {40, 20, 10}};
    EXPECT_EQ(pareto_front(points), (std::vector<std::size_t>{6, 4, 5, 3}));
    EXPECT_TRUE(pareto_front({}).empty());
    const std::vector<ParetoPoint> equal{{1, 1, 1}, {1, 1, 1}, {1, 1.01, 1}};
    EXPECT_EQ(pareto_front(equal), std::vector<std::size_t>{0})
        << "of equals the first; times within noise are equal";
}

}  // namespace
}  // namespace lapidary
