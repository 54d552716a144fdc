// SPDX-License-Identifier: Apache-2.0
// Inputs for tests of elementwise kernels, and what is expected of their outputs.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/kernel_harness.h"

namespace lapidary::test {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();

inline std::vector<float> random_floats(std::int64_t count, float low, float high,
                                        std::uint32_t seed = 1) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> distribution(low, high);
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& v : values) v = distribution(generator);
    return values;
}

inline Tensor random_tensor(Shape shape, float low = -4, float high = 4, std::uint32_t seed = 1) {
    const std::int64_t count = element_count(shape);
    return Tensor::of<float>(std::move(shape), random_floats(count, low, high, seed));
}

/// A run that has to take this kernel; inputs of these indices are constants.
inline KernelRun fast(const char* kernel, std::set<std::size_t> constants = {}) {
    KernelRun run;
    run.kernel = kernel;
    run.constants = std::move(constants);
    return run;
}

/// Each element within `absolute` + `relative` of the expected one; NaN where NaN is expected.
inline void expect_near(const Tensor& actual, const Tensor& expected, float absolute,
                        float relative, const std::string& what) {
    ASSERT_EQ(actual.shape(), expected.shape()) << what;
    ASSERT_EQ(actual.dtype(), expected.dtype()) << what;
    const auto a = to_doubles(actual), e = to_doubles(expected);
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (std::isnan(e[i])) {
            ASSERT_TRUE(std::isnan(a[i])) << what << " at " << i;
        } else if (a[i] != e[i]) {
            ASSERT_LE(std::fabs(a[i] - e[i]), absolute + relative * std::fabs(e[i]))
                << what << " at " << i << ": " << a[i] << " for " << e[i];
        }
    }
}

/// Shapes of two operands that broadcast in every way: scalars, rows, columns, empty ones, large
/// ones.
inline const std::vector<std::pair<Shape, Shape>>& broadcast_cases() {
    static const std::vector<std::pair<Shape, Shape>> cases{
        {{}, {}},
        {{7}, {7}},
        {{7}, {}},
        {{}, {33}},
        {{3, 5}, {5}},
        {{3, 5}, {3, 1}},
        {{5}, {3, 5}},
        {{1, 5}, {3, 1}},
        {{2, 3, 4, 5}, {3, 1, 1}},
        {{1, 6, 1, 1}, {2, 6, 7, 9}},
        {{2, 1, 4}, {3, 1}},
        {{2, 1, 3, 1, 5}, {4, 1, 6, 1}},
        {{64, 3}, {3}},
        {{3}, {500, 3}},
        {{0, 3}, {3}},
        {{3, 0}, {1}},
        {{17, 19}, {17, 19}},
        {{1, 1, 1}, {4}},
        {{40000}, {40000}},
        {{3, 20000}, {3, 1}},
        {{20000, 3}, {20000, 1}},
        {{20000, 4}, {4}},
        {{2, 3, 1, 1, 2, 2, 3}, {3, 2, 1, 1, 3}},
        {{700, 2}, {700, 1}},
        {{5, 300, 2}, {300, 1}},
        {{300, 1}, {1, 3}},
        {{1, 300, 1, 2}, {4, 1, 3, 1}},
    };
    return cases;
}

}  // namespace lapidary::test
