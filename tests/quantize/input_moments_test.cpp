// SPDX-License-Identifier: Apache-2.0
// Second moments: rows added eight at a time give the bits that rows added one by one give.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "quantize/calibration/input_moments.h"

namespace lapidary {
namespace {

InputMoments empty_moments(std::int64_t groups, std::int64_t size) {
    InputMoments moments;
    moments.groups = groups;
    moments.size = size;
    moments.sums.assign(static_cast<std::size_t>(groups * size * size), 0);
    return moments;
}

void add_one_by_one(InputMoments& moments, std::int64_t group, const std::vector<float>& row) {
    double* to = moments.sums.data() + group * moments.size * moments.size;
    for (std::int64_t i = 0; i < moments.size; ++i, to += moments.size) {
        const double left = row[static_cast<std::size_t>(i)];
        if (left == 0) continue;
        for (std::int64_t j = 0; j <= i; ++j) to[j] += left * row[static_cast<std::size_t>(j)];
    }
}

class Moments : public ::testing::TestWithParam<std::int64_t> {};

TEST_P(Moments, HaveTheBitsOfRowsOneByOne) {
    const std::int64_t size = GetParam();
    for (const bool has_infinity : {false, true})
        for (const int count : {1, 7, 8, 21}) {
            std::mt19937 random(5);
            std::normal_distribution<float> normal;
            InputMoments together = empty_moments(2, size), alone = empty_moments(2, size);
            {
                MomentRows to(together);
                for (int r = 0; r < count; ++r)
                    for (const std::int64_t group : {0, 1}) {
                        std::vector<float> row(static_cast<std::size_t>(size));
                        for (float& value : row)
                            value = std::max(normal(random), 0.0F);  // as behind a Relu
                        if (has_infinity && r == 3)
                            row.back() = std::numeric_limits<float>::infinity();
                        to.add(group, row);
                        add_one_by_one(alone, group, row);
                    }
            }
            ASSERT_EQ(together.sums.size(), alone.sums.size());
            EXPECT_EQ(std::memcmp(together.sums.data(), alone.sums.data(),
                                  alone.sums.size() * sizeof(double)),
                      0)
                << count << " rows of " << size << (has_infinity ? ", one infinite" : "");
        }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Moments, testing::Values(1, 5, 256, 257, 700));

}  // namespace
}  // namespace lapidary
