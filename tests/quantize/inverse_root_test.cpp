// SPDX-License-Identifier: Apache-2.0
#include "base/threads/serial_threads.h"
#include "base/threads/task_threads.h"
#include "quantize/weights/inverse_root.h"

#include <cmath>

#include <gtest/gtest.h>

namespace lapidary {
namespace {

/// Of sizes below, at and beyond the panels that rows are worked on in.
class InverseRoot : public testing::TestWithParam<std::size_t> {};

TEST_P(InverseRoot, TimesTheMatrixGivesOne) {
    const std::size_t n = GetParam();
    std::vector<double> rows(2 * n * n), matrix(n * n, 0);
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = std::sin(static_cast<double>(i * i % 1009));
    for (std::size_t r = 0; r < 2 * n; ++r)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                matrix[i * n + j] += rows[r * n + i] * rows[r * n + j];
    double mean = 0;
    for (std::size_t i = 0; i < n; ++i) mean += matrix[i * n + i] / static_cast<double>(n);
    constexpr double damping = 0.01;
    std::vector<double> lower = matrix;  // of the upper triangle nothing may be read
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n; ++j) lower[i * n + j] = std::nan("");
    SerialThreads alone;
    const auto upper = inverse_root(lower, n, damping, alone);
    ASSERT_TRUE(upper);
    TaskThreads several(3);
    several.execute([&] {
        EXPECT_EQ(inverse_root(lower, n, damping, several), upper) << "the number of threads";
    });
    for (std::size_t i = 0; i < n; ++i) matrix[i * n + i] += damping * mean;
    std::vector<double> inverse(n * n, 0);
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = k; i < n; ++i)
            for (std::size_t j = k; j < n; ++j)
                inverse[i * n + j] += (*upper)[k * n + i] * (*upper)[k * n + j];
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            double sum = 0;
            for (std::size_t k = 0; k < n; ++k) sum += matrix[i * n + k] * inverse[k * n + j];
            EXPECT_NEAR(sum, i == j ? 1 : 0, 1e-8) << i << ", " << j;
            if (j < i) { EXPECT_EQ((*upper)[i * n + j], 0) << "an upper triangle"; }
        }
}

INSTANTIATE_TEST_SUITE_P(Sizes, InverseRoot, testing::Values(1, 5, 32, 33, 100));

TEST(InverseRoot, WhatIsNotPositiveHasNone) {
    SerialThreads alone;
    EXPECT_FALSE(inverse_root({0, 0, 0, 0}, 2, 0.01, alone));
    EXPECT_FALSE(inverse_root({1, 0, 2, 1}, 2, 0, alone)) << "determinant -3";
}

}  // namespace
}  // namespace lapidary
