// SPDX-License-Identifier: Apache-2.0
// RNN, GRU and LSTM against steps worked out with the operators' equations, one scalar at a time.
#include <gtest/gtest.h>

#include <cmath>

#include <lapidary/base/error.h>
#include <lapidary/tensor/tensor.h>

#include "support/kernel_harness.h"

namespace lapidary {
namespace {

using namespace test;

constexpr double tolerance = 1e-6;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

Tensor floats_of(Shape shape, std::vector<float> values) {
    return Tensor::of<float>(std::move(shape), values);
}

std::vector<RuntimeValue> run(const char* op, std::size_t outputs, std::vector<RuntimeValue> inputs,
                              std::vector<Attribute> attributes = {}) {
    KernelRun options;
    options.outputs = outputs;
    attributes.push_back(attribute("hidden_size", 1));
    return run_kernel("", op, 14, std::move(inputs), std::move(attributes), options);
}

float element(const RuntimeValue& value, std::size_t index) {
    return value.tensor().data<float>()[index];
}

TEST(RnnKernel, FollowsItsEquationBothWays) {
    const Tensor x = floats_of({3, 1, 1}, {0.5f, -1, 2});
    const Tensor w = floats_of({2, 1, 1}, {0.3f, -0.4f}), r = floats_of({2, 1, 1}, {0.6f, 0.2f});
    const Tensor b = floats_of({2, 2}, {0.1f, 0.05f, -0.2f, 0.3f});
    const auto out = run("RNN", 2, {x, w, r, b},
                         {attribute("direction", "bidirectional"),
                          attribute("activations", std::vector<std::string>{"Tanh", "Sigmoid"})});
    double h = 0, back = 0;
    for (std::size_t t = 0; t < 3; ++t) {
        h = std::tanh(0.3 * x.data<float>()[t] + 0.6 * h + 0.15);
        back = sigmoid(-0.4 * x.data<float>()[2 - t] + 0.2 * back + 0.1);
        EXPECT_NEAR(element(out[0], 2 * t), h, tolerance);
        EXPECT_NEAR(element(out[0], 2 * (2 - t) + 1), back, tolerance);
    }
    EXPECT_EQ(out[0].tensor().shape(), (Shape{3, 2, 1, 1}));
    EXPECT_NEAR(element(out[1], 0), h, tolerance);
    EXPECT_NEAR(element(out[1], 1), back, tolerance);
}

TEST(RnnKernel, StopsAtEachSequencesEnd) {
    const Tensor x = floats_of({2, 2, 1}, {1, 2, 3, 4});
    const Tensor w = floats_of({1, 1, 1}, {1}), r = floats_of({1, 1, 1}, {10});
    const Tensor lengths = Tensor::of<std::int32_t>({2}, {1, 2});
    const auto affine = attribute("activations", std::vector<std::string>{"Affine"});
    const auto out = run("RNN", 2, {x, w, r, RuntimeValue(), lengths}, {affine});
    EXPECT_EQ(values_of<float>(out[0].tensor()), (std::vector<float>{1, 2, 0, 24}));
    EXPECT_EQ(values_of<float>(out[1].tensor()), (std::vector<float>{1, 24}));
    const auto reversed = run("RNN", 2, {x, w, r, RuntimeValue(), lengths},
                              {affine, attribute("direction", "reverse")});
    EXPECT_EQ(values_of<float>(reversed[0].tensor()), (std::vector<float>{1, 42, 0, 4}));
    EXPECT_EQ(values_of<float>(reversed[1].tensor()), (std::vector<float>{1, 42}));
    EXPECT_THROW(run("RNN", 2, {x, w, r, RuntimeValue(), Tensor::of<std::int32_t>({2}, {1, 3})}),
                 Error);
}

TEST(GruKernel, ResetsBeforeOrAfterTheProduct) {
    const float wz = 0.2f, wr = -0.5f, wh = 0.7f, rz = 0.4f, rr = 0.9f, rh = -0.3f, h0 = 0.25f;
    const Tensor b = floats_of({1, 6}, {0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f});
    for (const int linear : {0, 1}) {
        const auto out =
            run("GRU", 2,
                {floats_of({2, 1, 1}, {1, -2}), floats_of({1, 3, 1}, {wz, wr, wh}),
                 floats_of({1, 3, 1}, {rz, rr, rh}), b, RuntimeValue(), floats_of({1, 1, 1}, {h0})},
                {attribute("linear_before_reset", linear)});
        double h = h0;
        for (std::size_t t = 0; t < 2; ++t) {
            const double x = t == 0 ? 1 : -2;
            const double z = sigmoid(wz * x + rz * h + 0.5), r = sigmoid(wr * x + rr * h + 0.7);
            const double candidate = linear ? std::tanh(wh * x + r * (rh * h + 0.6) + 0.3)
                                            : std::tanh(wh * x + rh * (r * h) + 0.9);
            h = (1 - z) * candidate + z * h;
            EXPECT_NEAR(element(out[0], t), h, tolerance) << "linear_before_reset " << linear;
        }
        EXPECT_NEAR(element(out[1], 0), h, tolerance);
    }
}

TEST(LstmKernel, FollowsItsEquationsWithPeepholes) {
    const float w[4] = {0.2f, -0.4f, 0.6f, 0.8f}, r[4] = {0.3f, 0.5f, -0.7f, 0.9f},
                p[3] = {0.15f, -0.25f, 0.35f};  // gates i, o, f, c
    const auto out =
        run("LSTM", 3,
            {floats_of({2, 1, 1}, {1, 0.5f}), floats_of({1, 4, 1}, {w[0], w[1], w[2], w[3]}),
             floats_of({1, 4, 1}, {r[0], r[1], r[2], r[3]}), RuntimeValue(), RuntimeValue(),
             floats_of({1, 1, 1}, {0.1f}), floats_of({1, 1, 1}, {-0.2f}),
             floats_of({1, 3}, {p[0], p[1], p[2]})});
    double h = 0.1f, c = -0.2f;
    for (const double x : {1.0, 0.5}) {
        const double i = sigmoid(w[0] * x + r[0] * h + p[0] * c),
                     f = sigmoid(w[2] * x + r[2] * h + p[2] * c);
        c = f * c + i * std::tanh(w[3] * x + r[3] * h);
        h = sigmoid(w[1] * x + r[1] * h + p[1] * c) * std::tanh(c);
    }
    EXPECT_NEAR(element(out[0], 1), h, tolerance);
    EXPECT_NEAR(element(out[1], 0), h, tolerance);
    EXPECT_NEAR(element(out[2], 0), c, tolerance);
}

TEST(LstmKernel, BatchFirstIsTheTransposedLayout) {
    std::vector<float> xs, ws, rs;
    for (int i = 0; i < 3 * 2 * 2; ++i) xs.push_back(0.1f * static_cast<float>(i % 7) - 0.3f);
    for (int i = 0; i < 12 * 2; ++i) ws.push_back(0.05f * static_cast<float>(i % 11) - 0.2f);
    for (int i = 0; i < 12 * 3; ++i) rs.push_back(0.04f * static_cast<float>(i % 13) - 0.25f);
    const Tensor w = floats_of({1, 12, 2}, ws), r = floats_of({1, 12, 3}, rs);
    std::vector<float> turned(xs.size());
    for (std::size_t t = 0; t < 3; ++t)
        for (std::size_t b = 0; b < 2; ++b)
            for (std::size_t i = 0; i < 2; ++i)
                turned[(b * 3 + t) * 2 + i] = xs[(t * 2 + b) * 2 + i];
    KernelRun options;
    options.outputs = 3;
    const auto time_first = run_kernel("", "LSTM", 14, {floats_of({3, 2, 2}, xs), w, r},
                                       {attribute("hidden_size", 3)}, options);
    const auto batch_first =
        run_kernel("", "LSTM", 14, {floats_of({2, 3, 2}, turned), w, r},
                   {attribute("hidden_size", 3), attribute("layout", 1)}, options);
    ASSERT_EQ(time_first[0].tensor().shape(), (Shape{3, 1, 2, 3}));
    ASSERT_EQ(batch_first[0].tensor().shape(), (Shape{2, 3, 1, 3}));
    for (std::size_t t = 0; t < 3; ++t)
        for (std::size_t b = 0; b < 2; ++b)
            for (std::size_t i = 0; i < 3; ++i)
                EXPECT_EQ(element(time_first[0], (t * 2 + b) * 3 + i),
                          element(batch_first[0], (b * 3 + t) * 3 + i));
    EXPECT_EQ(values_of<float>(time_first[2].tensor()), values_of<float>(batch_first[2].tensor()));
}

TEST(RecurrentActivations, TakeAlphaAndBetaInOrder) {
    const Tensor one = floats_of({1, 1, 1}, {1}), zero = floats_of({1, 1, 1}, {0});
    const auto apply = [&](const char* name, float x, std::vector<float> alpha,
                           std::vector<float> beta, std::vector<Attribute> more = {}) {
        more.push_back(attribute("activations", std::vector<std::string>{name}));
        if (!alpha.empty()) more.push_back(attribute("activation_alpha", alpha));
        if (!beta.empty()) more.push_back(attribute("activation_beta", beta));
        return element(run("RNN", 1, {floats_of({1, 1, 1}, {x}), one, zero}, more)[0], 0);
    };
    EXPECT_FLOAT_EQ(apply("Relu", -2, {}, {}), 0);
    EXPECT_FLOAT_EQ(apply("LeakyRelu", -2, {}, {}), -0.02f);
    EXPECT_FLOAT_EQ(apply("leakyrelu", -2, {0.5f}, {}), -1);
    EXPECT_FLOAT_EQ(apply("Affine", 3, {2}, {0.5f}), 6.5f);
    EXPECT_FLOAT_EQ(apply("HardSigmoid", 1, {}, {}), 0.7f);
    EXPECT_FLOAT_EQ(apply("ThresholdedRelu", 0.9f, {}, {}), 0);
    EXPECT_FLOAT_EQ(apply("Softsign", -3, {}, {}), -0.75f);
    EXPECT_FLOAT_EQ(apply("Softplus", 0, {}, {}), std::log(2.0f));
    EXPECT_FLOAT_EQ(apply("Elu", -1, {2}, {}), static_cast<float>(2 * (std::exp(-1.0) - 1)));
    EXPECT_FLOAT_EQ(apply("ScaledTanh", 1, {2}, {0.5f}), static_cast<float>(2 * std::tanh(0.5)));
    EXPECT_FLOAT_EQ(apply("Affine", 3, {}, {}, {attribute("clip", 1.5f)}), 1.5f);
    EXPECT_THROW(apply("Swish", 1, {}, {}), Error);
}

TEST(RecurrentKernels, NameWeightsThatDoNotFit) {
    try {
        run("LSTM", 1,
            {Tensor(DType::f32, {1, 1, 2}), Tensor(DType::f32, {1, 4, 3}),
             Tensor(DType::f32, {1, 4, 1})});
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_NE(error.message().find("W: expected shape [1,4,2], found [1,4,3]"),
                  std::string::npos)
            << error.message();
    }
}

}  // namespace
}  // namespace lapidary
