// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>

#include <lapidary/base/error.h>

#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

using F = std::vector<float>;
using I = std::vector<std::int32_t>;
using U8 = std::vector<std::uint8_t>;
using I8 = std::vector<std::int8_t>;

Tensor quantize(RuntimeValue x, RuntimeValue scale, RuntimeValue zero,
                std::vector<Attribute> attributes = {}, std::int64_t version = 21) {
    return run_kernel_tensor("", "QuantizeLinear", version,
                             {std::move(x), std::move(scale), std::move(zero)},
                             std::move(attributes));
}

Tensor dequantize(RuntimeValue x, RuntimeValue scale, RuntimeValue zero,
                  std::vector<Attribute> attributes = {}, std::int64_t version = 21) {
    return run_kernel_tensor("", "DequantizeLinear", version,
                             {std::move(x), std::move(scale), std::move(zero)},
                             std::move(attributes));
}

Tensor cast(const Tensor& x, DType to) {
    return run_kernel_tensor("", "Cast", 23, {x}, {attribute("to", static_cast<int>(to))});
}

TEST(QuantizeKernels, TiesGoToEvenAndTheRestSaturates) {
    const Tensor x = Tensor::of<float>({7}, {0.5f, 1.5f, 2.5f, -0.5f, 1000, -1000, NAN});
    EXPECT_EQ(values_of<std::uint8_t>(
                  quantize(x, Tensor::scalar(1.0f), Tensor::scalar(std::uint8_t{10}))),
              (U8{10, 12, 12, 10, 255, 0, 0}));
    EXPECT_EQ(
        values_of<std::int8_t>(quantize(x, Tensor::scalar(2.0f), Tensor::scalar(std::int8_t{0}))),
        (I8{0, 1, 1, 0, 127, -128, -128}));
    EXPECT_EQ(quantize(x, Tensor::scalar(1.0f), {}).dtype(), DType::u8);
    EXPECT_EQ(quantize(x, Tensor::scalar(1.0f), {},
                       {attribute("output_dtype", static_cast<int>(DType::i16))})
                  .data<std::int16_t>()[4],
              1000);
}

TEST(QuantizeKernels, EveryAxisHasItsScale) {
    const Tensor x = Tensor::of<float>({2, 3}, {10, 20, 30, 40, 50, 60});
    const Tensor columns = Tensor::of<float>({3}, {10, 5, 1}),
                 zeros = Tensor::of<std::uint8_t>({3}, {0, 1, 2});
    EXPECT_EQ(values_of<std::uint8_t>(quantize(x, columns, zeros)), (U8{1, 5, 32, 4, 11, 62}));
    const Tensor rows = Tensor::of<float>({2}, {10, 20});
    EXPECT_EQ(values_of<std::uint8_t>(quantize(x, rows, {}, {attribute("axis", -2)})),
              (U8{1, 2, 3, 2, 2, 3}));
    EXPECT_THROW(quantize(x, rows, {}), Error);
    EXPECT_THROW(quantize(x, columns, Tensor::scalar(std::uint8_t{0})), Error);
}

TEST(QuantizeKernels, BlocksAlongAnAxisMayEndShort) {
    const Tensor x = Tensor::of<float>({1, 5}, {1, 2, 3, 4, 5});
    const Tensor scale = Tensor::of<float>({1, 3}, {1, 0.5f, 5});
    EXPECT_EQ(values_of<std::uint8_t>(quantize(x, scale, {}, {attribute("block_size", 2)})),
              (U8{1, 2, 6, 8, 1}));
    EXPECT_THROW(quantize(x, Tensor::of<float>({1, 2}, {1, 1}), {}, {attribute("block_size", 2)}),
                 Error);
}

TEST(QuantizeKernels, FourBitsAndFloat8) {
    const Tensor x = Tensor::of<float>({3}, {-20, 3, 20});
    const Tensor zero = cast(Tensor::scalar(std::int32_t{0}), DType::i4);
    const Tensor packed = quantize(x, Tensor::scalar(1.0f), zero);
    EXPECT_EQ(packed.dtype(), DType::i4);
    EXPECT_EQ(values_of<std::int32_t>(cast(packed, DType::i32)), (I{-8, 3, 7}));
    EXPECT_EQ(values_of<float>(dequantize(packed, Tensor::scalar(0.5f), {})), (F{-4, 1.5f, 3.5f}));
    const Tensor zero8 = cast(Tensor::scalar(0.0f), DType::f8e4m3fn);
    EXPECT_EQ(
        values_of<float>(cast(
            quantize(Tensor::of<float>({2}, {1000, 3}), Tensor::scalar(2.0f), zero8), DType::f32)),
        (F{448, 1.5f}));
}

