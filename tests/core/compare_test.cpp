// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <lapidary/compare.h>

namespace lapidary {
namespace {

constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

Tensor floats(const std::vector<float>& values) {
    return Tensor::of<float>({static_cast<std::int64_t>(values.size())}, values);
}

TEST(Compare, EqualTensors) {
    const Comparison c = compare(floats({1, 2, 3}), floats({1, 2, 3}));
    EXPECT_TRUE(c.matches);
    EXPECT_EQ(c.elements, 3);
    EXPECT_EQ(c.max_abs, 0);
    EXPECT_TRUE(std::isinf(c.sqnr_db));
    EXPECT_NEAR(c.cosine, 1, 1e-12);
    EXPECT_TRUE(c.reason.empty());
}

TEST(Compare, ToleranceIsAbsolutePlusRelative) {
    const Tolerance tolerance{0.1, 0.5};
    EXPECT_TRUE(compare(floats({11.5f}), floats({10}), tolerance).matches);   // allowed: 0.5 + 0.1 * 10
    EXPECT_FALSE(compare(floats({11.75f}), floats({10}), tolerance).matches);
    EXPECT_TRUE(compare(floats({-0.5f}), floats({0}), tolerance).matches);
    EXPECT_FALSE(compare(floats({0.625f}), floats({0}), tolerance).matches);
}

TEST(Compare, ReportsDifferences) {
    const Comparison c = compare(Tensor::of<float>({2, 2}, {1, 2, 5, 4}), Tensor::of<float>({2, 2}, {1, 2, 4, 4}));
    EXPECT_FALSE(c.matches);
    EXPECT_EQ(c.mismatches, 1);
    EXPECT_EQ(c.max_abs, 1);
    EXPECT_EQ(c.max_rel, 0.25);
    EXPECT_NEAR(c.sqnr_db, 10 * std::log10(37.0), 1e-9);
    EXPECT_NEAR(c.cosine, (1 + 4 + 20 + 16) / std::sqrt(46.0 * 37.0), 1e-12);
    EXPECT_EQ(c.reason, "1 of 4 elements differ, the first at [1,0]: 5, expected 4");
}

TEST(Compare, NanEqualsNanAndInfinityItself) {
    EXPECT_TRUE(
        compare(floats({nan_value, infinity, -infinity, 1}), floats({nan_value, infinity, -infinity, 1})).matches);
    for (const auto& [a, e] : {std::pair{nan_value, 1.0f},
                               {1.0f, nan_value},
                               {infinity, -infinity},
                               {infinity, 1.0f},
                               {1.0f, infinity},
                               {nan_value, infinity}}) {
        const Comparison c = compare(floats({a}), floats({e}), {1e30, 1e30});
        EXPECT_FALSE(c.matches) << a << ' ' << e;
        EXPECT_EQ(c.mismatches, 1);
        EXPECT_TRUE(std::isinf(c.max_abs));
    }
}

TEST(Compare, TypesAndShapesMustAgree) {
    EXPECT_EQ(compare(floats({1}), Tensor::of<double>({1}, {1})).reason, "f32[1], expected f64[1]");
    EXPECT_FALSE(compare(floats({1}), Tensor::of<float>({1, 1}, {1})).matches);
    EXPECT_FALSE(compare(floats({}), Tensor::of<float>({0, 1}, {})).matches);
    EXPECT_TRUE(compare(floats({}), floats({})).matches);
    EXPECT_FALSE(compare(RuntimeValue(), floats({1})).matches);
    EXPECT_TRUE(compare(RuntimeValue(), RuntimeValue()).matches);
}

TEST(Compare, IntegersAreExactUnlessAtolAllows) {
    const auto a = Tensor::of<std::int64_t>({2}, {1000, std::numeric_limits<std::int64_t>::max()});
    const auto b = Tensor::of<std::int64_t>({2}, {1001, std::numeric_limits<std::int64_t>::max()});
    EXPECT_FALSE(compare(a, b, {0.5, 0.9}).matches);
    EXPECT_TRUE(compare(a, b, {0, 1}).matches);
    const auto low = Tensor::of<std::int64_t>({1}, {std::numeric_limits<std::int64_t>::min()});
    const auto high = Tensor::of<std::int64_t>({1}, {std::numeric_limits<std::int64_t>::max()});
    EXPECT_FALSE(compare(low, high, {0, 1e18}).matches);  // the difference does not fit 64 bits
    const auto near = Tensor::of<std::int64_t>({1}, {std::numeric_limits<std::int64_t>::max() - 1});
    EXPECT_FALSE(compare(near, high, {0, 0}).matches);  // the same double, yet not the same number
    EXPECT_FALSE(compare(Tensor::of<bool>({1}, {true}), Tensor::of<bool>({1}, {false}), {1, 1}).matches);
    EXPECT_TRUE(compare(Tensor::of<std::uint8_t>({1}, {3}), Tensor::of<std::uint8_t>({1}, {4}), {0, 1}).matches);
}

TEST(Compare, StringsAreExact) {
    EXPECT_TRUE(compare(Tensor::of<std::string>({1}, {"a"}), Tensor::of<std::string>({1}, {"a"})).matches);
    const Comparison c =
        compare(Tensor::of<std::string>({2}, {"a", "b"}), Tensor::of<std::string>({2}, {"a", "c"}), {9, 9});
    EXPECT_EQ(c.reason, "1 of 2 elements differ, the first at [1]: \"b\", expected \"c\"");
}

TEST(Compare, SmallFloatsAndComplex) {
    EXPECT_TRUE(compare(Tensor::of<Half>({1}, {Half(1)}), Tensor::of<Half>({1}, {Half(1.0005f)})).matches);
    EXPECT_FALSE(
        compare(Tensor::of<BFloat16>({1}, {BFloat16(1)}), Tensor::of<BFloat16>({1}, {BFloat16(1.1f)})).matches);
    using C = std::complex<float>;
    EXPECT_TRUE(compare(Tensor::of<C>({1}, {C(1, 2)}), Tensor::of<C>({1}, {C(1, 2)})).matches);
    EXPECT_FALSE(compare(Tensor::of<C>({1}, {C(1, 2)}), Tensor::of<C>({1}, {C(1, 3)})).matches);
}

TEST(Compare, SequencesAndMaps) {
    const Type element = Type::tensor(DType::f32);
    const RuntimeValue one = Sequence{element, {floats({1}), floats({2})}};
    EXPECT_TRUE(compare(one, Sequence{element, {floats({1}), floats({2})}}).matches);
    EXPECT_FALSE(compare(one, Sequence{element, {floats({1})}}).matches);
    EXPECT_EQ(compare(one, Sequence{element, {floats({1}), floats({3})}}).reason,
              "1 of 2 elements differ, the first at item 1 [0]: 2, expected 3");
    const RuntimeValue map = Map{{}, {"a", "b"}, floats({1, 2})};
    EXPECT_TRUE(compare(map, Map{{}, {"b", "a"}, floats({2, 1})}).matches);
    EXPECT_FALSE(compare(map, Map{{}, {"b", "a"}, floats({1, 2})}).matches);
    EXPECT_FALSE(compare(map, Map{{}, {"a", "c"}, floats({1, 2})}).matches);
    EXPECT_FALSE(compare(map, Map{{1, 2}, {}, floats({1, 2})}).matches);
}

TEST(Compare, ZeroReference) {
    EXPECT_EQ(compare(floats({0}), floats({0})).cosine, 1);
    const Comparison c = compare(floats({1e-6f}), floats({0}));
    EXPECT_TRUE(c.matches);
    EXPECT_EQ(c.cosine, 0);
    EXPECT_EQ(c.max_rel, 0);
}

}  // namespace
}  // namespace lapidary
