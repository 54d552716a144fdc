// SPDX-License-Identifier: Apache-2.0
// Which tiles and parts products in pieces take: those that tests of graphs are about, and those of
// named models.
#include <gtest/gtest.h>

#include "kernels/product/product_plan.h"

namespace lapidary::cuda {
namespace {

AsyncPlan plan_of(int m, int n, int k, int batch = 1, int type = 10,
                  Arithmetic arithmetic = Arithmetic::f16) {
    ProductArgs args;
    args.m = m, args.n = n, args.k = k, args.batch = batch, args.type = type;
    return async_plan(args, arithmetic);
}

TEST(ProductPlan, SmallProductsTakeSmallTilesWhole) {
    EXPECT_EQ(plan_of(128, 768, 768).size, AsyncSize::of_32x32);
    EXPECT_EQ(plan_of(128, 768, 768).split.parts, 1);
    EXPECT_EQ(plan_of(8, 3072, 768).size, AsyncSize::of_32x32);
    EXPECT_EQ(plan_of(128, 3072, 768).size, AsyncSize::of_64x64);
    EXPECT_EQ(plan_of(70, 136, 72).size, AsyncSize::of_32x32) << "HalfProduct";
}

TEST(ProductPlan, FewTilesOfMuchDepthAreSplit) {
    for (const auto& [m, n, k] :
         {std::tuple{128, 768, 3072}, {32, 768, 3072}, {70, 136, 1032}, {5, 72, 2056}}) {
        const AsyncPlan plan = plan_of(m, n, k);
        EXPECT_GT(plan.split.parts, 1) << m;
        EXPECT_EQ(plan.split.parts, (k - 1) / plan.split.part_depth + 1) << "no part is empty";
        const long long tiles = ((m - 1) / plan.rows + 1) * ((n - 1) / plan.columns + 1);
        EXPECT_EQ(plan.split.partial_bytes,
                  4 * plan.split.parts * tiles * plan.rows * plan.columns);
        EXPECT_LE(tiles, counter_count);
    }
}

TEST(ProductPlan, LargeProductsTakeLargeTiles) {
    EXPECT_EQ(plan_of(4096, 4096, 4096).size, AsyncSize::of_128x128);
    EXPECT_EQ(plan_of(72, 200, 40, 64).size, AsyncSize::of_128x128) << "HalfProductLarge";
    EXPECT_EQ(plan_of(2050, 2051, 24).size, AsyncSize::of_128x128) << "HalfProductLargestTurned";
    EXPECT_EQ(plan_of(4100, 1032, 24).size, AsyncSize::of_128x64) << "HalfProductLargest";
    EXPECT_EQ(plan_of(4096, 4096, 1024, 1, 1, Arithmetic::tf32).size, AsyncSize::of_128x128);
    EXPECT_EQ(plan_of(4096, 4096, 1024, 1, 1, Arithmetic::tf32x3).size, AsyncSize::of_128x64);
    EXPECT_EQ(plan_of(2020, 1030, 24).split.parts, 1);
}

}  // namespace
}  // namespace lapidary::cuda
