// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <lapidary/base/error.h>

#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

using F = std::vector<float>;
using I = std::vector<std::int32_t>;
using L = std::vector<std::int64_t>;

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();

Tensor cast(const Tensor& x, DType to, int saturate = 1, std::int64_t version = 23) {
    return run_kernel_tensor(
        "", "Cast", version, {x},
        {attribute("to", static_cast<int>(to)), attribute("saturate", saturate)});
}

template <typename T>
T unary(const char* op, std::int64_t version, T x, std::vector<Attribute> attributes = {}) {
    return values_of<T>(
        run_kernel_tensor("", op, version, {Tensor::of<T>({1}, {x})}, std::move(attributes)))[0];
}

TEST(ElementwiseKernels, BroadcastBothOperands) {
    const Tensor y = run_kernel_tensor(
        "", "Add", 14,
        {Tensor::of<float>({2, 1, 2}, {1, 2, 3, 4}), Tensor::of<float>({3, 1}, {10, 20, 30})});
    EXPECT_EQ(y.shape(), (Shape{2, 3, 2}));
    EXPECT_EQ(values_of<float>(y), (F{11, 12, 21, 22, 31, 32, 13, 14, 23, 24, 33, 34}));
}

TEST(ElementwiseKernels, BroadcastAgreesWithPlainIndexingOnLargeShapes) {
    const Shape a_shape{5, 1, 7, 33}, b_shape{11, 1, 33};
    std::vector<std::int64_t> a(5 * 7 * 33), b(11 * 33);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<std::int64_t>(i * 1000);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<std::int64_t>(i);
    const Tensor y =
        run_kernel_tensor("", "Sub", 14, {Tensor::of(a_shape, a), Tensor::of(b_shape, b)});
    ASSERT_EQ(y.shape(), (Shape{5, 11, 7, 33}));
    const auto out = values_of<std::int64_t>(y);
    std::size_t at = 0;
    for (int n = 0; n < 5; ++n)
        for (int c = 0; c < 11; ++c)
            for (int h = 0; h < 7; ++h)
                for (int w = 0; w < 33; ++w, ++at)
                    ASSERT_EQ(out[at], a[(n * 7 + h) * 33 + w] - b[c * 33 + w]) << at;
}

TEST(ElementwiseKernels, LongTensorsAreSplitAndStillComplete) {
    std::vector<float> a(200001, 2.0f);
    const Tensor x = Tensor::of<float>({200001}, a);
    for (const float v :
         values_of<float>(run_kernel_tensor("", "Mul", 14, {x, Tensor::scalar(3.0f)})))
        ASSERT_EQ(v, 6.0f);
    for (const float v : values_of<float>(
             run_kernel_tensor("", "Sqrt", 13, {run_kernel_tensor("", "Mul", 14, {x, x})})))
        ASSERT_EQ(v, 2.0f);
}

TEST(ElementwiseKernels, ScalarsAndEmptyTensors) {
    const Tensor scalar =
        run_kernel_tensor("", "Mul", 14, {Tensor::scalar(2.0f), Tensor::scalar(4.0f)});
    EXPECT_EQ(scalar.rank(), 0);
    EXPECT_EQ(values_of<float>(scalar), F{8});
    const Tensor empty = run_kernel_tensor(
        "", "Add", 14, {Tensor::of<float>({0, 3}, {}), Tensor::of<float>({3}, {1, 2, 3})});
    EXPECT_EQ(empty.shape(), (Shape{0, 3}));
}

TEST(ElementwiseKernels, ShapesThatDoNotBroadcastAreRefused) {
    EXPECT_THROW(
        run_kernel_tensor("", "Add", 14,
                          {Tensor::of<float>({2}, {1, 2}), Tensor::of<float>({3}, {1, 2, 3})}),
        Error);
    EXPECT_THROW(run_kernel_tensor("", "Add", 14, {Tensor::scalar(1.0f), Tensor::scalar(1.0)}),
                 Error);
}

