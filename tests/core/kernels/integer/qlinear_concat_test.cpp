// SPDX-License-Identifier: Apache-2.0
// QLinearConcat and look-ups of bytes against the reference kernel on every instruction set: every
// bit.
#include <gtest/gtest.h>

#include <array>

#include <lapidary/base/error.h>

#include "kernels/vector/integer/byte_elements.h"
#include "support/byte_values.h"
#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

std::mt19937 generator(29);

struct Piece {
    std::int64_t length;  // along the axis
    DType dtype;
    float scale;
    int zero;
};

std::vector<RuntimeValue> operands(const Shape& shape, std::size_t axis,
                                   const std::vector<Piece>& pieces, const Piece& result) {
    std::vector<RuntimeValue> inputs{Tensor::scalar(result.scale),
                                     byte_scalar(result.dtype, result.zero)};
    for (const Piece& piece : pieces) {
        Shape own = shape;
        own[axis] = piece.length;
        inputs.insert(inputs.end(),
                      {random_bytes(generator, own, piece.dtype), Tensor::scalar(piece.scale),
                       byte_scalar(piece.dtype, piece.zero)});
    }
    return inputs;
}

void compare(const std::vector<RuntimeValue>& inputs, std::int64_t axis, bool is_signed) {
    const std::vector<Attribute> attributes{attribute("axis", static_cast<int>(axis))};
    const Tensor expected =
        run_kernel_tensor("com.microsoft", "QLinearConcat", 1, inputs, attributes);
    EXPECT_EQ(expected.dtype(), is_signed ? DType::i8 : DType::u8);
    KernelRun fast;
    fast.kernel = "integer.qlinear_concat";
    for_each_isa([&](Isa isa) {
        const Tensor found =
            run_kernel_tensor("com.microsoft", "QLinearConcat", 1, inputs, attributes, fast);
        EXPECT_EQ(difference(expected, found), "")
            << name_of(isa) << " axis " << axis << " of " << to_string(expected.shape());
    });
}

TEST(QLinearConcat, ScalesOfTheirOwnAlongEveryAxis) {
    const Shape shapes[] = {{2, 3, 5, 7}, {1, 4, 40, 33}, {3, 65}, {70}, {2, 1, 1}};
    for (const Shape& shape : shapes)
        for (std::size_t axis = 0; axis < shape.size(); ++axis)
            for (const DType type : {DType::u8, DType::i8}) {
                const auto inputs = operands(shape, axis,
                                             {{3, type, 0.05f, 9},
                                              {1, type, 0.021f, 100},
                                              {66, type, 0.05f, 9},
                                              {0, type, 1, 0}},
                                             {0, type, 0.05f, 9});
                compare(inputs, static_cast<std::int64_t>(axis), type == DType::i8);
                compare(inputs,
                        static_cast<std::int64_t>(axis) - static_cast<std::int64_t>(shape.size()),
                        type == DType::i8);
            }
}

TEST(QLinearConcat, TailsOfRows) {
    for (const std::int64_t width :
         {1, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 80, 95, 96, 127, 128, 129, 200})
        compare(operands({90, 1}, 1, {{width, DType::u8, 0.04f, 3}, {5, DType::u8, 0.01f, 128}},
                         {0, DType::u8, 0.05f, 10}),
                1, false);
}

TEST(QLinearConcat, LargeEnoughForThreads) {
    compare(operands({1, 1, 300, 301}, 1, {{2, DType::u8, 0.04f, 3}, {1, DType::u8, 0.05f, 10}},
                     {0, DType::u8, 0.05f, 10}),
            1, false);
    compare(operands({300, 301, 1}, 2, {{2, DType::i8, 0.04f, 3}, {1, DType::i8, 0.05f, 10}},
                     {0, DType::i8, 0.05f, 10}),
            2, true);
}

TEST(QLinearConcat, SignsMayDiffer) {
    compare(
        operands({4, 3, 50}, 1,
                 {{2, DType::i8, 0.05f, -118}, {3, DType::u8, 0.05f, 10}, {1, DType::i8, 0.02f, 5}},
                 {0, DType::u8, 0.05f, 10}),
        1, false);
}

TEST(QLinearConcat, NothingAtAll) {
    compare(operands({0, 3}, 1, {{2, DType::u8, 0.04f, 3}, {1, DType::u8, 0.05f, 10}},
                     {0, DType::u8, 0.05f, 10}),
            1, false);
    compare(operands({4, 3}, 1, {{0, DType::u8, 0.04f, 3}}, {0, DType::u8, 0.05f, 10}), 1, false);
}

TEST(QLinearConcat, RefusesWhatTheReferenceRefuses) {
    auto inputs = operands({2, 3, 4}, 1, {{2, DType::u8, 0.04f, 3}, {1, DType::u8, 0.05f, 10}},
                           {0, DType::u8, 0.05f, 10});
    inputs[5] = random_bytes(generator, {2, 3, 5}, DType::u8);
    KernelRun fast;
    fast.kernel = "integer.qlinear_concat";
    EXPECT_THROW(run_kernel_tensor("com.microsoft", "QLinearConcat", 1, inputs,
                                   {attribute("axis", 1)}, fast),
                 Error);
    EXPECT_THROW(run_kernel_tensor("com.microsoft", "QLinearConcat", 1, inputs,
                                   {attribute("axis", 3)}, fast),
                 Error);
}

// In place, as QLinearSigmoid may: no byte is looked up twice.
TEST(LookUp, OnTheBytesThemselves) {
    std::array<std::uint8_t, 256> table;
    for (std::uint8_t& byte : table) byte = static_cast<std::uint8_t>(generator());
    for_each_isa([&](Isa isa) {
        for (const std::size_t count :
             {std::size_t{0}, std::size_t{5}, std::size_t{511}, std::size_t{512}, std::size_t{600},
              std::size_t{639}, std::size_t{1007}}) {
            std::vector<std::uint8_t> bytes(count + 1, 77), expected(count + 1, 77);
            for (std::size_t i = 0; i < count; ++i) {
                bytes[i] = static_cast<std::uint8_t>(i * 7);
                expected[i] = table[bytes[i]];
            }
            byte_element_kernels(isa).look_up(table.data(), bytes.data(),
                                              static_cast<std::int64_t>(count), bytes.data());
            EXPECT_EQ(bytes, expected) << name_of(isa) << " " << count << " bytes";
        }
    });
}

}  // namespace
}  // namespace lapidary::test
