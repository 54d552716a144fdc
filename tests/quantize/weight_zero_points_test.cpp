// SPDX-License-Identifier: Apache-2.0
// Weights of dynamic products with zero points of their own (QuantizeOptions::symmetric_weight).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/quantize/quantize.h>

#include "rewrite/quantized_weight.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

constexpr std::int64_t rows = 64, columns = 20;

/// Weights between -0.05 and 1, so that half of a symmetric range is never used.
Model skewed_model(const std::string& rest = "") {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(
        "(x: f32[n,64]) -> (y)\na = MatMul(x, w: f32[64,20])\ny = Relu(a)" + rest, {.opset = 17});
    infer_types(model);
    Tensor weight(DType::f32, {rows, columns});
    const auto to = weight.mutable_data<float>();
    for (std::size_t i = 0; i < to.size(); ++i)
        to[i] = 0.475f + 0.525f * std::sin(static_cast<float>(i * i % 1009));
    GraphEdit edit(model.graph, "weight");
    for (ValueId id : model.graph.initializers())
        if (model.graph.value(id).name == "w") edit.set_constant(id, weight);
    edit.finish();
    return model;
}

ModelPtr shared(const Model& model) { return std::make_shared<const Model>(Model(model)); }

double sqnr(const Model& original, const Model& quantized) {
    const TemporaryFolder folder;
    save_model(quantized, folder / "q.onnx");
    const SampleSourcePtr samples = generated_samples(shared(original), 64, 100);
    return evaluate_quantized(shared(original), shared(load_model(folder / "q.onnx")), *samples)
        .sqnr_db();
}

const Tensor& constant(const Model& model, const std::string& name) {
    for (ValueId id : model.graph.initializers())
        if (model.graph.value(id).name == name) return *model.graph.value(id).constant;
    throw std::runtime_error("no constant " + name);
}

TEST(WeightZeroPoints, UseTheWholeTypeForEachColumn) {
    const Model model = skewed_model();
    const Tensor& weight = constant(model, "w");
    for (bool fused : {false, true}) {
        const QuantizeResult made = quantize_model(model, {.fused_operators = fused});
        const Tensor &values = constant(made.model, "w_quantized"),
                     &scale = constant(made.model, "w_scale");
        const std::vector<std::int32_t> zero_points =
            stored_values(constant(made.model, "w_zero_point"));
        ASSERT_EQ(scale.shape(), Shape{columns});
        ASSERT_EQ(values.dtype(), DType::i8);
        for (std::int64_t c = 0; c < columns; ++c) {
            float low = 0, high = 0;
            for (std::int64_t r = 0; r < rows; ++r) {
                const float v = weight.data<float>()[static_cast<std::size_t>(r * columns + c)];
                low = std::min(low, v);
                high = std::max(high, v);
            }
            const auto at = static_cast<std::size_t>(c);
            EXPECT_FLOAT_EQ(scale.data<float>()[at], (high - low) / 255) << c;
            EXPECT_EQ(zero_points[at],
                      std::nearbyint(-128 - double(low) / ((double(high) - double(low)) / 255)))
                << c;
        }
        const QuantizeOptions symmetric{.symmetric_weight = true, .fused_operators = fused};
        const double with = sqnr(model, made.model),
                     without = sqnr(model, quantize_model(model, symmetric).model);
        EXPECT_GT(with, without + 0.8) << "the input's rounding stays";
    }
}

TEST(WeightZeroPoints, ReproduceWeightsThatWereRoundedWithCompensation) {
    const Model model = skewed_model();
    const SampleSourcePtr samples = generated_samples(shared(model), 512, 1);
    for (bool per_channel : {true, false}) {
        const QuantizeOptions plain{.per_channel = per_channel};
        QuantizeOptions compensated = plain;
        compensated.compensated_rounding = true;
        const Model one = quantize_model(model, plain).model,
                    other = quantize_model(model, compensated, samples.get()).model;
        EXPECT_TRUE(std::ranges::equal(constant(one, "w_scale").data<float>(),
                                       constant(other, "w_scale").data<float>()));
        EXPECT_EQ(stored_values(constant(one, "w_zero_point")),
                  stored_values(constant(other, "w_zero_point")));
        EXPECT_NE(stored_values(constant(one, "w_quantized")),
                  stored_values(constant(other, "w_quantized")));
        EXPECT_GE(sqnr(model, other), sqnr(model, one) - 0.5);
    }
}

TEST(WeightZeroPoints, OfOneTensorAndOfSevenBits) {
    const Model model = skewed_model();
    const Model whole = quantize_model(model, {.per_channel = false}).model;
    EXPECT_EQ(constant(whole, "w_zero_point").size(), 1);
    const Model reduced = quantize_model(model, {.reduced_range = true}).model;
    const std::vector<std::int32_t> values = stored_values(constant(reduced, "w_quantized"));
    const auto [least, most] = std::ranges::minmax(values);
    EXPECT_GE(least, -64);
    EXPECT_LE(most, 64);
    EXPECT_GT(sqnr(model, reduced), 25);
}

TEST(WeightZeroPoints, AreNotForConvolutions) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph =
        parse_graph("(x: f32[1,3,8,8]) -> (y)\ny = Conv(x, w: f32[4,3,3,3])", {.opset = 17});
    infer_types(model);
    const Model made = quantize_model(model, {}).model;
    EXPECT_EQ(stored_values(constant(made, "w_zero_point")), std::vector<std::int32_t>{128});
}

}  // namespace
}  // namespace lapidary