TEST(QuantizeKernels, DequantizeKeepsLargeIntegersExactUntilTheProduct) {
    const Tensor x = Tensor::of<std::int32_t>({2}, {std::numeric_limits<std::int32_t>::min(), 7});
    EXPECT_EQ(values_of<float>(dequantize(x, Tensor::scalar(1.0f), {})), (F{-2147483648.0f, 7}));
    const Tensor y = dequantize(Tensor::of<std::uint8_t>({2}, {0, 255}), Tensor::scalar(Half(0.5f)),
                                Tensor::scalar(std::uint8_t{128}));
    EXPECT_EQ(y.dtype(), DType::f16);
    EXPECT_EQ(float(y.data<Half>()[0]), -64.0f);
    EXPECT_THROW(dequantize(Tensor::of<std::uint8_t>({1}, {0}), Tensor::scalar(1.0f),
                            Tensor::scalar(std::int8_t{0})),
                 Error);
}

TEST(QuantizeKernels, DynamicRangeAlwaysHoldsZero) {
    KernelRun three;
    three.outputs = 3;
    const auto run = [&](std::vector<float> values) {
        return run_kernel("", "DynamicQuantizeLinear", 11,
                          {Tensor::of<float>({static_cast<std::int64_t>(values.size())}, values)},
                          {}, three);
    };
    const auto y = run({1, 2, 51});
    EXPECT_FLOAT_EQ(y[1].tensor().data<float>()[0], 0.2f);
    EXPECT_EQ(y[2].tensor().data<std::uint8_t>()[0], 0);
    EXPECT_EQ(values_of<std::uint8_t>(y[0].tensor()), (U8{5, 10, 255}));
    const auto zeros = run({0, 0});
    EXPECT_EQ(zeros[1].tensor().data<float>()[0], 1.0f);
    EXPECT_EQ(values_of<std::uint8_t>(zeros[0].tensor()), (U8{0, 0}));
}

TEST(IntegerProducts, ZeroPointsPerRowAndColumn) {
    const Tensor a = Tensor::of<std::uint8_t>({2, 2}, {1, 2, 3, 4}),
                 b = Tensor::of<std::int8_t>({2, 2}, {1, -1, 2, -128});
    const Tensor a_zero = Tensor::of<std::uint8_t>({2}, {1, 3}),
                 b_zero = Tensor::of<std::int8_t>({2}, {1, -1});
    const Tensor y = run_kernel_tensor("", "MatMulInteger", 10, {a, b, a_zero, b_zero});
    EXPECT_EQ(values_of<std::int32_t>(y), (I{1, -127, 1, -127}));
    EXPECT_EQ(values_of<std::int32_t>(run_kernel_tensor("", "MatMulInteger", 10, {a, b})),
              (I{5, -257, 11, -515}));
    EXPECT_THROW(run_kernel_tensor("", "MatMulInteger", 10,
                                   {a, b, Tensor::of<std::uint8_t>({3}, {1, 2, 3})}),
                 Error);
}

TEST(IntegerProducts, ConvolutionPadsWithTheZeroPoint) {
    const Tensor x = Tensor::of<std::uint8_t>({1, 1, 2, 2}, {11, 12, 13, 14}),
                 w = Tensor::of<std::uint8_t>({1, 1, 3, 3}, U8(9, 1));
    const Tensor y =
        run_kernel_tensor("", "ConvInteger", 10, {x, w, Tensor::scalar(std::uint8_t{10})},
                          {attribute("pads", ints({1, 1, 1, 1}))});
    EXPECT_EQ(values_of<std::int32_t>(y), (I{10, 10, 10, 10}));
}

