// SPDX-License-Identifier: Apache-2.0
// TopK, ArgMax, ArgMin, CumSum, LpNormalization and Hardmax against the reference kernels, on every
// instruction set.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <lapidary/base/error.h>

#include "support/kernel_compare.h"

namespace lapidary::test {
namespace {

/// Pseudo-random whole numbers in [0, range): equal ones occur.
template <typename T>
Tensor drawn(Shape shape, std::uint32_t range, std::uint32_t seed = 1) {
    std::vector<T> values(static_cast<std::size_t>(element_count(shape)));
    for (T& v : values) {
        seed = seed * 1664525u + 1013904223u;
        v = static_cast<T>(static_cast<std::int64_t>((seed >> 8) % range) -
                           (std::is_signed_v<T> ? range / 2 : 0));
    }
    return Tensor::of<T>(std::move(shape), values);
}

Tensor with_odd_values(Tensor x, std::size_t step) {
    const float odd[] = {std::numeric_limits<float>::quiet_NaN(),
                         std::numeric_limits<float>::infinity(),
                         -0.0f,
                         0.0f,
                         -std::numeric_limits<float>::infinity(),
                         -std::numeric_limits<float>::quiet_NaN(),
                         1e-40f};
    auto values = x.mutable_data<float>();
    for (std::size_t i = step / 2, n = 0; i < values.size(); i += step) values[i] = odd[n++ % 7];
    return x;
}

/// Bytes of every output as the reference kernel's.
void expect_same(const char* op, std::int64_t version, const char* kernel,
                 const std::vector<RuntimeValue>& inputs, const std::vector<Attribute>& attributes,
                 std::size_t outputs = 1) {
    KernelRun plain, fast;
    plain.outputs = fast.outputs = outputs;
    fast.kernel = kernel;
    const auto expected = run_kernel("", op, version, inputs, attributes, plain);
    for_each_isa([&](Isa isa) {
        const auto actual = run_kernel("", op, version, inputs, attributes, fast);
        for (std::size_t o = 0; o < outputs; ++o)
            ASSERT_TRUE(same_contents(actual[o].tensor(), expected[o].tensor()))
                << op << " output " << o << " " << inputs.at(0).describe() << " " << name_of(isa);
    });
}

template <typename T>
Tensor one(T value) {
    return Tensor::of<T>({1}, {value});
}

void expect_extremes(const Tensor& x, int axis) {
    for (const int last : {0, 1})
        for (const int keep : {0, 1}) {
            const std::vector<Attribute> attributes{attribute("axis", axis),
                                                    attribute("keepdims", keep),
                                                    attribute("select_last_index", last)};
            expect_same("ArgMax", 13, "axis.arg_max", {x}, attributes);
            expect_same("ArgMin", 13, "axis.arg_min", {x}, attributes);
        }
}

TEST(AxisKernels, ArgExtremesOfAllLengths) {
    for (const std::int64_t n :
         {1, 2, 3, 7, 15, 16, 17, 31, 33, 64, 65, 127, 129, 1023, 1024, 1025, 3000}) {
        for (const std::uint32_t range : {3u, 100000u}) {
            expect_extremes(drawn<float>({3, n}, range), 1);
            expect_extremes(drawn<float>({n, 3}, range), 0);
            expect_extremes(drawn<float>({5, n}, range), 0);
            expect_extremes(drawn<std::int32_t>({5, n}, range), 0);
            expect_extremes(drawn<std::int64_t>({5, n}, range), -2);
            expect_extremes(drawn<std::int32_t>({3, n}, range), 1);
            expect_extremes(drawn<std::int64_t>({3, n}, range), -1);
        }
        expect_extremes(drawn<std::uint8_t>({2, n}, 256), 1);
        expect_extremes(drawn<std::int8_t>({2, n}, 256), 1);
        expect_extremes(drawn<std::uint8_t>({4, n}, 5), 0);
        expect_extremes(drawn<std::int8_t>({4, n}, 5), 0);
    }
    expect_extremes(drawn<float>({2, 21, 37, 53}, 9), 1);
    expect_extremes(drawn<float>({7}, 9), 0);
    expect_extremes(drawn<float>({2, 1, 3}, 9), 1);
    expect_extremes(drawn<float>({40, 3000}, 1 << 20), 1);
    expect_extremes(drawn<float>({300, 700}, 1 << 20), 0);
}

TEST(AxisKernels, ArgExtremesOfOddValues) {
    for (const std::size_t step : {1u, 3u, 50u, 1500u})
        for (const std::int64_t n : {1, 5, 40, 2000}) {
            expect_extremes(with_odd_values(drawn<float>({3, n}, 5), step), 1);
            expect_extremes(with_odd_values(drawn<float>({n, 70}, 5), step), 0);
        }
    EXPECT_THROW(run_kernel_tensor("", "ArgMax", 13, {Tensor::of<float>({2, 0}, {})},
                                   {attribute("axis", 1)}, {.kernel = "axis.arg_max"}),
                 Error);
    EXPECT_THROW(run_kernel_tensor("", "ArgMax", 13, {Tensor::of<float>({2}, {1, 2})},
                                   {attribute("axis", 1)}, {.kernel = "axis.arg_max"}),
                 Error);
}

void expect_top(const Tensor& x, int axis, std::int64_t k) {
    for (const int largest : {0, 1})
        expect_same("TopK", 11, "axis.top_k", {x, one(k)},
                    {attribute("axis", axis), attribute("largest", largest),
                     attribute("sorted", static_cast<int>(k % 2))},
                    2);
}

TEST(AxisKernels, TopKOfAllLengths) {
    for (const std::int64_t n : {1, 2, 15, 16, 17, 63, 64, 65, 127, 128, 130, 257, 1000, 5003})
        for (const std::int64_t k :
             {std::int64_t{1}, std::int64_t{2}, std::int64_t{5}, n / 3, n - 1, n}) {
            if (k < 1 || k > n) continue;
            for (const std::uint32_t range : {2u, 40u, 1u << 20}) {
                expect_top(drawn<float>({2, n}, range), -1, k);
                expect_top(drawn<std::int32_t>({2, n}, range), 1, k);
                expect_top(drawn<std::int64_t>({2, n}, range), 1, k);
            }
            expect_top(drawn<float>({n, 3}, 40), 0, k);
            expect_top(drawn<std::int64_t>({n, 2}, 40), 0, k);
        }
    expect_top(drawn<float>({50, 700}, 1 << 20), 1, 9);
    expect_top(drawn<float>({1, 200000}, 1 << 23), 1, 300);
    expect_top(drawn<std::int64_t>({1, 200000}, 1000), 1, 300);
}

TEST(AxisKernels, TopKOfSortedAndOddValues) {
    std::vector<float> rising(3000), falling(3000);
    for (std::size_t i = 0; i < rising.size(); ++i) {
        rising[i] = static_cast<float>(i) * 0.5f;
        falling[i] = -rising[i];
    }
    for (const std::int64_t k : {1, 70, 1400}) {
        expect_top(Tensor::of<float>({1, 3000}, rising), 1, k);
        expect_top(Tensor::of<float>({1, 3000}, falling), 1, k);
    }
    for (const std::size_t step : {1u, 3u, 50u})
        for (const std::int64_t k : {1, 12, 500})
            expect_top(with_odd_values(drawn<float>({2, 1000}, 7), step), 1, k);
    for (const std::int64_t k : {1, 3, 200}) {
        Tensor narrow = drawn<std::int32_t>({2, 300}, 9);
        Tensor wide = drawn<std::int64_t>({2, 300}, 9);
        for (std::size_t i = 0; i < 600; i += 5) {
            narrow.mutable_data<std::int32_t>()[i] = i % 2 ? INT32_MIN : INT32_MAX;
            wide.mutable_data<std::int64_t>()[i] = i % 2 ? INT64_MIN : INT64_MAX;
        }
        expect_top(narrow, 1, k);
        expect_top(wide, 1, k);
    }
}

TEST(AxisKernels, TopKBeforeKWasAnInput) {
    expect_same("TopK", 1, "axis.top_k", {drawn<float>({3, 90}, 50)}, {attribute("k", 7)}, 2);
    expect_same("TopK", 10, "axis.top_k", {drawn<float>({3, 90}, 50), one<std::int64_t>(0)}, {}, 2);
    KernelRun fast;
    fast.outputs = 2;
    fast.kernel = "axis.top_k";
    EXPECT_THROW(
        run_kernel("", "TopK", 11, {drawn<float>({3, 90}, 50), one<std::int64_t>(91)}, {}, fast),
        Error);
    EXPECT_THROW(run_kernel("", "TopK", 11, {drawn<float>({3, 90}, 50), one<std::int64_t>(1)},
                            {attribute("axis", 2)}, fast),
                 Error);
}

void expect_sums(const Tensor& x, std::int64_t axis, double tolerance) {
    for (const int exclusive : {0, 1})
        for (const int reverse : {0, 1}) {
            const std::vector<Attribute> attributes{attribute("exclusive", exclusive),
                                                    attribute("reverse", reverse)};
            const Tensor expected = run_kernel_tensor("", "CumSum", 14, {x, one(axis)}, attributes);
            for_each_isa([&](Isa isa) {
                const Tensor actual = run_kernel_tensor("", "CumSum", 14, {x, one(axis)},
                                                        attributes, {.kernel = "axis.cum_sum"});
                ASSERT_EQ(actual.shape(), expected.shape());
                const auto a = to_doubles(actual), e = to_doubles(expected);
                for (std::size_t i = 0; i < e.size(); ++i) {
                    if (std::isfinite(e[i]))
                        ASSERT_LE(std::abs(a[i] - e[i]), tolerance * std::max(1.0, std::abs(e[i])))
                            << to_string(x.shape()) << " at " << i << " " << name_of(isa);
                    else
                        ASSERT_TRUE(a[i] == e[i] || (std::isnan(a[i]) && std::isnan(e[i])))
                            << to_string(x.shape()) << " at " << i << " " << name_of(isa);
                }
            });
        }
}

TEST(AxisKernels, CumulativeSums) {
    for (const std::int64_t n : {1, 2, 3, 7, 8, 9, 16, 31, 33, 64, 65, 130, 1000}) {
        expect_sums(drawn<float>({3, n}, 1000), 1, 1e-7);
        expect_sums(drawn<float>({n, 3}, 1000), 0, 1e-7);
        expect_sums(drawn<float>({4, n}, 1000), -2, 1e-7);
        expect_sums(drawn<std::int32_t>({3, n}, 1000), 1, 0);
        expect_sums(drawn<std::int32_t>({4, n}, 1000), 0, 0);
        expect_sums(drawn<std::int64_t>({3, n}, 1000), 1, 0);
        expect_sums(drawn<std::int64_t>({4, n}, 1000), 0, 0);
    }
    expect_sums(with_odd_values(drawn<float>({4, 100}, 5), 30), 1, 1e-7);
    expect_sums(with_odd_values(drawn<float>({100, 40}, 5), 30), 0, 1e-7);
    expect_sums(drawn<float>({60, 5000}, 1000), 1, 1e-7);
    expect_sums(drawn<float>({200, 900}, 1000), 0, 1e-7);
    expect_sums(drawn<float>({37, 5003}, 1000), 0, 1e-7);  // wider than the sums kept at once
    expect_sums(drawn<float>({2, 19, 4171}, 1000), 1, 1e-7);
    expect_sums(drawn<std::int32_t>({19, 4171}, 1000), 0, 0);
    expect_sums(drawn<std::int64_t>({19, 4171}, 1000), 0, 0);
    expect_sums(with_odd_values(drawn<float>({50, 3000}, 5), 301), 0, 1e-7);
    const Tensor most = Tensor::of<std::int32_t>({1, 3}, {INT32_MAX, 1, 1});
    expect_sums(most, 1, 0);  // wraps around
    EXPECT_THROW(run_kernel_tensor("", "CumSum", 14, {most, one<std::int64_t>(2)}, {},
                                   {.kernel = "axis.cum_sum"}),
                 Error);
}

TEST(AxisKernels, LpNormalizationDividesByTheNorm) {
    const auto expect_normalized = [](const Tensor& x, int axis) {
        for (const int p : {1, 2})
            expect_as_reference("", "LpNormalization", 22, "axis.lp_normalization", {x},
                                {attribute("axis", axis), attribute("p", p)}, 1e-6);
    };
    for (const std::int64_t width : {1, 2, 7, 8, 15, 16, 17, 33, 64, 65, 130, 2100}) {
        expect_normalized(noise({3, width}, 1), -1);
        expect_normalized(noise({2, width, 3}, 2), 1);
        expect_normalized(noise({5, width}, 3), 0);
    }
    expect_normalized(noise({40, 900}, 4), 1);
    // A line of zeros, squares beyond what float holds, infinity and NaN, each in a line and in a
    // column of its own.
    Tensor x = noise({40, 40}, 5);
    const auto at = [values = x.mutable_data<float>()](std::size_t row,
                                                       std::size_t column) -> float& {
        return values[row * 40 + column];
    };
    for (std::size_t i = 0; i < 40; ++i) {
        at(1, i) = at(i, 1) = 0;
        at(3, i) = at(i, 3) = 1e30f;
        at(5, i) = at(i, 5) = 1e-30f;
    }
    at(7, 7) = std::numeric_limits<float>::infinity();
    at(9, 9) = std::numeric_limits<float>::quiet_NaN();
    for (const int axis : {0, 1}) expect_normalized(x, axis);
    EXPECT_THROW(run_kernel("", "LpNormalization", 22, {noise({2}, 1)}, {attribute("p", 3)},
                            {.kernel = "axis.lp_normalization"}),
                 Error);
    EXPECT_THROW(run_kernel("", "LpNormalization", 22, {noise({2}, 1)}, {attribute("axis", 1)},
                            {.kernel = "axis.lp_normalization"}),
                 Error);
}

TEST(AxisKernels, HardmaxMarksTheFirstLargest) {
    for (const std::int64_t width : {1, 2, 7, 8, 15, 16, 17, 33, 64, 65, 300}) {
        for (const bool odd : {false, true}) {
            const auto given = [&](Shape shape) {
                return odd ? with_odd_values(drawn<float>(std::move(shape), 9), 5)
                           : drawn<float>(std::move(shape), 9);
            };
            expect_same("Hardmax", 13, "axis.hardmax", {given({3, width})}, {});
            expect_same("Hardmax", 13, "axis.hardmax", {given({2, width, 3})},
                        {attribute("axis", 1)});
            expect_same("Hardmax", 13, "axis.hardmax", {given({5, width})}, {attribute("axis", 0)});
            expect_same("Hardmax", 11, "axis.hardmax", {given({3, 4, width})},
                        {attribute("axis", 1)});
            expect_same("Hardmax", 11, "axis.hardmax", {given({3, 4, width})},
                        {attribute("axis", 2)});
        }
    }
    expect_same("Hardmax", 13, "axis.hardmax", {drawn<float>({60, 1000}, 1000)}, {});
    EXPECT_THROW(run_kernel("", "Hardmax", 13, {noise({2}, 1)}, {attribute("axis", 1)},
                            {.kernel = "axis.hardmax"}),
                 Error);
}

}  // namespace
}  // namespace lapidary::test
