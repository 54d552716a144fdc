// SPDX-License-Identifier: Apache-2.0
// Integer products on packed panels against the reference kernels: every bit, on every instruction
// set.
#include <gtest/gtest.h>

#include <random>

#include <lapidary/base/error.h>

#include "support/byte_values.h"
#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

std::mt19937 generator(7);

Tensor bytes(Shape shape, DType dtype) { return random_bytes(generator, std::move(shape), dtype); }
Tensor byte(DType dtype, int value) { return byte_scalar(dtype, value); }
Tensor reals(Shape shape, float low, float high) {
    return random_reals(generator, std::move(shape), low, high);
}

void compare(std::string_view domain, std::string_view op, const std::vector<RuntimeValue>& inputs,
             std::vector<Attribute> attributes, const std::string& kernel,
             std::set<std::size_t> constants) {
    const Tensor expected =
        run_kernel_tensor(domain, op, domain.empty() ? 10 : 1, inputs, attributes);
    KernelRun fast;
    fast.kernel = kernel;
    fast.constants = std::move(constants);
    for_each_isa([&](Isa isa) {
        const Tensor found =
            run_kernel_tensor(domain, op, domain.empty() ? 10 : 1, inputs, attributes, fast);
        EXPECT_EQ(difference(expected, found), "")
            << name_of(isa) << " " << kernel << " A " << to_string(inputs[0].tensor().shape());
    });
}

struct Case {
    std::int64_t m, k, n;
};

const Case cases[] = {{1, 1, 1},     {2, 3, 5},      {3, 4, 16},   {5, 7, 17},    {6, 64, 48},
                      {7, 66, 50},   {9, 129, 65},   {13, 20, 96}, {17, 31, 111}, {1, 300, 33},
                      {33, 8, 64},   {130, 40, 130}, {16, 64, 64}, {32, 256, 48}, {70, 200, 80},
                      {17, 260, 33}, {6, 132, 70}};

TEST(IntegerMatMul, SumsAreExactForEverySign) {
    for (const DType a : {DType::u8, DType::i8})
        for (const DType b : {DType::u8, DType::i8})
            for (const Case& c : cases) {
                const int a_zero = a == DType::u8 ? 255 : -128, b_zero = b == DType::u8 ? 3 : 127;
                const Tensor x = bytes({c.m, c.k}, a), w = bytes({c.k, c.n}, b);
                compare("", "MatMulInteger", {x, w}, {}, "integer.matmul_integer", {1});
                compare("", "MatMulInteger", {x, w, byte(a, a_zero), byte(b, b_zero)}, {},
                        "integer.matmul_integer", {1, 3});
                compare("", "MatMulInteger", {x, w, byte(a, a_zero), bytes({c.n}, b)}, {},
                        "integer.matmul_integer", {});
            }
}

TEST(IntegerMatMul, LargestProductsDoNotSaturate) {
    Tensor x(DType::u8, {4, 1024}), w(DType::i8, {1024, 20});
    for (auto& v : x.mutable_data<std::uint8_t>()) v = 255;
    for (auto& v : w.mutable_data<std::int8_t>()) v = -128;
    compare("", "MatMulInteger", {x, w}, {}, "integer.matmul_integer", {1});
    compare("", "MatMulInteger", {x, w, byte(DType::u8, 0), byte(DType::i8, 127)}, {},
            "integer.matmul_integer", {1});
}

TEST(IntegerMatMul, StacksBroadcast) {
    for (const auto& [a, b] : std::vector<std::pair<Shape, Shape>>{{{2, 3, 5, 9}, {3, 9, 20}},
                                                                   {{4, 7}, {3, 7, 6}},
                                                                   {{2, 1, 3, 8}, {2, 4, 8, 5}},
                                                                   {{2, 6, 8}, {8, 50}},
                                                                   {{6}, {6, 4}},
                                                                   {{6}, {3, 6, 4}},
                                                                   {{7}, {2, 1, 7, 20}}}) {
        compare("", "MatMulInteger",
                {bytes(a, DType::u8), bytes(b, DType::i8), byte(DType::u8, 9), byte(DType::i8, -5)},
                {}, "integer.matmul_integer", {});
    }
}