TEST(ElementwiseKernels, LegacyBroadcastAlignsAtTheAxis) {
    const Tensor y = run_kernel_tensor(
        "", "Add", 6,
        {Tensor::of<float>({1, 2, 2}, {1, 2, 3, 4}), Tensor::of<float>({2}, {10, 20})},
        {attribute("broadcast", 1), attribute("axis", 1)});
    EXPECT_EQ(values_of<float>(y), (F{11, 12, 23, 24}));
}

TEST(ElementwiseKernels, IntegerDivisionIsDefinedOrRefused) {
    const auto div = [](std::int32_t a, std::int32_t b) {
        return values_of<std::int32_t>(
            run_kernel_tensor("", "Div", 14, {Tensor::scalar(a), Tensor::scalar(b)}))[0];
    };
    EXPECT_EQ(div(-7, 2), -3);
    EXPECT_EQ(div(std::numeric_limits<std::int32_t>::min(), -1),
              std::numeric_limits<std::int32_t>::min());
    try {
        div(1, 0);
        FAIL() << "no error";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::invalid_input);
        EXPECT_NE(e.message().find("integer division by zero"), std::string::npos);
    }
}

TEST(ElementwiseKernels, ModFollowsPythonOrC) {
    const Tensor a =
        Tensor::of<std::int64_t>({4}, {-7, 7, -7, std::numeric_limits<std::int64_t>::min()});
    const Tensor b = Tensor::of<std::int64_t>({4}, {3, -3, -3, -1});
    EXPECT_EQ(values_of<std::int64_t>(run_kernel_tensor("", "Mod", 13, {a, b})), (L{2, -2, -1, 0}));
    EXPECT_EQ(
        values_of<std::int64_t>(run_kernel_tensor("", "Mod", 13, {a, b}, {attribute("fmod", 1)})),
        (L{-1, 1, -1, 0}));
    const Tensor f = run_kernel_tensor("", "Mod", 13, {Tensor::scalar(-5.5f), Tensor::scalar(2.0f)},
                                       {attribute("fmod", 1)});
    EXPECT_EQ(values_of<float>(f), F{-1.5f});
    EXPECT_THROW(run_kernel_tensor("", "Mod", 13, {Tensor::scalar(1.0f), Tensor::scalar(2.0f)}),
                 Error);
    EXPECT_THROW(
        run_kernel_tensor("", "Mod", 13,
                          {Tensor::scalar(std::int32_t{1}), Tensor::scalar(std::int32_t{0})}),
        Error);
}

TEST(ElementwiseKernels, PowMixesTypes) {
    const auto pow = [](RuntimeValue a, RuntimeValue b) {
        return run_kernel_tensor("", "Pow", 15, {std::move(a), std::move(b)});
    };
    EXPECT_EQ(values_of<std::int32_t>(pow(Tensor::of<std::int32_t>({3}, {2, -3, 7}),
                                          Tensor::of<std::int64_t>({3}, {10, 3, 0}))),
              (I{1024, -27, 1}));
    EXPECT_EQ(values_of<std::int32_t>(pow(Tensor::scalar(std::int32_t{4}), Tensor::scalar(0.5f))),
              I{2});
    EXPECT_EQ(values_of<float>(
                  pow(Tensor::of<float>({2}, {3, 4}), Tensor::of<std::int64_t>({2}, {2, -1}))),
              (F{9, 0.25f}));
    EXPECT_EQ(float(pow(Tensor::scalar(Half(3)), Tensor::scalar(2.0f)).data<Half>()[0]), 9.0f);
}

TEST(ElementwiseKernels, ShiftByTheWidthLeavesNothing) {
    const auto shift = [](std::uint8_t a, std::uint8_t b, const char* direction) {
        return run_kernel_tensor("", "BitShift", 11, {Tensor::scalar(a), Tensor::scalar(b)},
                                 {attribute("direction", direction)})
            .data<std::uint8_t>()[0];
    };
    EXPECT_EQ(shift(0x81, 1, "LEFT"), 0x02);
    EXPECT_EQ(shift(0x81, 1, "RIGHT"), 0x40);
    EXPECT_EQ(shift(0x81, 8, "LEFT"), 0);
    EXPECT_EQ(shift(0x81, 200, "RIGHT"), 0);
    EXPECT_THROW(shift(1, 1, "UP"), Error);
}

