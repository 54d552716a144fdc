// SPDX-License-Identifier: Apache-2.0
// GatherBlockQuantized and NhwcMaxPool, by the rules that ONNX Runtime's CPU kernels follow.
#include <random>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>

#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

using F = std::vector<float>;
using U8 = std::vector<std::uint8_t>;

Tensor gather(Tensor data, Tensor indices, Tensor scales, RuntimeValue zero_points,
              std::vector<Attribute> attributes) {
    return run_kernel_tensor(
        "com.microsoft", "GatherBlockQuantized", 1,
        {std::move(data), std::move(indices), std::move(scales), std::move(zero_points)},
        std::move(attributes));
}

TEST(GatherBlockQuantizedKernel, PackedBytesWithZeroPointsPerBlock) {
    // Two rows of four 4-bit elements in blocks of two; low half of a byte first.
    const Tensor data = Tensor::of<std::uint8_t>({2, 2}, {0x21, 0x43, 0x65, 0x87});
    const Tensor scales = Tensor::of<float>({2, 2}, {1, 2, 10, 100});
    const Tensor zeros = Tensor::of<std::uint8_t>({2, 1}, {0x31, 0x05});
    const std::vector<Attribute> attributes{attribute("block_size", 2), attribute("bits", 4)};
    const Tensor rows =
        gather(data, Tensor::of<std::int64_t>({1, 2}, {1, -2}), scales, zeros, attributes);
    EXPECT_EQ(rows.shape(), (Shape{1, 2, 4}));
    EXPECT_EQ(values_of<float>(rows), (F{0, 10, 700, 800, 0, 1, 0, 2}));
    EXPECT_EQ(
        values_of<float>(gather(data, Tensor::of<std::int32_t>({1}, {0}), scales, {}, attributes)),
        (F{-7, -6, -10, -8}));
}

TEST(GatherBlockQuantizedKernel, WholeBytesCountFrom128) {
    const Tensor data = Tensor::of<std::uint8_t>({2, 3}, {128, 129, 127, 0, 255, 130});
    const Tensor scales = Tensor::of<float>({2, 2}, {1, 2, 0.5f, 4});
    const Tensor row = gather(data, Tensor::scalar(std::int64_t{1}), scales, {},
                              {attribute("block_size", 2), attribute("bits", 8)});
    EXPECT_EQ(row.shape(), (Shape{3}));
    EXPECT_EQ(values_of<float>(row), (F{-64, 63.5f, 8}));
}

TEST(GatherBlockQuantizedKernel, FourBitTypesAndAnotherAxis) {
    const auto four_bits = [](const Tensor& t, DType to) {
        return run_kernel_tensor("", "Cast", 23, {t}, {attribute("to", static_cast<int>(to))});
    };
    const Tensor data =
        four_bits(Tensor::of<std::int32_t>({4, 2}, {-8, 1, 2, 3, 4, 5, 6, 7}), DType::i4);
    const Tensor scales = Tensor::of<float>({2, 2}, {1, 10, 2, 20});
    const Tensor columns = gather(
        data, Tensor::of<std::int64_t>({1}, {1}), scales, {},
        {attribute("block_size", 2), attribute("quantize_axis", 0), attribute("gather_axis", 1)});
    EXPECT_EQ(columns.shape(), (Shape{4, 1}));
    EXPECT_EQ(values_of<float>(columns), (F{10, 30, 100, 140}));
}

TEST(GatherBlockQuantizedKernel, RefusesWhatDoesNotFit) {
    const Tensor data = Tensor::of<std::uint8_t>({2, 2}, {1, 2, 3, 4}),
                 scales = Tensor::of<float>({2, 2}, {1, 2, 3, 4});
    const Tensor index = Tensor::of<std::int64_t>({1}, {0});
    EXPECT_THROW(
        gather(data, Tensor::of<std::int64_t>({1}, {2}), scales, {}, {attribute("block_size", 2)}),
        Error);
    EXPECT_THROW(gather(data, index, scales, {}, {attribute("block_size", 16)}), Error);
    EXPECT_THROW(gather(data, index, scales, {}, {attribute("block_size", 0)}), Error);
    EXPECT_THROW(gather(data, index, scales, {},
                        {attribute("block_size", 2), attribute("quantize_axis", 0)}),
                 Error);
    EXPECT_THROW(gather(data, index, scales, Tensor::of<std::uint8_t>({2, 0}, {}),
                        {attribute("block_size", 2)}),
                 Error);
}

Tensor random_bytes(Shape shape, std::mt19937& random) {
    Tensor bytes(DType::u8, std::move(shape));
    for (auto& byte : bytes.mutable_data<std::uint8_t>())
        byte = static_cast<std::uint8_t>(random());
    return bytes;
}

