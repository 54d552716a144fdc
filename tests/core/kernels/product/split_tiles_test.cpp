// SPDX-License-Identifier: Apache-2.0
// Numbers are split into parts by the CPU's vectors as by plain code.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "core/kernels/product/plain_split_tiles.h"

namespace lapidary::test {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

TEST(SplitTiles, PartsAreThoseOfPlainCode) {
    if (!split_tile_kernels()) GTEST_SKIP() << "this CPU has no tiles";
    const SplitTileKernels &fast = *split_tile_kernels(), &plain = plain_split::kernels;
    const auto expect_equal = [](const SplitRange& got, const SplitRange& expected) {
        EXPECT_EQ(got.largest, expected.largest);
        EXPECT_EQ(got.least, expected.least);
        EXPECT_EQ(got.parts, expected.parts);
    };
    for (std::int64_t inner : {1, 16, 31, 32, 50, 96})
        for (int count : {1, 16, 17, 32}) {
            SCOPED_TRACE(std::to_string(inner) + " by " + std::to_string(count));
            std::mt19937 generator(6);
            std::normal_distribution<float> normal;
            std::vector<float> values(at(inner * count));
            for (float& v : values) v = normal(generator);
            std::vector<std::uint16_t> got(at(split_tiles::left_elements(count, inner)), 7),
                expected = got;
            SplitRows rows;
            rows.from = values.data();
            rows.row_step = rows.inner = inner;
            rows.rows = count;
            rows.to = got.data();
            const SplitRange of_rows = fast.split_rows(rows);
            rows.to = expected.data();
            expect_equal(of_rows, plain.split_rows(rows));
            EXPECT_EQ(got, expected);

            SplitColumns columns;
            columns.from = values.data();
            columns.stride = columns.columns = count;
            columns.inner = inner;
            columns.first = 16;
            got.assign(at(split_tiles::right_elements(16 + count, inner)), 0);
            expected = got;
            columns.to = got.data();
            const SplitRange of_columns = fast.split_columns(columns);
            columns.to = expected.data();
            expect_equal(of_columns, plain.split_columns(columns));
            EXPECT_EQ(got, expected);
        }
}

}  // namespace
}  // namespace lapidary::test