TEST(ElementwiseKernels, IntegersWrap) {
    EXPECT_EQ(unary<std::int8_t>("Abs", 13, -128), -128);
    EXPECT_EQ(unary<std::int64_t>("Neg", 13, std::numeric_limits<std::int64_t>::min()),
              std::numeric_limits<std::int64_t>::min());
    const Tensor y = run_kernel_tensor(
        "", "Mul", 14,
        {Tensor::scalar(std::uint16_t{65535}), Tensor::scalar(std::uint16_t{65535})});
    EXPECT_EQ(y.data<std::uint16_t>()[0], 1);
}

TEST(ElementwiseKernels, Activations) {
    EXPECT_FLOAT_EQ(unary("Sigmoid", 13, -1000.0f), 0.0f);
    EXPECT_FLOAT_EQ(unary("Sigmoid", 13, 0.5f), 0.62245935f);
    EXPECT_FLOAT_EQ(unary("Softplus", 1, 100.0f), 100.0f);
    EXPECT_FLOAT_EQ(unary("Gelu", 20, 1.0f), 0.8413447f);
    EXPECT_NEAR(unary("Gelu", 20, 1.0f, {attribute("approximate", "tanh")}), 0.841192f, 1e-6);
    EXPECT_FLOAT_EQ(unary("HardSwish", 14, 1.0f), 0.6666667f);
    EXPECT_FLOAT_EQ(unary("Elu", 6, -1.0f, {attribute("alpha", 2.0f)}), -1.2642411f);
    EXPECT_FLOAT_EQ(unary("Swish", 24, 2.0f, {attribute("alpha", 0.5f)}), 1.4621172f);
    EXPECT_EQ(unary("Round", 11, 2.5f), 2.0f);
    EXPECT_EQ(unary("Round", 11, -1.5f), -2.0f);
    EXPECT_EQ(unary<std::int32_t>("Relu", 14, -5), 0);
    EXPECT_TRUE(std::isnan(unary("Relu", 14, nan_value)));
    EXPECT_EQ(float(unary("Exp", 13, Half(1))), float(Half(2.7182817f)));
    EXPECT_EQ(float(unary("Tanh", 13, BFloat16(0.5f))), float(BFloat16(0.46211717f)));
    EXPECT_THROW(unary<std::int32_t>("Exp", 13, 1), Error);
}

TEST(ElementwiseKernels, MaxMinMeanSumOverManyInputs) {
    const Tensor a = Tensor::of<float>({2, 1}, {1, nan_value}), b = Tensor::of<float>({2}, {0, 5}),
                 c = Tensor::scalar(3.0f);
    const auto max = values_of<float>(run_kernel_tensor("", "Max", 13, {a, b, c}));
    ASSERT_EQ(max.size(), 4u);
    EXPECT_EQ(max[0], 3);
    EXPECT_EQ(max[1], 5);
    EXPECT_TRUE(std::isnan(max[2]) && std::isnan(max[3]));
    const Tensor d = Tensor::of<float>({2}, {1, 2});
    EXPECT_EQ(values_of<float>(run_kernel_tensor("", "Mean", 13, {d, b, c})),
              (F{4.0f / 3, 10.0f / 3}));
    EXPECT_EQ(values_of<float>(run_kernel_tensor("", "Sum", 13, {d})), (F{1, 2}));
    EXPECT_EQ(
        run_kernel_tensor("", "Min", 13,
                          {Tensor::scalar(std::uint64_t{9}), Tensor::scalar(std::uint64_t{4})})
            .data<std::uint64_t>()[0],
        4u);
}

