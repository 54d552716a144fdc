// SPDX-License-Identifier: Apache-2.0
// Residual streams in another base: the same function in float, and weights without large channels.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/generation/text_quality.h>
#include <lapidary/graph/graph_edit.h>

#include "quantize/quantize_parts.h"
#include "quantize/quantized_models.h"
#include "quantize/rotation/residual_stream.h"
#include "quantize/rotation/rotate_residuals.h"
#include "samples/llama.h"

namespace lapidary {
namespace {

/// Two layers of a decoder without attention: RMSNorm as exporters write it, and as one operator.
const std::string two_layers =
    "(x: f32[n,16]) -> (y)\n"
    "start = MatMul(x, first: f32[16,48])\n"
    "squares = Mul(start, start)\n"
    "mean = ReduceMean(squares, axes: i64[1]{-1}) {keepdims: 1}\n"
    "moved = Add(mean, epsilon: f32[1]{0.00001})\n"
    "root = Sqrt(moved)\n"
    "inverse = Reciprocal(root)\n"
    "normed = Mul(start, inverse)\n"
    "scaled = Mul(gain: f32[48], normed)\n"
    "up = MatMul(scaled, w1: f32[48,64])\n"
    "active = Tanh(up)\n"
    "down = MatMul(active, w2: f32[64,48])\n"
    "shifted = Add(down, bias: f32[48])\n"
    "sum = Add(start, shifted)\n"
    "last = SimplifiedLayerNormalization(sum, gain2: f32[48]) {axis: -1}\n"
    "y = MatMul(last, head: f32[48,24])";

const QuantizeOptions rotated{.mode = QuantizeMode::weights, .block = 16, .rotation = 3};

std::vector<std::string> declined_of(const std::string& text) {
    std::vector<std::string> declined;
    const Model model = model_of(text, 18);
    EXPECT_TRUE(residual_streams(model.graph, declined).empty());
    return declined;
}

std::string with(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

bool says(const QuantizeResult& made, std::string_view text) {
    return std::ranges::any_of(
        made.notes, [&](const std::string& note) { return note.find(text) != std::string::npos; });
}

TEST(Rotation, IsOrthonormal) {
    for (const std::size_t length : {std::size_t{64}, std::size_t{48}}) {
        const HadamardRotation rotation(length, 5), other(length, 6);
        EXPECT_EQ(rotation.block(), length == 64 ? 64u : 16u);
        std::vector<std::vector<double>> rows;
        for (std::size_t i = 0; i < length; ++i) {
            std::vector<double> row(length, 0);
            row[i] = 1;
            rotation.apply(row);
            rows.push_back(row);
        }
        for (std::size_t i = 0; i < length; ++i)
            for (std::size_t j = 0; j < length; ++j) {
                double product = 0;
                for (std::size_t k = 0; k < length; ++k) product += rows[i][k] * rows[j][k];
                EXPECT_NEAR(product, i == j ? 1 : 0, 1e-12) << i << ' ' << j;
            }
        std::vector<double> ones(length, 1), others(length, 1);
        rotation.apply(ones);
        other.apply(others);
        EXPECT_NE(ones, others) << "other signs of another seed";
    }
}

TEST(Rotation, LeavesTheFloatModelAsItWas) {
    const Model model = model_of(two_layers, 18);
    std::vector<std::string> declined;
    const std::vector<ResidualStream> streams = residual_streams(model.graph, declined);
    ASSERT_EQ(streams.size(), 1u) << (declined.empty() ? "" : declined[0]);
    EXPECT_EQ(streams[0].width, 48);
    EXPECT_EQ(streams[0].writers.size(), 2u);
    EXPECT_EQ(streams[0].readers.size(), 2u);
    EXPECT_EQ(streams[0].vectors.size(), 1u);
    const QuantizeResult made = quantize_parts(model, rotated, QuantizedParts::none, nullptr);
    EXPECT_GT(sqnr(model, made.model), 100);
    EXPECT_TRUE(says(made, "rotated 48 channels"));
    QuantizeOptions plain = rotated;
    plain.rotation = 0;
    const QuantizeResult other = quantize_parts(model, plain, QuantizedParts::none, nullptr);
    EXPECT_EQ(operators(made.model).count("Mul") + 1, operators(other.model).count("Mul"))
        << "its gain is in the weights";
    const ValueId head = made.model.graph.find_value("head");
    ASSERT_TRUE(head);
    const Tensor &before = *model.graph.value(model.graph.find_value("head")).constant,
                 &after = *made.model.graph.value(head).constant;
    EXPECT_FALSE(std::ranges::equal(before.data<float>(), after.data<float>()));
}

/// A block with one large row loses the others; spread over all rows it is large nowhere.
TEST(Rotation, HelpsWhereARowOfAWeightStandsOut) {
    Model model = model_of(two_layers, 18);
    const ValueId head = model.graph.find_value("head");
    Tensor values = model.graph.value(head).constant->clone();
    const auto all = values.mutable_data<float>();
    for (std::size_t i = 7 * 24; i < 8 * 24; ++i) all[i] *= 40;
    GraphEdit edit(model.graph, "outlier");
    edit.set_constant(head, values);
    edit.finish();
    QuantizeOptions plain = rotated;
    plain.rotation = 0;
    const auto decibels = [&](const QuantizeOptions& options) {
        return sqnr(model, reloaded(quantize_model(model, options).model));
    };
    EXPECT_GT(decibels(rotated), decibels(plain) + 3);
}

/// As ONNX Runtime's builder of generative models writes decoders: sums within normalizations.
TEST(Rotation, TakesTheSampleOfLlamaWithItsCaches) {
    const auto model = std::make_shared<Model>(samples::llama({.name = "small",
                                                               .layers = 2,
                                                               .width = 32,
                                                               .inner = 64,
                                                               .heads = 4,
                                                               .key_heads = 2,
                                                               .vocabulary = 97,
                                                               .positions = 64},
                                                              3));
    std::vector<std::string> declined;
    const std::vector<ResidualStream> streams = residual_streams(model->graph, declined);
    ASSERT_EQ(streams.size(), 1u) << (declined.empty() ? "" : declined[0]);
    EXPECT_EQ(streams[0].tables.size(), 1u);
    EXPECT_EQ(streams[0].writers.size(), 4u) << "attention and unit of each layer";
    EXPECT_EQ(streams[0].readers.size(), 7u);
    EXPECT_EQ(streams[0].gain_inputs.size(), 5u);
    const auto turned = std::make_shared<Model>(
        quantize_parts(*model, rotated, QuantizedParts::none, nullptr).model);
    std::vector<std::int64_t> tokens;
    for (std::int64_t i = 0; i < 60; ++i) tokens.push_back((i * i * 7 + 11) % 97);
    Generator mine = Generator::compile(turned), theirs = Generator::compile(model);
    const TextQuality found = measure_text_quality(mine, &theirs, tokens, {.window = 30});
    EXPECT_LT(found.divergence->kl.mean, 1e-8);
    EXPECT_EQ(found.divergence->changed, 0);
}

TEST(Rotation, SaysWhyItIsDeclined) {
    const auto expect = [](const std::string& text, const char* reason) {
        const std::vector<std::string> declined = declined_of(text);
        ASSERT_FALSE(declined.empty()) << reason;
        EXPECT_NE(declined[0].find(reason), std::string::npos) << declined[0];
    };
    expect(
        "(x: f32[n,16]) -> (y)\na = MatMul(x, w: f32[16,32])\nb = LayerNormalization(a, g: "
        "f32[32], c: f32[32])\ny = MatMul(b, v: f32[32,8])",
        "subtracts the mean");
    expect(with(two_layers, "sum = Add(start, shifted)",
                "other = Tanh(start)\nsum = Add(other, shifted)"),
           "through which no rotation passes");
    expect(with(two_layers, ") -> (y)", ") -> (y, sum)"), "is an output of the model");
    expect(with(two_layers, "y = MatMul(last", "z = Tanh(last)\ny = MatMul(z"),
           "through which no rotation passes");
    const QuantizeResult none =
        quantize_parts(model_of(products), rotated, QuantizedParts::none, nullptr);
    EXPECT_TRUE(says(none, "no normalization by mean squares"));
}

}  // namespace
}  // namespace lapidary