TEST(IntegerProducts, QuantizedConvolutionPerChannelWithBias) {
    // Two filters of weight 1 and 2 over one pixel of value (7 - 5) * 0.5 = 1.
    const Tensor x = Tensor::of<std::uint8_t>({1, 1, 1}, {7}),
                 w = Tensor::of<std::int8_t>({2, 1, 1}, {10, 20});
    const std::vector<RuntimeValue> inputs{x,
                                           Tensor::scalar(0.5f),
                                           Tensor::scalar(std::uint8_t{5}),
                                           w,
                                           Tensor::of<float>({2}, {0.1f, 0.05f}),
                                           Tensor::of<std::int8_t>({2}, {0, 0}),
                                           Tensor::scalar(0.25f),
                                           Tensor::scalar(std::uint8_t{3}),
                                           Tensor::of<std::int32_t>({2}, {0, 20})};
    EXPECT_EQ(values_of<std::uint8_t>(run_kernel_tensor("", "QLinearConv", 10, inputs)),
              (U8{7, 9}));
}

TEST(QuantizedContribKernels, AddAndMultiply) {
    const Tensor a = Tensor::of<std::uint8_t>({2}, {12, 20}),
                 b = Tensor::of<std::uint8_t>({1}, {4});
    const RuntimeValue one = Tensor::scalar(1.0f), half = Tensor::scalar(0.5f),
                       ten = Tensor::scalar(std::uint8_t{10}),
                       zero = Tensor::scalar(std::uint8_t{0});
    EXPECT_EQ(values_of<std::uint8_t>(run_kernel_tensor("com.microsoft", "QLinearAdd", 1,
                                                        {a, half, ten, b, one, zero, one, zero})),
              (U8{5, 9}));
    EXPECT_EQ(values_of<std::uint8_t>(run_kernel_tensor("com.microsoft", "QLinearMul", 1,
                                                        {a, half, ten, b, one, zero, one, zero})),
              (U8{4, 20}));
    EXPECT_EQ(values_of<std::uint8_t>(run_kernel_tensor("com.microsoft", "QLinearConcat", 1,
                                                        {one, zero, a, half, ten, b, one, zero},
                                                        {attribute("axis", 0)})),
              (U8{1, 5, 4}));
}

TEST(QuantizedContribKernels, MatMulNBitsUnpacksLowNibbleFirst) {
    // One column of K = 4 in one block of 16: values 1, 2, 3, 4 minus the default zero point 8,
    // times 0.5.
    const Tensor a = Tensor::of<float>({1, 4}, {1, 1, 1, 2}),
                 b = Tensor::of<std::uint8_t>({1, 1, 8}, {0x21, 0x43, 0, 0, 0, 0, 0, 0});
    const std::vector<Attribute> attributes{attribute("K", 4), attribute("N", 1),
                                            attribute("bits", 4), attribute("block_size", 16)};
    const Tensor scales = Tensor::of<float>({1}, {0.5f});
    EXPECT_EQ(values_of<float>(
                  run_kernel_tensor("com.microsoft", "MatMulNBits", 1, {a, b, scales}, attributes)),
              F{(-7 - 6 - 5 - 8) * 0.5f});
    const Tensor zero = Tensor::of<std::uint8_t>({1}, {1});
    EXPECT_EQ(values_of<float>(run_kernel_tensor("com.microsoft", "MatMulNBits", 1,
                                                 {a, b, scales, zero}, attributes)),
              F{(0 + 1 + 2 + 6) * 0.5f});
    EXPECT_THROW(
        run_kernel_tensor("com.microsoft", "MatMulNBits", 1,
                          {a, Tensor::of<std::uint8_t>({1, 1, 7}, U8(7)), scales}, attributes),
        Error);
}

TEST(QuantizedContribKernels, DynamicMatMulIsCloseToTheFloatProduct) {
    const Tensor a = Tensor::of<float>({1, 3}, {0.1f, -0.4f, 0.6f}),
                 b = Tensor::of<std::int8_t>({3, 1}, {10, 20, 30});
    const Tensor y = run_kernel_tensor("com.microsoft", "DynamicQuantizeMatMul", 1,
                                       {a, b, Tensor::scalar(0.1f)});
    EXPECT_NEAR(y.data<float>()[0], 0.1f - 0.8f + 1.8f, 0.6f / 255 * 6);
}

}  // namespace
}  // namespace lapidary::test
