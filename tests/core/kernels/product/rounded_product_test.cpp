// SPDX-License-Identifier: Apache-2.0
// Products of many rows by tile registers, against sums in double of the same rounded numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "base/threads/session_threads.h"
#include "kernels/product/half_product.h"
#include "kernels/product/product_weight.h"
#include "kernels/product/rounded_product.h"
#include "kernels/vector/product/bf16_tiles.h"
#include "kernels/vector/product/half_tiles.h"
#include "kernels/vector/product/product.h"
#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

std::vector<float> random_floats(std::int64_t count, std::uint32_t seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> values(-1, 1);
    std::vector<float> out(static_cast<std::size_t>(count));
    for (float& v : out) v = values(generator);
    return out;
}

double rounded(float value) { return static_cast<double>(static_cast<float>(BFloat16(value))); }

struct Case {
    std::int64_t rows, inner, columns;
    bool transposed_a = false, has_epilogue = false;
};

void check(const Case& c) {
    SCOPED_TRACE("rows " + std::to_string(c.rows) + " inner " + std::to_string(c.inner) +
                 " columns " + std::to_string(c.columns));
    const std::vector<float> a = random_floats(c.rows * c.inner, 1),
                             b = random_floats(c.inner * c.columns, 2),
                             bias = random_floats(c.columns, 3),
                             residual = random_floats(c.rows * c.columns, 4);
    Tensor half(DType::bf16, {c.inner, c.columns});
    for (std::size_t i = 0; i < b.size(); ++i) half.mutable_data<BFloat16>()[i] = BFloat16(b[i]);
    WeightStore store;
    ProductWeight weight =
        pack_weight(store, Tensor::widened(half, {}), 1, c.inner, c.columns, false);
    weight.rounds_inputs = true;
    const auto pool = make_session_threads(2);
    pool->execute([&] { store.fill(*pool, CancelToken()); });

    Product p;
    p.rows = c.rows, p.inner = c.inner, p.columns = c.columns;
    p.a = a.data();
    p.a_stride = c.transposed_a ? c.rows : c.inner;
    p.transposed_a = c.transposed_a;
    weight.put(p);
    p.c_stride = c.columns + 3;
    if (c.has_epilogue) {
        p.scale = 0.5f;
        p.bias = bias.data();
        p.residual = residual.data();
        p.residual_stride = c.columns;
        p.activation = {ActivationKind::relu};
    }
    ASSERT_TRUE(prefers_rounding(p));
    const auto run = [&](bool in_parallel) {
        std::vector<float> out(static_cast<std::size_t>(c.rows * p.c_stride), 77.0f);
        p.c = out.data();
        Tensor workspace(DType::u8, {static_cast<std::int64_t>(product_workspace(p, 2))});
        auto* memory = static_cast<std::byte*>(workspace.mutable_raw());
        if (in_parallel) pool->execute([&] { multiply(p, *pool, CancelToken(), memory); });
        else multiply(p, CancelToken(), memory);
        return out;
    };
    const std::vector<float> got = run(false);
    EXPECT_EQ(got, run(true));
    for (std::int64_t i = 0; i < c.rows; ++i)
        for (std::int64_t j = 0; j < p.c_stride; ++j) {
            const float value = got[static_cast<std::size_t>(i * p.c_stride + j)];
            if (j >= c.columns) {
                ASSERT_EQ(value, 77.0f) << "written behind row " << i;
                continue;
            }
            double sum = 0, size = 1;
            for (std::int64_t k = 0; k < c.inner; ++k) {
                const double term = rounded(a[static_cast<std::size_t>(
                                        c.transposed_a ? k * c.rows + i : i * c.inner + k)]) *
                                    rounded(b[static_cast<std::size_t>(k * c.columns + j)]);
                sum += term;
                size += std::abs(term);
            }
            if (c.has_epilogue) {
                sum = sum / 2 + static_cast<double>(bias[static_cast<std::size_t>(j)]) +
                      static_cast<double>(residual[static_cast<std::size_t>(i * c.columns + j)]);
                sum = std::max(sum, 0.0);
            }
            ASSERT_NEAR(static_cast<double>(value), sum, 1e-6 * size) << "at " << i << ", " << j;
        }
}

TEST(RoundedProductKernel, EveryTail) {
    if (!bf16_tiles()) GTEST_SKIP() << "this CPU has no tiles";
    for (std::int64_t rows : {16, 17, 31, 32, 33, 47, 100})
        for (std::int64_t inner : {1, 2, 31, 32, 33, 64, 95})
            for (std::int64_t columns : {5, 16, 31, 48, 49, 97, 145}) check({rows, inner, columns});
}

TEST(RoundedProductKernel, BlocksAndEpilogues) {
    if (!bf16_tiles()) GTEST_SKIP() << "this CPU has no tiles";
    check({50, 700, 200, false, true});
    check({50, 700, 200, true, true});
    check({600, 2500, 60, false, true});
}

TEST(RoundedProductKernel, OnlyWhereItIsAllowed) {
    Product p;
    p.rows = 100, p.inner = 64, p.columns = 64;
    const std::vector<std::uint16_t> b(64 * 64);
    p.packed_half_b = b.data();
    p.half_format = HalfFormat::bfloat16;
    EXPECT_FALSE(prefers_rounding(p));
    p.rounds_a = true;
    EXPECT_EQ(prefers_rounding(p), bf16_tiles() != nullptr);
    p.half_format = HalfFormat::binary16;
    EXPECT_FALSE(prefers_rounding(p));
    EXPECT_EQ(prefers_halves(p), half_tile_kernels() != nullptr);
    p.half_format = HalfFormat::bfloat16;
    p.rows = 8;
    EXPECT_FALSE(prefers_rounding(p));
}

TEST(RoundedProductKernel, RowsAreRoundedAsElsewhere) {
    std::vector<float> values = random_floats(37, 5);
    values[3] = std::numeric_limits<float>::quiet_NaN();
    values[4] = std::numeric_limits<float>::infinity();
    values[5] = 1 + 0x1p-8f;      // a tie, to even
    values[6] = 1 + 3 * 0x1p-8f;  // one to the odd neighbour's other side
    for_each_isa([&](Isa isa) {
        SCOPED_TRACE(name_of(isa));
        for (std::int64_t step : {1, 2}) {
            std::vector<std::uint16_t> got(64, 7);
            const std::int64_t count = step == 1 ? 37 : 18;
            product_kernels().round_to_bf16(values.data(), step, count, 64, got.data());
            for (std::int64_t k = 0; k < 64; ++k)
                EXPECT_EQ(got[static_cast<std::size_t>(k)],
                          k < count ? BFloat16(values[static_cast<std::size_t>(k * step)]).bits : 0)
                    << k;
        }
    });
}

}  // namespace
}  // namespace lapidary::test