TEST(ElementwiseKernels, ClipTakesBoundsFromAttributesOrInputs) {
    const Tensor x = Tensor::of<float>({4}, {-5, 0, 5, nan_value});
    const auto old = values_of<float>(
        run_kernel_tensor("", "Clip", 6, {x}, {attribute("min", -1.0f), attribute("max", 2.0f)}));
    EXPECT_EQ(F(old.begin(), old.begin() + 3), (F{-1, 0, 2}));
    const auto one =
        values_of<float>(run_kernel_tensor("", "Clip", 13, {x, {}, Tensor::scalar(2.0f)}));
    EXPECT_EQ(F(one.begin(), one.begin() + 3), (F{-5, 0, 2}));
    EXPECT_TRUE(std::isnan(one[3]));
    // min above max: everything becomes max.
    const auto crossed = values_of<float>(
        run_kernel_tensor("", "Clip", 13, {x, Tensor::scalar(3.0f), Tensor::scalar(1.0f)}));
    EXPECT_EQ(F(crossed.begin(), crossed.begin() + 3), (F{1, 1, 1}));
}

TEST(ElementwiseKernels, WhereSelectsAnyType) {
    const Tensor c = Tensor::of<bool>({2, 1}, {true, false});
    const Tensor x = Tensor::of<std::string>({2}, {"a", "b"}), y = Tensor::scalar(std::string("z"));
    EXPECT_EQ(values_of<std::string>(run_kernel_tensor("", "Where", 16, {c, x, y})),
              (std::vector<std::string>{"a", "b", "z", "z"}));
    EXPECT_EQ(values_of<bool>(run_kernel_tensor("", "Where", 16,
                                                {Tensor::scalar(true), Tensor::scalar(true), c})),
              (std::vector<bool>{true, true}));
}

TEST(ElementwiseKernels, EqualAndInfNan) {
    EXPECT_EQ(values_of<bool>(run_kernel_tensor(
                  "", "Equal", 19,
                  {Tensor::of<std::string>({2}, {"a", "b"}), Tensor::scalar(std::string("b"))})),
              (std::vector<bool>{false, true}));
    const Tensor x = Tensor::of<float>({3}, {inf, -inf, nan_value});
    EXPECT_EQ(
        values_of<bool>(run_kernel_tensor("", "IsInf", 20, {x}, {attribute("detect_negative", 0)})),
        (std::vector<bool>{true, false, false}));
    EXPECT_EQ(values_of<bool>(run_kernel_tensor("", "IsNaN", 20, {x})),
              (std::vector<bool>{false, false, true}));
}

