// SPDX-License-Identifier: Apache-2.0
// MatMulNBits with accuracy_level 4 on every instruction set: the result is the reference kernel's
// product of A rounded to blocks of 8-bit integers with one scale each.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <lapidary/base/error.h>

#include "support/block_weight_case.h"
#include "support/kernel_compare.h"

namespace lapidary::test {
namespace {

constexpr const char* domain = "com.microsoft";
constexpr const char* fast_name = "product.matmul_nbits_int8";

/// Each block of each row rounded to multiples of its largest magnitude / 127.
Tensor rounded_blocks(const Tensor& a, std::int64_t block) {
    std::vector<float> values = values_of<float>(a);
    const auto inner = static_cast<std::size_t>(a.shape().back());
    for (std::size_t row = 0; row < values.size(); row += inner)
        for (std::size_t first = 0; first < inner; first += static_cast<std::size_t>(block)) {
            const auto part = std::span(values).subspan(
                row + first, std::min(inner - first, static_cast<std::size_t>(block)));
            float most = 0;
            for (const float v : part) most = std::max(most, std::abs(v));
            const float scale = most / 127.0f,
                        factor = scale < std::numeric_limits<float>::min() ? 0 : 127.0f / most;
            for (float& v : part) v = std::nearbyint(v * factor) * scale;
        }
    return Tensor::of<float>(a.shape(), values);
}

void expect_agrees(const BlockWeightCase& c, Shape a_shape, DType dtype = DType::f32,
                   double tolerance = 2e-5) {
    a_shape.push_back(c.k);
    const Tensor a = as_type(noise(std::move(a_shape), 3), dtype),
                 rounded = rounded_blocks(as_type(a, DType::f32), c.block);
    const Tensor expected = run_kernel_tensor(
        domain, "MatMulNBits", 1, block_weight_inputs(c, rounded), block_weight_attributes(c));
    KernelRun run;
    run.kernel = fast_name;
    run.constants = {1, 2, 3};
    for_each_isa([&](Isa isa) {
        SCOPED_TRACE(std::string(name_of(isa)) + " " + to_string(a.shape()) + " " +
                     std::to_string(c.n) + " columns, blocks of " + std::to_string(c.block) +
                     ", bits " + std::to_string(c.bits));
        const Tensor actual = run_kernel_tensor(domain, "MatMulNBits", 1, block_weight_inputs(c, a),
                                                block_weight_attributes(c, 4), run);
        ASSERT_EQ(actual.dtype(), dtype);
        ASSERT_EQ(actual.shape(), expected.shape());
        const auto found = to_doubles(actual), wanted = to_doubles(expected);
        for (std::size_t i = 0; i < wanted.size(); ++i)
            ASSERT_LE(std::abs(found[i] - wanted[i]),
                      tolerance * std::max(1.0, std::abs(wanted[i])))
                << "element " << i;
    });
}

TEST(BlockWeightDot, RowsAndColumnsOfAllTails) {
    for (const std::int64_t rows : {1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 25})
        for (const std::int64_t n : {1, 3, 15, 16, 17, 31, 33, 48, 63, 64, 65, 100, 130})
            expect_agrees({64, n, 32}, {rows});
}

// Rows of a 4-bit embedding are small multiples of one scale, so that half of the largest element
// is common. It is 63.5 steps, where the last bit of the factor decides between 63 and 64. ONNX
// Runtime multiplies by 127 / largest. With the reciprocal of the step instead, one such element in
// eight would round the other way, which moves results by 1e-3 of the largest. That is as much as
// accuracy_level 4 itself differs from float64 (1.6e-3).
TEST(BlockWeightDot, TiesOfA4BitEmbeddingRoundAsInOnnxRuntime) {
    const BlockWeightCase c{32, 40, 32, 4, BlockZeros::none, false};
    KernelRun run;
    run.kernel = fast_name;
    run.constants = {1, 2, 3};
    int by_reciprocal_of_step = 0;
    for (int i = 0; i < 50; ++i) {
        const float scale = 0.001f + 0.00037f * static_cast<float>(i), most = 14 * scale,
                    half = 7 * scale;
        const float steps = std::nearbyint(half * (127.0f / most));
        by_reciprocal_of_step += steps != std::nearbyint(half * (1 / (most / 127.0f)));
        std::vector<float> embedded(32), rounded(32);
        for (std::size_t k = 0; k < 32; ++k) {
            embedded[k] = k % 3 == 0 ? most : k % 3 == 1 ? half : -half;
            rounded[k] = (k % 3 == 0 ? 127 : k % 3 == 1 ? steps : -steps) * (most / 127.0f);
        }
        const Tensor expected = run_kernel_tensor(
            domain, "MatMulNBits", 1, block_weight_inputs(c, Tensor::of<float>({1, 32}, rounded)),
            block_weight_attributes(c));
        for_each_isa([&](Isa isa) {
            SCOPED_TRACE(std::string(name_of(isa)) + " scale " + std::to_string(scale));
            const Tensor a_row = Tensor::of<float>({1, 32}, embedded);
            const Tensor found =
                run_kernel_tensor(domain, "MatMulNBits", 1, block_weight_inputs(c, a_row),
                                  block_weight_attributes(c, 4), run);
            const auto a = to_doubles(found), e = to_doubles(expected);
            for (std::size_t n = 0; n < e.size(); ++n)
                ASSERT_LE(std::abs(a[n] - e[n]), 2e-6 * std::max(1.0, std::abs(e[n])))
                    << "column " << n;
        });
    }
    EXPECT_GT(by_reciprocal_of_step, 0) << "the case distinguishes nothing";
}

TEST(BlockWeightDot, BitsBlocksAndZeroPoints) {
    for (const int bits : {4, 8})
        for (const std::int64_t block : {8, 16, 24, 32, 128, 256})
            for (const std::int64_t k : {8, 33, 100, 256, 300})
                for (const BlockZeros zeros :
                     {BlockZeros::none, BlockZeros::packed, BlockZeros::real})
                    for (const std::int64_t rows : {1, 3, 6})
                        expect_agrees({k, 70, block, bits, zeros, rows == 3}, {rows});
    expect_agrees({50, 40, 4, 8, BlockZeros::packed, true}, {2});  // a block of one word
}

TEST(BlockWeightDot, LargeProductsBatchesAndVectors) {
    expect_agrees({1000, 300, 32, 4, BlockZeros::packed, true}, {70});
    expect_agrees({1000, 300, 32, 4, BlockZeros::packed, true}, {150});
    expect_agrees({600, 100, 128, 8, BlockZeros::real, true}, {2, 64});
    expect_agrees({5000, 130, 128, 8, BlockZeros::none, false}, {1}, DType::f32, 1e-4);
    expect_agrees({64, 40, 32, 4, BlockZeros::none, false}, {});
    expect_agrees({64, 40, 32, 4, BlockZeros::none, false}, {2, 3, 2});
    expect_agrees({64, 40, 32, 4, BlockZeros::none, false}, {0});
}

TEST(BlockWeightDot, HalfFloats) {
    expect_agrees({64, 40, 32, 4, BlockZeros::packed, true}, {2, 3}, DType::f16, 2e-3);
    expect_agrees({96, 40, 32, 8, BlockZeros::real, true}, {9}, DType::f16, 2e-3);
}

TEST(BlockWeightDot, ZerosTinyAndNotFiniteValues) {
    const BlockWeightCase c{96, 20, 32};
    Tensor a = noise({4, c.k}, 3);
    const auto values = a.mutable_data<float>();
    // row 0: a block of zeros
    for (std::size_t i = 0; i < 32; ++i) values[i] = 0;
    // row 1: nothing that counts
    for (std::size_t i = 0; i < 96; ++i) values[96 + i] = 1e-39f * static_cast<float>(i % 5);
    values[2 * 96 + 70] = std::numeric_limits<float>::infinity();
    values[3 * 96 + 3] = std::numeric_limits<float>::quiet_NaN();
    const Tensor expected = run_kernel_tensor(domain, "MatMulNBits", 1,
                                              block_weight_inputs(c, rounded_blocks(a, c.block)),
                                              block_weight_attributes(c));
    KernelRun run;
    run.kernel = fast_name;
    run.constants = {1, 2, 3};
    for_each_isa([&](Isa isa) {
        const auto found = to_doubles(run_kernel_tensor(domain, "MatMulNBits", 1,
                                                        block_weight_inputs(c, a),
                                                        block_weight_attributes(c, 4), run)),
                   wanted = to_doubles(expected);
        for (std::size_t i = 0; i < 20; ++i) ASSERT_NEAR(found[i], wanted[i], 2e-5) << name_of(isa);
        for (std::size_t i = 20; i < 40; ++i) ASSERT_NEAR(found[i], 0, 1e-30) << name_of(isa);
        for (std::size_t i = 40; i < 80; ++i)
            ASSERT_FALSE(std::isfinite(found[i])) << name_of(isa) << " " << i;
    });
}

TEST(BlockWeightDot, DeclinesWithTheReason) {
    const auto reason = [&](const BlockWeightCase& c, int level) {
        KernelRun run;
        run.kernel = fast_name;
        run.constants = {1, 2};
        try {
            run_kernel(domain, "MatMulNBits", 1, block_weight_inputs(c, noise({1, c.k}, 1)),
                       block_weight_attributes(c, level), run);
        } catch (const Error& e) { return std::string(e.what()); }
        return std::string("taken");
    };
    for (const int level : {0, 1, 2, 3})
        EXPECT_NE(reason({64, 8, 32}, level)
                      .find("accuracy_level " + std::to_string(level) + " does not allow"),
                  std::string::npos);
    EXPECT_NE(reason({64, 8, 32, 2}, 4).find("multiplied in float"), std::string::npos);
    EXPECT_NE(reason({64, 8, 65536}, 4).find("multiplied in float"), std::string::npos);
    EXPECT_EQ(reason({64, 8, 32}, 4), "taken");
}

}  // namespace
}  // namespace lapidary::test
