// SPDX-License-Identifier: Apache-2.0
// Constants of masks: found where a Softmax follows, bounded where a range or float16 would have to
// hold them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/quantize/quantize.h>

#include "quantize/writers/bound_masks.h"

namespace lapidary {
namespace {

Model model_of(const std::string& text) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(text, {.opset = 17});
    infer_types(model);
    return model;
}

/// Attention over four tokens of which the mask leaves some out: scores, mask made of 0 and 1,
/// values.
std::string attention(const std::string& constant) {
    return "(q: f32[n,4,16], k: f32[n,16,4], m: f32[n,1,4], v: f32[n,4,16]) -> (y)\ns = MatMul(q, "
           "k)\no = Sub(one: "
           "f32[]{1.0}, m)\nb = Mul(o, c: f32[]{" +
           constant +
           "})\na = Add(s, b)\np = Softmax(a)\nt = MatMul(p, v)\n"
           "y = MatMul(t, w: f32[16,8])";
}

/// The first two tokens are never left out.
SampleSourcePtr masked_samples(std::size_t count) {
    std::mt19937 random(7);
    std::normal_distribution<float> normal(0, 1);
    const auto tensor = [&](Shape shape) {
        Tensor made(DType::f32, shape);
        std::ranges::generate(made.mutable_data<float>(), [&] { return normal(random); });
        return made;
    };
    std::vector<NamedValues> samples;
    for (std::size_t i = 0; i < count; ++i) {
        Tensor mask =
            Tensor::of<float>({1, 1, 4}, {1, 1, i % 2 ? 1.0f : 0.0f, i % 3 ? 1.0f : 0.0f});
        samples.push_back({{"q", tensor({1, 4, 16})},
                           {"k", tensor({1, 16, 4})},
                           {"m", std::move(mask)},
                           {"v", tensor({1, 4, 16})}});
    }
    return given_samples(std::move(samples));
}

double sqnr(const Model& original, const Model& quantized) {
    return evaluate_quantized(std::make_shared<const Model>(original),
                              std::make_shared<const Model>(quantized), *masked_samples(12), 1)
        .sqnr_db();
}

bool any_with(const std::vector<std::string>& texts, const std::string& part) {
    return std::ranges::any_of(
        texts, [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

TEST(Masks, AreBoundedWhereARangeHoldsThem) {
    const Model model = model_of(attention("-3.4e38"));
    QuantizeOptions options{.mode = QuantizeMode::static_qdq,
                            .placement = StaticPlacement::onnxruntime};
    const QuantizeResult bounded = quantize_model(model, options, masked_samples(12).get());
    EXPECT_EQ(bounded.masks_bounded, 1u);
    EXPECT_TRUE(any_with(bounded.notes, "in place of -3.4e+38"));
    options.bound_masks = false;
    const QuantizeResult kept = quantize_model(model, options, masked_samples(12).get());
    EXPECT_EQ(kept.masks_bounded, 0u);
    EXPECT_GT(sqnr(model, bounded.model), sqnr(model, kept.model) + 10);
    EXPECT_GT(sqnr(model, bounded.model), 20);
}

TEST(Masks, StayWhereNothingHoldsThem) {
    const Model model = model_of(attention("-3.4e38"));
    for (const QuantizeMode mode : {QuantizeMode::static_qdq, QuantizeMode::dynamic}) {
        const QuantizeResult made = quantize_model(model, {.mode = mode}, masked_samples(12).get());
        EXPECT_EQ(made.masks_bounded, 0u) << name_of(mode);
    }
}

TEST(Masks, FitIntoFloat16) {
    const Model model = model_of(attention("-3.4e38"));
    const auto halves = [&](bool bounds) {
        return quantize_model(model, {.mode = QuantizeMode::half, .bound_masks = bounds},
                              masked_samples(12).get());
    };
    const QuantizeResult bounded = halves(true), kept = halves(false);
    EXPECT_GT(bounded.quantized, kept.quantized) << "what reads the mask computes in float16 too";
    EXPECT_GT(sqnr(model, bounded.model), 50);
}

TEST(Masks, AreSelectedOrAddedInfinitiesToo) {
    const float infinity = std::numeric_limits<float>::infinity();
    Model selected = model_of(
        "(s: f32[n,4], m: bool[n,4]) -> (y)\na = Where(m, s, c: f32[]{-2e4})\ny = Softmax(a)");
    ASSERT_EQ(mask_constants(selected.graph).size(), 1u);
    Model added =
        model_of("(s: f32[n,2]) -> (y)\na = Add(s, c: f32[2,2]{0.0,-5e4,0.0,0.0})\ny = Softmax(a)");
    const ValueId constant = mask_constants(added.graph).at(0).constant;
    GraphEdit edit(added.graph, "test");
    edit.set_constant(constant, Tensor::of<float>({2, 2}, {0, -infinity, 0, 0}));
    edit.finish();
    const auto masks = mask_constants(added.graph);
    ASSERT_EQ(masks.size(), 1u);
    Calibration seen;
    seen.tensors.push_back({.name = "s", .low = -4, .high = 6});
    std::vector<std::string> notes;
    EXPECT_EQ(bound_masks(added.graph, masks, &seen, notes), 1u);
    const auto values = added.graph.value(constant).constant->data<float>();
    EXPECT_EQ(std::vector<float>(values.begin(), values.end()), (std::vector<float>{0, -30, 0, 0}));
}

TEST(Masks, OthersAreNone) {
    // Read by something else as well, an output, not added, without a Softmax behind, of a factor
    // beyond 1.
    for (const char* text :
         {"(s: f32[n,4]) -> (y, z)\na = Add(s, c: f32[4]{-2e4,0.0,0.0,0.0})\ny = Softmax(a)\nz = "
          "Relu(c)",
          "(s: f32[n,4]) -> (y, a)\na = Add(s, c: f32[4]{-2e4,0.0,0.0,0.0})\ny = Softmax(a)",
          "(s: f32[n,4]) -> (y)\na = Mul(s, c: f32[4]{-2e4,0.0,0.0,0.0})\ny = Softmax(a)",
          "(s: f32[n,4]) -> (y)\na = Add(s, c: f32[4]{-2e4,0.0,0.0,0.0})\ny = Sigmoid(a)"})
        EXPECT_TRUE(mask_constants(model_of(text).graph).empty()) << text;
    Model scaled = model_of(attention("-2e4"));
    const auto masks = mask_constants(scaled.graph);
    ASSERT_EQ(masks.size(), 1u);
    Calibration seen;
    seen.tensors = {{.name = "s", .low = -4, .high = 6}, {.name = "o", .low = 0, .high = 2}};
    std::vector<std::string> notes;
    EXPECT_EQ(bound_masks(scaled.graph, masks, &seen, notes), 0u)
        << "what it is multiplied by is no mask";
    EXPECT_TRUE(notes.empty());
}

TEST(Masks, TheSearchSaysWhatBoundingGains) {
    const Model model = model_of(attention("-3.4e38"));
    const QuantizeOptions options{.mode = QuantizeMode::static_qdq,
                                  .placement = StaticPlacement::onnxruntime};
    const SearchResult found = search_recipes(model, options, masked_samples(20));
    const auto plain = std::ranges::find(found.trials, "masks as they are", &RecipeTrial::name);
    ASSERT_NE(plain, found.trials.end());
    EXPECT_FALSE(plain->options.bound_masks);
    EXPECT_GT(found.trials[0].sqnr_db, plain->sqnr_db + 10);
}

}  // namespace
}  // namespace lapidary
