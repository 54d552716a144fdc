// SPDX-License-Identifier: Apache-2.0
// Random operators: distributions within statistical bounds, seeds that repeat and differ.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <lapidary/base/error.h>
#include <lapidary/tensor/tensor.h>

#include "support/kernel_harness.h"

namespace lapidary {
namespace {

using namespace test;

struct Moments {
    double mean = 0, deviation = 0;
};

Moments moments_of(const Tensor& t) {
    Moments m;
    const auto values = to_doubles(t);
    for (const double v : values) m.mean += v / static_cast<double>(values.size());
    for (const double v : values)
        m.deviation += (v - m.mean) * (v - m.mean) / static_cast<double>(values.size());
    m.deviation = std::sqrt(m.deviation);
    return m;
}

TEST(RandomKernels, DrawTheAskedDistribution) {
    const auto shape = attribute("shape", ints({100, 1000}));
    const Tensor normal = run_kernel_tensor(
        "", "RandomNormal", 22, {}, {shape, attribute("mean", 3.0f), attribute("scale", 2.0f)});
    EXPECT_EQ(normal.shape(), (Shape{100, 1000}));
    EXPECT_NEAR(moments_of(normal).mean, 3, 0.03);
    EXPECT_NEAR(moments_of(normal).deviation, 2, 0.03);
    const Tensor uniform = run_kernel_tensor(
        "", "RandomUniform", 22, {},
        {shape, attribute("low", -1.0f), attribute("high", 5.0f), attribute("dtype", 11)});
    EXPECT_EQ(uniform.dtype(), DType::f64);
    const auto values = to_doubles(uniform);
    EXPECT_GE(*std::min_element(values.begin(), values.end()), -1);
    EXPECT_LT(*std::max_element(values.begin(), values.end()), 5);
    EXPECT_NEAR(moments_of(uniform).mean, 2, 0.03);
    EXPECT_NEAR(moments_of(uniform).deviation, 6 / std::sqrt(12.0), 0.03);
}

TEST(RandomKernels, RepeatWithTheirSeed) {
    const auto shape = attribute("shape", ints({50}));
    const auto draw = [&](float seed) {
        return run_kernel_tensor("", "RandomUniform", 1, {}, {shape, attribute("seed", seed)});
    };
    EXPECT_TRUE(same_contents(draw(7), draw(7)));
    EXPECT_FALSE(same_contents(draw(7), draw(8)));
    KernelRun first, second;
    second.seed = 2;
    const auto unseeded = [&](const KernelRun& run) {
        return run_kernel_tensor("", "RandomUniform", 1, {}, {shape}, run);
    };
    EXPECT_TRUE(same_contents(unseeded(first), unseeded(first)));
    EXPECT_FALSE(same_contents(unseeded(first), unseeded(second)));
}

TEST(RandomKernels, FollowTheirInputsShapeAndType) {
    const Tensor like(DType::f16, {3, 5});
    const Tensor normal = run_kernel_tensor("", "RandomNormalLike", 22, {like});
    EXPECT_EQ(normal.shape(), like.shape());
    EXPECT_EQ(normal.dtype(), DType::f16);
    EXPECT_EQ(
        run_kernel_tensor("", "RandomUniformLike", 22, {like}, {attribute("dtype", 1)}).dtype(),
        DType::f32);
    EXPECT_THROW(run_kernel("", "RandomNormal", 22, {}), Error);
    EXPECT_THROW(run_kernel("", "RandomNormal", 22, {}, {attribute("shape", ints({-1}))}), Error);
    EXPECT_THROW(run_kernel("", "RandomNormal", 22, {},
                            {attribute("shape", ints({2})), attribute("dtype", 99)}),
                 Error);
}

TEST(RandomKernels, BernoulliKeepsProbabilities) {
    Tensor p(DType::f32, {20000});
    for (std::size_t i = 0; i < 20000; ++i) p.mutable_data<float>()[i] = i % 2 == 0 ? 0.2f : 1.0f;
    const auto drawn =
        values_of<bool>(run_kernel_tensor("", "Bernoulli", 15, {p}, {attribute("dtype", 9)}));
    std::size_t rare = 0;
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        if (i % 2 == 1) EXPECT_TRUE(drawn[i]);
        else rare += drawn[i];
    }
    EXPECT_NEAR(static_cast<double>(rare), 2000, 200);
}

TEST(RandomKernels, MultinomialFollowsLogProbabilities) {
    const float none = -std::numeric_limits<float>::infinity();
    const Tensor logits =
        Tensor::of<float>({2, 3}, {std::log(1.0f), std::log(3.0f), none, none, none, 5});
    const Tensor drawn = run_kernel_tensor("", "Multinomial", 22, {logits},
                                           {attribute("sample_size", 8000), attribute("dtype", 7)});
    ASSERT_EQ(drawn.shape(), (Shape{2, 8000}));
    const auto classes = drawn.data<std::int64_t>();
    EXPECT_NEAR(static_cast<double>(std::count(classes.begin(), classes.begin() + 8000, 1)), 6000,
                200);
    EXPECT_EQ(std::count(classes.begin(), classes.begin() + 8000, 2), 0);
    EXPECT_EQ(std::count(classes.begin() + 8000, classes.end(), 2), 8000);
    EXPECT_THROW(run_kernel("", "Multinomial", 22, {Tensor::of<float>({1, 1}, {none})}), Error);
}

}  // namespace
}  // namespace lapidary