TEST(CastKernel, FloatToIntegerIsTruncatedAndSaturated) {
    const Tensor x = Tensor::of<float>({7}, {1.9f, -1.9f, 300, -300, nan_value, inf, -inf});
    EXPECT_EQ(values_of<std::int8_t>(cast(x, DType::i8)),
              (std::vector<std::int8_t>{1, -1, 127, -128, 0, 127, -128}));
    EXPECT_EQ(cast(x, DType::u64).data<std::uint64_t>()[5],
              std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(cast(x, DType::i64).data<std::int64_t>()[5],
              std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(values_of<bool>(cast(x, DType::boolean)),
              (std::vector<bool>{true, true, true, true, true, true, true}));
}

TEST(CastKernel, IntegersKeepTheirLowBits) {
    EXPECT_EQ(values_of<std::int8_t>(cast(Tensor::of<std::int16_t>({2}, {200, -300}), DType::i8)),
              (std::vector<std::int8_t>{-56, -44}));
    EXPECT_EQ(cast(Tensor::scalar(std::numeric_limits<std::uint64_t>::max()), DType::i64)
                  .data<std::int64_t>()[0],
              -1);
    EXPECT_EQ(
        cast(Tensor::scalar(std::int64_t{9007199254740993}), DType::i64).data<std::int64_t>()[0],
        9007199254740993);
}

TEST(CastKernel, FourBitTypesArePacked) {
    const Tensor packed = cast(Tensor::of<std::int32_t>({3}, {-1, 7, -8}), DType::i4);
    EXPECT_EQ(packed.byte_size(), 2u);
    EXPECT_EQ(static_cast<const std::uint8_t*>(packed.raw())[0], 0x7f);
    EXPECT_EQ(values_of<std::int32_t>(cast(packed, DType::i32)), (I{-1, 7, -8}));
    EXPECT_EQ(values_of<float>(
                  cast(cast(Tensor::of<float>({4}, {0, 15, 3.7f, 9}), DType::u4), DType::f32)),
              (F{0, 15, 3, 9}));
    EXPECT_EQ(values_of<float>(
                  cast(cast(Tensor::of<float>({5}, {0.4f, -3.4f, 100, 2.5f, 5.1f}), DType::f4e2m1),
                       DType::f32)),
              (F{0.5f, -3, 6, 2, 6}));
}

TEST(CastKernel, Float8SaturatesUnlessAskedNotTo) {
    const Tensor x = Tensor::of<float>({3}, {1000, inf, 1});
    EXPECT_EQ(values_of<float>(cast(cast(x, DType::f8e4m3fn), DType::f32)), (F{448, 448, 1}));
    const auto raw = values_of<float>(cast(cast(x, DType::f8e4m3fn, 0), DType::f32));
    EXPECT_TRUE(std::isnan(raw[0]) && std::isnan(raw[1]));
    EXPECT_EQ(values_of<float>(cast(cast(Tensor::scalar(1e6f), DType::f8e5m2, 0), DType::f32)),
              F{inf});
}

TEST(CastKernel, DoubleRoundsOnceToHalf) {
    // Just above the midpoint of two halves, by less than a float can represent.
    const double value = 1.0 + 0x1p-11 + 0x1p-40;
    EXPECT_EQ(float(cast(Tensor::scalar(value), DType::f16).data<Half>()[0]), 1.0f + 0x1p-10f);
    EXPECT_EQ(float(cast(Tensor::scalar(1.0 + 0x1p-11), DType::f16).data<Half>()[0]), 1.0f);
}

TEST(CastKernel, TextAndNumbers) {
    const Tensor text =
        Tensor::of<std::string>({8}, {"3.14", "1e-5", "+INF", "-inf", "NaN", " 7 ", "1E8", "+2"});
    const auto numbers = values_of<float>(cast(text, DType::f32));
    EXPECT_EQ(F(numbers.begin(), numbers.begin() + 4), (F{3.14f, 1e-5f, inf, -inf}));
    EXPECT_TRUE(std::isnan(numbers[4]));
    EXPECT_EQ(F(numbers.begin() + 5, numbers.end()), (F{7, 1e8f, 2}));
    EXPECT_EQ(
        cast(Tensor::scalar(std::string("9007199254740993")), DType::i64).data<std::int64_t>()[0],
        9007199254740993);
    EXPECT_THROW(cast(Tensor::scalar(std::string("Hello")), DType::f32), Error);
    EXPECT_THROW(cast(Tensor::scalar(std::string("")), DType::i32), Error);
    EXPECT_EQ(values_of<std::string>(
                  cast(Tensor::of<float>({4}, {0.9767611f, 1, -inf, nan_value}), DType::string)),
              (std::vector<std::string>{"0.9767611", "1.0", "-INF", "NaN"}));
    EXPECT_EQ(values_of<std::string>(cast(Tensor::of<std::int64_t>({1}, {-12}), DType::string)),
              std::vector<std::string>{"-12"});
}

TEST(CastKernel, UnknownTargetIsNamed) {
    EXPECT_THROW(run_kernel_tensor("", "Cast", 13, {Tensor::scalar(1.0f)}, {attribute("to", 99)}),
                 Error);
    EXPECT_EQ(run_kernel_tensor("", "CastLike", 15,
                                {Tensor::scalar(1.5f), Tensor::scalar(std::int32_t{0})})
                  .data<std::int32_t>()[0],
              1);
}

}  // namespace
}  // namespace lapidary::test