TEST(IntegerMatMul, EmptyOperands) {
    compare("", "MatMulInteger", {bytes({0, 4}, DType::u8), bytes({4, 5}, DType::i8)}, {},
            "integer.matmul_integer", {1});
    compare("", "MatMulInteger", {bytes({3, 4}, DType::u8), bytes({4, 0}, DType::i8)}, {},
            "integer.matmul_integer", {});
    compare("", "MatMulInteger", {bytes({3, 0}, DType::u8), bytes({0, 5}, DType::i8)}, {},
            "integer.matmul_integer", {});
}

TEST(IntegerMatMul, FloatResults) {
    for (const Case& c : cases)
        for (const bool per_column : {false, true}) {
            const Tensor scale = per_column ? reals({c.n}, 0.001f, 0.02f) : Tensor::scalar(0.013f);
            const Tensor zero = per_column ? bytes({c.n}, DType::u8) : byte(DType::u8, 119);
            const Tensor x = bytes({2, c.m, c.k}, DType::u8), w = bytes({c.k, c.n}, DType::u8),
                         bias = reals({c.n}, -2, 2);
            compare("com.microsoft", "MatMulIntegerToFloat",
                    {x, w, Tensor::scalar(0.021f), scale, byte(DType::u8, 77), zero, bias}, {},
                    "integer.matmul_integer_to_float", {1, 3, 5, 6});
            compare("com.microsoft", "MatMulIntegerToFloat", {x, w, Tensor::scalar(0.021f), scale},
                    {}, "integer.matmul_integer_to_float", {});
            const Tensor a = reals({2, c.m, c.k}, -1, 3);
            compare("com.microsoft", "DynamicQuantizeMatMul", {a, w, scale, zero, bias}, {},
                    "integer.dynamic_quantize_matmul", {1, 2, 3, 4});
            compare("com.microsoft", "DynamicQuantizeMatMul",
                    {a, bytes({c.k, c.n}, DType::i8), scale}, {}, "integer.dynamic_quantize_matmul",
                    {1, 2});
        }
}

TEST(IntegerMatMul, QuantizedResults) {
    for (const DType type : {DType::u8, DType::i8})
        for (const Case& c : cases)
            for (const bool per_column : {false, true}) {
                const Tensor scale =
                                 per_column ? reals({c.n}, 0.001f, 0.02f) : Tensor::scalar(0.013f),
                             zero = byte(DType::i8, 0);
                const Tensor zeros = per_column ? bytes({c.n}, DType::i8) : zero;
                const Tensor x = bytes({c.m, c.k}, type), w = bytes({c.k, c.n}, DType::i8);
                // Spans the byte's range and beyond.
                const Tensor y_scale = Tensor::scalar(0.004f * static_cast<float>(c.k)),
                             y_zero = byte(type, type == DType::u8 ? 131 : -7);
                compare("", "QLinearMatMul",
                        {x, Tensor::scalar(0.02f), byte(type, 5), w, scale, zeros, y_scale, y_zero},
                        {}, "integer.qlinear_matmul", {3, 4, 5});
                const Tensor c_bias = random_words(generator, {c.n}, 10000);
                compare("com.microsoft", "QGemm",
                        {x, Tensor::scalar(0.02f), byte(type, 5), w, scale, zeros, c_bias, y_scale,
                         y_zero},
                        {attribute("alpha", 0.75f)}, "integer.qgemm", {3, 4, 5, 6});
                const Tensor turned = bytes({c.n, c.k}, DType::i8);
                compare("com.microsoft", "QGemm",
                        {x, Tensor::scalar(0.02f), byte(type, 5), turned, scale, zeros},
                        {attribute("transB", 1)}, "integer.qgemm", {3, 4, 5});
                compare("com.microsoft", "QGemm",
                        {x,
                         Tensor::scalar(0.02f),
                         byte(type, 5),
                         turned,
                         scale,
                         zeros,
                         {},
                         y_scale,
                         y_zero},
                        {attribute("transB", 1)}, "integer.qgemm", {});
            }
}

TEST(IntegerMatMul, SaysWhyNot) {
    KernelRun fast;
    fast.kernel = "integer.matmul_integer";
    EXPECT_THROW(
        run_kernel_tensor(
            "", "MatMulInteger", 10,
            {bytes({3, 4}, DType::u8), bytes({4, 5}, DType::i8), bytes({3}, DType::u8)}, {}, fast),
        Error);
    EXPECT_THROW(run_kernel_tensor("", "MatMulInteger", 10,
                                   {bytes({3, 5}, DType::u8), bytes({4, 5}, DType::i8)}, {}, fast),
                 Error);
}

}  // namespace
}  // namespace lapidary::test
