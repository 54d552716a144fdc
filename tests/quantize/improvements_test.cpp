// SPDX-License-Identifier: Apache-2.0
// Smoothing with a share for each input, compensated rounding of recurrent weights: each on a model
// that needs it.
#include <gtest/gtest.h>

#include <algorithm>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/quantize/quantize.h>

#include "quantize/quantize_parts.h"

namespace lapidary {
namespace {

Model model_of(const std::string& text) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(text, {.opset = 17});
    infer_types(model);
    return model;
}

SampleSourcePtr samples_for(const Model& model, std::size_t count, std::uint64_t seed = 1) {
    return generated_samples(std::make_shared<const Model>(model), count, seed);
}

double sqnr(const Model& original, const Model& quantized) {
    return evaluate_quantized(std::make_shared<const Model>(original),
                              std::make_shared<const Model>(quantized),
                              *samples_for(original, 12, 99), 1)
        .sqnr_db();
}

std::size_t count_of(const Model& model, const std::string& op) {
    std::size_t count = 0;
    for (NodeId id : model.graph.nodes()) count += model.graph.node(id).op_type == op;
    return count;
}

/// "{1.0,...}" with `large` at every twentieth place from the third on.
std::string scales(const std::string& large) {
    std::string text = "{1.0";
    for (int i = 1; i < 64; ++i) text += i % 20 == 3 ? "," + large : ",1.0";
    return text + "}";
}

TEST(SmoothingByInput, FindsTheShareOfAnOutlier) {
    const Model model = model_of("(x: f32[n,64]) -> (y)\nl = LayerNormalization(x, g: f32[64]" +
                                 scales("200.0") + ", b: f32[64])\ny = MatMul(l, w: f32[64,16])");
    const auto samples = samples_for(model, 10);
    const double plain = sqnr(model, quantize_model(model, {}, samples.get()).model);
    const double half = sqnr(model, quantize_model(model, {.smoothing = 0.5}, samples.get()).model);
    const QuantizeResult by_input =
        quantize_model(model, {.smoothing_by_input = true}, samples.get());
    EXPECT_GT(sqnr(model, by_input.model), plain + 3);
    EXPECT_GT(sqnr(model, by_input.model), half - 1);
    EXPECT_EQ(count_of(by_input.model, "Mul"),
              count_of(quantize_model(model, {}, samples.get()).model, "Mul"))
        << "folded into the normalization";
}

TEST(SmoothingByInput, TakesInTheInputOfAnLstm) {
    const std::string scaled =
        "(x: f32[6,n,64]) -> (y)\nt = Mul(x, g: f32[64]" + scales("50.0") + ")\nu = Identity(t)";
    const Model model =
        model_of(scaled +
                 "\na, h, c = LSTM(u, w: f32[2,32,64], r: f32[2,32,8]) {hidden_size: 8, "
                 "direction: \"bidirectional\"}\ny = Identity(a)");
    const auto samples = samples_for(model, 20);
    const double plain = sqnr(model, quantize_model(model, {}, samples.get()).model);
    for (const QuantizeOptions& options :
         {QuantizeOptions{.smoothing_by_input = true}, QuantizeOptions{.smoothing = 0.5}}) {
        const QuantizeResult smoothed = quantize_model(model, options, samples.get());
        EXPECT_EQ(count_of(smoothed.model, "DynamicQuantizeLSTM"), 1u);
        EXPECT_GT(sqnr(model, smoothed.model), plain + 3);
    }
    const QuantizeResult kept =
        quantize_model(model, {.smoothing = 0.5, .keep_float = {"LSTM"}}, samples.get());
    EXPECT_EQ(count_of(kept.model, "Mul"), 1u) << "nothing is rounded behind it";
}

TEST(SmoothingByInput, AddsNoNodeThatGainsNothing) {
    const Model model =
        model_of("(x: f32[n,64]) -> (y)\nt = Tanh(x)\ny = MatMul(t, w: f32[64,16])");
    const auto samples = samples_for(model, 10);
    const QuantizeResult by_input =
                             quantize_model(model, {.smoothing_by_input = true}, samples.get()),
                         by_half = quantize_model(model, {.smoothing = 0.5}, samples.get());
    EXPECT_EQ(count_of(by_half.model, "Mul"), count_of(by_input.model, "Mul") + 1);
    EXPECT_THROW(quantize_model(model, {.smoothing_by_input = true}), Error) << "it needs samples";
}

TEST(SmoothingByInput, IsNoWorseThanNoneWhereFewRowsAreSeen) {
    // A dozen rows say little of what 784 channels reach: divided by their peaks, all other rows
    // leave the range.
    const Model model = model_of(
        "(x: f32[n,784]) -> (y)\na = Gemm(x, w1: f32[256,784], b1: f32[256]) {transB: 1}\nb = "
        "Relu(a)\n"
        "c = Gemm(b, w2: f32[128,256], b2: f32[128]) {transB: 1}\nd = Relu(c)\n"
        "y = Gemm(d, w3: f32[10,128], b3: f32[10]) {transB: 1}");
    for (const std::size_t count : {2, 4, 12, 40})
        for (QuantizeMode mode : {QuantizeMode::static_qdq, QuantizeMode::dynamic}) {
            const auto samples = samples_for(model, count);
            const double plain =
                sqnr(model, quantize_model(model, {.mode = mode}, samples.get()).model);
            const QuantizeResult by_input =
                quantize_model(model, {.mode = mode, .smoothing_by_input = true}, samples.get());
            EXPECT_GT(sqnr(model, by_input.model), plain - 0.5) << name_of(mode) << " " << count;
        }
}

TEST(SmoothingByInput, TakesMoreThanOneSample) {
    const Model model = model_of("(x: f32[n,64]) -> (y)\nl = LayerNormalization(x, g: f32[64]" +
                                 scales("200.0") + ", b: f32[64])\ny = MatMul(l, w: f32[64,16])");
    const auto one = samples_for(model, 1);
    EXPECT_EQ(sqnr(model, quantize_model(model, {.smoothing_by_input = true}, one.get()).model),
              sqnr(model, quantize_model(model, {}, one.get()).model));
}

TEST(CompensatedRounding, TakesInRecurrentWeights) {
    // Inputs of the LSTM are correlated: only then can one rounding compensate for another.
    const Model model = model_of(
        "(x: f32[6,n,4]) -> (y)\np = MatMul(x, m: f32[4,24])\nt = Tanh(p)\na, h, c = LSTM(t, w: "
        "f32[2,64,24], r: "
        "f32[2,64,16]) {hidden_size: 16, direction: \"bidirectional\"}\ny = Identity(a)");
    const auto samples = samples_for(model, 24);
    const QuantizeOptions plain{.keep_float = {"MatMul"}};
    QuantizeOptions compensated = plain;
    compensated.compensated_rounding = true;
    const QuantizeResult made = quantize_model(model, compensated, samples.get());
    EXPECT_TRUE(std::ranges::any_of(made.notes, [](const std::string& note) {
        return note.find("of 2 of 2 products") != std::string::npos;
    })) << made.notes.back();
    EXPECT_EQ(count_of(made.model, "DynamicQuantizeLSTM"), 1u);
    EXPECT_GT(sqnr(model, made.model),
              sqnr(model, quantize_model(model, plain, samples.get()).model) + 0.5);
    compensated.keep_float = {"LSTM", "MatMul"};
    EXPECT_EQ(count_of(quantize_model(model, compensated, samples.get()).model, "LSTM"), 1u);
}

TEST(SmoothingByInput, ScalesRowsOfWeightsInBlocks) {
    const Model model = model_of("(x: f32[n,64]) -> (y)\nl = LayerNormalization(x, g: f32[64]" +
                                 scales("60.0") + ", b: f32[64])\ny = MatMul(l, w: f32[64,16])");
    const auto samples = samples_for(model, 10);
    const auto with = [&](bool scaled, bool fitted) {
        return quantize_model(model,
                              {.mode = QuantizeMode::weights,
                               .fitted_blocks = fitted,
                               .smoothing_by_input = scaled},
                              samples.get())
            .model;
    };
    for (const bool fitted : {false, true}) {
        EXPECT_GT(sqnr(model, with(true, fitted)),
                  sqnr(model, with(false, fitted)) + (fitted ? 0.5 : 2))
            << fitted;
        EXPECT_EQ(count_of(with(true, fitted), "Mul"), 0u) << "folded into the normalization";
    }
}

TEST(SmoothingByInput, GoesThroughTheLinearPartOfAGatedUnit) {
    Model model = model_of(
        "(x: f32[n,64]) -> (y)\ng = MatMul(x, wg: f32[64,48])\ns = Sigmoid(g)\nu = MatMul(x, wu: "
        "f32[64,48])\nm = Mul(s, u)\ny = MatMul(m, wd: f32[48,16])");
    const ValueId linear = model.graph.find_value("wu");
    Tensor loud = model.graph.value(linear).constant->clone();
    for (std::size_t i = 0; i < 64 * 48; ++i)
        if (i % 48 % 20 == 3) loud.mutable_data<float>()[i] *= 60;
    GraphEdit edit(model.graph, "test");
    edit.set_constant(linear, loud);
    edit.finish();
    const auto samples = samples_for(model, 10);
    const QuantizeOptions plain{
        .mode = QuantizeMode::weights, .block = 16, .keep_float = {"g", "u"}};
    QuantizeOptions scaled = plain;
    scaled.smoothing_by_input = true;
    const QuantizeResult made = quantize_model(model, scaled, samples.get());
    EXPECT_GT(sqnr(model, made.model),
              sqnr(model, quantize_model(model, plain, samples.get()).model) + 2);
    EXPECT_EQ(count_of(made.model, "Mul"), 1u) << "folded into the weight of the linear part";
    const QuantizeResult whole = quantize_parts(model, scaled, QuantizedParts::none, samples.get());
    EXPECT_GT(sqnr(model, whole.model), 90);
}

}  // namespace
}  // namespace lapidary