TEST(GatherBlockQuantizedKernel, FastEqualsReferenceToTheLastBit) {
    std::mt19937 random(3);
    for (const int bits : {2, 4, 8})
        for (const std::int64_t block : {4, 16, 32, 128})
            for (const std::int64_t row_bytes : {1, 5, 16, 33, 192})
                for (const bool has_zeros : {false, true}) {
                    const std::int64_t per_byte = 8 / bits, columns = row_bytes * per_byte;
                    const std::int64_t blocks = (columns + block - 1) / block, rows = 7;
                    SCOPED_TRACE(std::to_string(bits) + " bits, block " + std::to_string(block) +
                                 ", " + std::to_string(columns) + " columns");
                    Tensor scales(DType::f32, {rows, blocks});
                    for (auto& scale : scales.mutable_data<float>())
                        scale = 1e-3f * static_cast<float>(random() % 999);
                    RuntimeValue zeros;
                    if (has_zeros)
                        zeros = random_bytes({rows, (blocks + per_byte - 1) / per_byte}, random);
                    const Tensor indices =
                        Tensor::of<std::int64_t>({3, 3}, {6, 0, -1, 2, 2, -7, 5, 1, 3});
                    const std::vector<RuntimeValue> inputs{random_bytes({rows, row_bytes}, random),
                                                           indices, scales, zeros};
                    const std::vector<Attribute> attributes{
                        attribute("block_size", static_cast<int>(block)), attribute("bits", bits)};
                    const auto run = [&](const char* kernel) {
                        return run_kernel_tensor("com.microsoft", "GatherBlockQuantized", 1, inputs,
                                                 attributes, {.kernel = kernel});
                    };
                    const Tensor fast = run("movement.gather_block_quantized");
                    EXPECT_EQ(fast.shape(), (Shape{3, 3, columns}));
                    EXPECT_EQ(values_of<float>(fast), values_of<float>(run("")));
                }
}

TEST(GatherBlockQuantizedKernel, FastLeavesTheRestToTheReference) {
    const char* const fast = "movement.gather_block_quantized";
    const auto run = [&](const Tensor& data, const Tensor& indices, const Tensor& scales, int block,
                         int bits) {
        return run_kernel_tensor(
            "com.microsoft", "GatherBlockQuantized", 1, {data, indices, scales},
            {attribute("block_size", block), attribute("bits", bits)}, {.kernel = fast});
    };
    const Tensor data = Tensor::of<std::uint8_t>({2, 2}, {0x21, 0x43, 0x65, 0x87}),
                 scales = Tensor::of<float>({2, 2}, {1, 2, 10, 100}),
                 index = Tensor::of<std::int64_t>({1}, {0});
    EXPECT_THROW(run(data, Tensor::of<std::int64_t>({1}, {2}), scales, 2, 4), Error);
    EXPECT_THROW(run(data, index, scales, 4, 4), Error);  // one block a row, two scales
    EXPECT_EQ(values_of<float>(
                  run(data, index, Tensor::of<float>({2, 4}, {1, 1, 1, 1, 2, 2, 2, 2}), 1, 4)),
              (F{-7, -6, -5, -4}));  // blocks of half a byte
    const Tensor cubes = Tensor::of<std::uint8_t>({1, 2, 2}, {128, 129, 130, 131});
    EXPECT_EQ(values_of<float>(run(cubes, index, Tensor::of<float>({1, 1, 2}, {1, 10}), 2, 8)),
              (F{0, 10, 2, 30}));
    EXPECT_EQ(run(data, Tensor::of<std::int64_t>({0, 3}, {}), scales, 2, 4).shape(),
              (Shape{0, 3, 4}));
}

TEST(NhwcMaxPoolKernel, PoolsEachChannel) {
    U8 x(32);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::uint8_t>(i);
    const Tensor y = run_kernel_tensor(
        "com.microsoft", "NhwcMaxPool", 1, {Tensor::of<std::uint8_t>({1, 4, 4, 2}, x)},
        {attribute("kernel_shape", ints({2, 2})), attribute("strides", ints({2, 2})),
         attribute("pads", ints({1, 1, 0, 0}))});
    EXPECT_EQ(y.shape(), (Shape{1, 2, 2, 2}));
    EXPECT_EQ(values_of<std::uint8_t>(y), (U8{0, 1, 4, 5, 16, 17, 20, 21}));
    EXPECT_THROW(run_kernel_tensor("com.microsoft", "NhwcMaxPool", 1,
                                   {Tensor::of<std::uint8_t>({2, 2}, {1, 2, 3, 4})},
                                   {attribute("kernel_shape", ints({1}))}),
                 Error);
}

}  // namespace
}  // namespace lapidary::test
