// SPDX-License-Identifier: Apache-2.0
// Grids count to 65,535 along y and z: the emulated device refuses what a device would, and
// whatever grows with a model's sizes is numbered along x.
#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <stdexcept>
#include <tuple>

#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/ops/infer.h>

#include "kernels/attention/attention_score.cuh"
#include "kernels/product/tile_product.cuh"
#include "plugins/cuda/emulated_provider.h"
#include "support/pass_harness.h"

namespace lapidary::cuda {
namespace {

TEST(LaunchSize, WhatNoDeviceTakesIsRefused) {
    const auto launch = [](Grid grid, unsigned threads) {
        emulated::run(grid, threads, false, 0, [] {});
    };
    EXPECT_NO_THROW(launch({70000, 1, 1}, 1));
    EXPECT_NO_THROW(launch({1, 65535, 1}, 1));
    EXPECT_THROW(launch({1, 65536, 1}, 1), std::logic_error);
    EXPECT_THROW(launch({1, 1, 65536}, 1), std::logic_error);
    EXPECT_THROW(launch({0, 1, 1}, 1), std::logic_error);
    EXPECT_THROW(launch({1, 1, 1}, 1025), std::logic_error);
    EXPECT_THROW(launch({1, 1, 1}, 0), std::logic_error);
}

TEST(LaunchSize, BlocksOfAttentionTakeEachPlaceOnce) {
    constexpr int tile = 16;
    AttentionArgs args;
    args.batch = 3, args.heads = 5, args.queries = 33, args.parts = 2;
    std::map<std::tuple<int, int, int, int>, int> times;
    std::mutex mutex;
    emulated::run(attention_grid(args, tile), 1, false, 0, [&] {
        const AttentionBlock b = attention_block(args, tile);
        const std::lock_guard lock(mutex);
        ++times[{b.batch, b.head, b.tile, b.slice}];
    });
    EXPECT_EQ(times.size(), std::size_t{3 * 5 * 3 * 2});
    for (const auto& [place, count] : times) {
        const auto [batch, head, tile_of, slice] = place;
        EXPECT_EQ(count, 1);
        EXPECT_TRUE(batch >= 0 && batch < 3 && head >= 0 && head < 5 && tile_of >= 0 &&
                    tile_of < 3 && slice >= 0 && slice < 2);
    }
    args.batch = 70000;
    args.heads = 66000;
    args.parts = args.queries = 1;
    const Grid grid = attention_grid(args, 1);
    EXPECT_EQ(grid.y, 1u);
    EXPECT_EQ(grid.z, 1u);
}

TEST(LaunchSize, TilesOfAResultAreEachTakenOnce) {
    constexpr int rows = 1000, columns = 130;  // 32 x 3 tiles of 32 x 64, the last ones ragged
    std::map<std::pair<int, int>, int> times;
    std::mutex mutex;
    emulated::run(tile_grid(32, 3, 1), 1, false, 0, [&] {
        const TilePlace first = first_of_tile(rows, columns, 32, 64);
        const std::lock_guard lock(mutex);
        ++times[{first.row, first.column}];
    });
    EXPECT_EQ(times.size(), std::size_t{32 * 3});
    for (const auto& [first, count] : times) {
        EXPECT_EQ(count, 1);
        EXPECT_TRUE(first.first % 32 == 0 && first.first < rows && first.second % 64 == 0 &&
                    first.second < columns);
    }
    const Grid large = tile_grid(70000, 3, 100000);
    EXPECT_EQ(large.x, 210000u);
    EXPECT_EQ(large.y, 1u);
    EXPECT_EQ(large.z, most_blocks_along);
}

}  // namespace
}  // namespace lapidary::cuda

namespace lapidary::test {
namespace {

/// A block takes one after the other. (Attention of as many batches is right too, and takes the
/// emulated device minutes.)
TEST(LaunchSize, ProductsTakeMoreBatchesThanAGridHasAlongZ) {
    Model made = model_of("(a: f32[65540,2,1], b: f32[65540,1,2]) -> (y)\ny = MatMul(a, b)");
    infer_types(made);
    const auto model = std::make_shared<const Model>(std::move(made));
    EXPECT_EQ(compare_with_reference(model, generate_inputs(*model, {}, {.seed = 5}), {},
                                     exact_arithmetic),
              "");
}

}  // namespace
}  // namespace lapidary::test
