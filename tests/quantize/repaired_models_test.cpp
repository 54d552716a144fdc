// SPDX-License-Identifier: Apache-2.0
// Changes before rounding by which a quantized model loses less: equalized layers, smoothing,
// compensated rounding.
#include <gtest/gtest.h>

#include <string>

#include <lapidary/quantize/quantize.h>

#include "quantize/quantized_models.h"

namespace lapidary {
namespace {

TEST(QuantizeImprovements, EqualizingLayersRepairsScaledChannels) {
    // The first output channels differ by factors that the next weight undoes.
    const Model model = model_of(
        "(x: f32[n,4,6,6]) -> (y)\na = Conv(x, w1: f32[4,1,1,1]{1.0,100.0,0.01,1.0}) {group: 4}\nr "
        "= Relu(a)\ny = "
        "Conv(r, w2: f32[2,4,1,1]{1.0,0.01,100.0,1.0,0.5,0.02,-80.0,0.3})");
    const auto samples = samples_for(model, 10);
    const auto with = [&](bool equalize) {
        return sqnr(model,
                    quantize_model(model, {.mode = QuantizeMode::static_qdq, .equalize = equalize},
                                   samples.get())
                        .model);
    };
    EXPECT_GT(with(true), with(false) + 10);
}

TEST(QuantizeImprovements, SmoothingTakesOutlierChannelsIntoTheWeight) {
    std::string gamma = "{1.0";
    for (int i = 1; i < 64; ++i) gamma += i % 20 == 3 ? ",200.0" : ",1.0";
    const Model model = model_of("(x: f32[n,64]) -> (y)\nl = LayerNormalization(x, g: f32[64]" +
                                 gamma + "}, b: f32[64])\ny = MatMul(l, w: f32[64,16])");
    const auto samples = samples_for(model, 10);
    const auto with = [&](double share) {
        return quantize_model(model, {.smoothing = share}, samples.get());
    };
    const QuantizeResult smooth = with(0.5);
    EXPECT_GT(sqnr(model, smooth.model), sqnr(model, with(0).model) + 3);
    EXPECT_EQ(operators(smooth.model).count("Mul"), operators(with(0).model).count("Mul"))
        << "folded into the normalization";
}

TEST(QuantizeImprovements, CompensatedRoundingBeatsNearest) {
    // Inputs that are correlated: only then can one rounding compensate for another.
    const Model model = model_of(
        "(x: f32[n,8]) -> (y)\nh = Gemm(x, w0: f32[8,64])\nm = Tanh(h)\ny = MatMul(m, w: "
        "f32[64,16])");
    const auto samples = samples_for(model, 40);
    const auto with = [&](bool compensated) {
        return sqnr(model, quantize_model(model,
                                          {.mode = QuantizeMode::static_qdq,
                                           .activation = DType::u16,
                                           .compensated_rounding = compensated,
                                           .keep_float = {"Gemm"}},
                                          samples.get())
                               .model);
    };
    EXPECT_GT(with(true), with(false) + 1);
}

}  // namespace
}  // namespace lapidary
