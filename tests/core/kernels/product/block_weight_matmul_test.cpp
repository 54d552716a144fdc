// SPDX-License-Identifier: Apache-2.0
// MatMulNBits on packed weights against the reference kernel, on every instruction set.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include <lapidary/base/error.h>

#include "support/block_weight_case.h"
#include "support/kernel_compare.h"

namespace lapidary::test {
namespace {

constexpr const char* domain = "com.microsoft";
constexpr const char* fast_name = "product.matmul_nbits";

void expect_agrees(const BlockWeightCase& c, Shape a_shape, DType dtype = DType::f32,
                   double tolerance = 2e-5) {
    a_shape.push_back(c.k);
    KernelRun run;
    run.constants = {1, 2, 3};
    expect_as_reference(domain, "MatMulNBits", 1, fast_name,
                        block_weight_inputs(c, as_type(noise(std::move(a_shape), 3), dtype)),
                        block_weight_attributes(c), tolerance, run);
}

TEST(BlockWeightMatMul, RowsAndColumnsOfAllTails) {
    for (const std::int64_t rows : {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 17, 33})
        for (const std::int64_t n : {1, 3, 15, 16, 17, 31, 33, 48, 63, 64, 65, 100, 130})
            expect_agrees({64, n, 32}, {rows});
}

TEST(BlockWeightMatMul, BitsBlocksAndZeroPoints) {
    for (const int bits : {2, 4, 8})
        for (const std::int64_t block : {16, 32, 128})
            for (const std::int64_t k : {16, 33, 100, 256, 300})
                for (const BlockZeros zeros :
                     {BlockZeros::none, BlockZeros::packed, BlockZeros::real})
                    for (const std::int64_t rows : {1, 3, 6, 8})
                        expect_agrees({k, 70, block, bits, zeros, rows == 3}, {rows});
}

TEST(BlockWeightMatMul, ManyRowsUnpackPanels) {
    for (const int bits : {2, 4, 8})
        for (const BlockZeros zeros : {BlockZeros::none, BlockZeros::packed, BlockZeros::real})
            for (const std::int64_t n : {1, 17, 100, 193, 500})
                expect_agrees({100, n, 32, bits, zeros, true}, {5, 13});
    expect_agrees({1000, 700, 32, 4, BlockZeros::packed, true}, {70});
    expect_agrees({12000, 450, 128, 4, BlockZeros::none, false}, {64}, DType::f32, 2e-4);
}

TEST(BlockWeightMatMul, HalfFloatsBatchesAndVectors) {
    expect_agrees({64, 40, 32, 4, BlockZeros::packed, true}, {2, 3}, DType::f16, 2e-3);
    expect_agrees({64, 40, 32, 4, BlockZeros::real, true}, {80}, DType::f16, 2e-3);
    expect_agrees({64, 40, 32, 4, BlockZeros::none, false}, {}, DType::f32);
    expect_agrees({64, 40, 32, 4, BlockZeros::none, false}, {2, 3, 2}, DType::f32);
    expect_agrees({64, 40, 32, 4, BlockZeros::none, false}, {0}, DType::f32);
}

/// What a single row may hold, which integers stand for where that is faster.
TEST(BlockWeightMatMul, OneRowOfAllMagnitudes) {
    const auto expect_row = [](const std::function<float(std::size_t, float)>& change, int bits,
                               double tolerance) {
        const BlockWeightCase c{300, 70, 32, bits, BlockZeros::packed, true};
        Tensor a = noise({1, c.k}, 3);
        const auto values = a.mutable_data<float>();
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = change(i, values[i]);
        KernelRun run;
        run.constants = {1, 2, 3};
        expect_as_reference(domain, "MatMulNBits", 1, fast_name, block_weight_inputs(c, a),
                            block_weight_attributes(c), tolerance, run);
    };
    const float infinity = std::numeric_limits<float>::infinity();
    for (const int bits : {4, 8}) {
        expect_row([](std::size_t i, float x) { return i == 40 ? 1e4f : x; }, bits, 1e-3);
        expect_row([](std::size_t i, float x) { return i / 32 % 2 == 0 ? 0 : x; }, bits, 2e-5);
        expect_row([](std::size_t, float) { return 0.0f; }, bits, 0);
        expect_row([](std::size_t, float) { return -1.0f; }, bits, 2e-5);
        expect_row([](std::size_t i, float x) { return i < 64 ? 1e-30f * x : x; }, bits, 2e-5);
        expect_row([](std::size_t, float x) { return 1e32f * x; }, bits, 2e-5);
        expect_row([&](std::size_t i, float x) { return i == 7 ? infinity : x; }, bits, 2e-5);
        expect_row([&](std::size_t i, float x) { return i == 7 ? infinity - infinity : x; }, bits,
                   2e-5);
    }
}

TEST(BlockWeightMatMul, AScaleThatIsNotFiniteConcernsItsColumnAlone) {
    const BlockWeightCase c{96, 20, 32};
    std::vector<RuntimeValue> inputs = block_weight_inputs(c, noise({1, c.k}, 3));
    Tensor scales = inputs[2].tensor().clone();
    scales.mutable_data<float>()[4] = std::numeric_limits<float>::infinity();  // of column 1
    inputs[2] = scales;
    KernelRun run;
    run.kernel = fast_name;
    run.constants = {1, 2, 3};
    for_each_isa([&](Isa isa) {
        const auto found = to_doubles(
            run_kernel_tensor(domain, "MatMulNBits", 1, inputs, block_weight_attributes(c), run));
        for (std::size_t i = 0; i < found.size(); ++i)
            EXPECT_EQ(std::isfinite(found[i]), i != 1) << name_of(isa) << " " << i;
    });
}

TEST(BlockWeightMatMul, DeclinesWithTheReason) {
    const Tensor a = noise({1, 64}, 1), b = block_bytes({8, 2, 16}, 2), scales = noise({8, 2}, 3);
    const std::vector<Attribute> attributes{attribute("K", 64), attribute("N", 8),
                                            attribute("block_size", 32)};
    const auto reason = [&](std::vector<RuntimeValue> inputs, std::vector<Attribute> with,
                            std::set<std::size_t> constants) {
        KernelRun run;
        run.kernel = fast_name;
        run.constants = std::move(constants);
        try {
            run_kernel(domain, "MatMulNBits", 1, std::move(inputs), std::move(with), run);
        } catch (const Error& e) { return std::string(e.what()); }
        return std::string("taken");
    };
    EXPECT_NE(reason({a, b, scales}, attributes, {2}).find("computed at run time"),
              std::string::npos);
    EXPECT_NE(reason({a, b, scales},
                     {attribute("K", 60), attribute("N", 8), attribute("block_size", 20)}, {1, 2})
                  .find("blocks of 20"),
              std::string::npos);
    EXPECT_NE(reason({a, b, scales},
                     {attribute("K", 64), attribute("N", 9), attribute("block_size", 32)}, {1, 2})
                  .find("do not fit"),
              std::string::npos);
    const Tensor group = Tensor::of<std::int32_t>({64}, std::vector<std::int32_t>(64, 0));
    EXPECT_NE(
        reason({a, b, scales, RuntimeValue(), group}, attributes, {1, 2, 4}).find("group index"),
        std::string::npos);
    EXPECT_NE(reason({noise({1, 60}, 1), b, scales}, attributes, {1, 2}).find("64 columns"),
              std::string::npos);
    EXPECT_EQ(reason({a, b, scales}, attributes, {1, 2}), "taken");
}

}  // namespace
}  // namespace lapidary::test
