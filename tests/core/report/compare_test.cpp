// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <span>

#include <gtest/gtest.h>

#include <lapidary/bench/bench.h>
#include <lapidary/proof/compare.h>
#include <lapidary/proof/compare_variants.h>
#include <lapidary/proof/guard.h>
#include <lapidary/exec/session.h>

#include "support/pass_harness.h"

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
    // allowed: 0.5 + 0.1 * 10
    EXPECT_TRUE(compare(floats({11.5f}), floats({10}), tolerance).matches);
    EXPECT_FALSE(compare(floats({11.75f}), floats({10}), tolerance).matches);
    EXPECT_TRUE(compare(floats({-0.5f}), floats({0}), tolerance).matches);
    EXPECT_FALSE(compare(floats({0.625f}), floats({0}), tolerance).matches);
}

TEST(Compare, ReportsDifferences) {
    const Comparison c =
        compare(Tensor::of<float>({2, 2}, {1, 2, 5, 4}), Tensor::of<float>({2, 2}, {1, 2, 4, 4}));
    EXPECT_FALSE(c.matches);
    EXPECT_EQ(c.mismatches, 1);
    EXPECT_EQ(c.max_abs, 1);
    EXPECT_EQ(c.max_rel, 0.25);
    EXPECT_NEAR(c.sqnr_db, 10 * std::log10(37.0), 1e-9);
    EXPECT_NEAR(c.cosine, (1 + 4 + 20 + 16) / std::sqrt(46.0 * 37.0), 1e-12);
    EXPECT_EQ(c.magnitude, 4);
    EXPECT_EQ(c.relative(), 0.25);
    EXPECT_EQ(c.reason,
              "1 of 4 elements differ, most at [1,0]: 5, expected 4; the largest magnitude is 4, "
              "SQNR 15.7 dB, cosine "
              "0.993812");
}

TEST(Compare, NanEqualsNanAndInfinityItself) {
    EXPECT_TRUE(compare(floats({nan_value, infinity, -infinity, 1}),
                        floats({nan_value, infinity, -infinity, 1}))
                    .matches);
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
    EXPECT_FALSE(
        compare(Tensor::of<bool>({1}, {true}), Tensor::of<bool>({1}, {false}), {1, 1}).matches);
    EXPECT_TRUE(
        compare(Tensor::of<std::uint8_t>({1}, {3}), Tensor::of<std::uint8_t>({1}, {4}), {0, 1})
            .matches);
}

TEST(Compare, StringsAreExact) {
    EXPECT_TRUE(
        compare(Tensor::of<std::string>({1}, {"a"}), Tensor::of<std::string>({1}, {"a"})).matches);
    const Comparison c = compare(Tensor::of<std::string>({2}, {"a", "b"}),
                                 Tensor::of<std::string>({2}, {"a", "c"}), {9, 9});
    EXPECT_EQ(c.reason, "1 of 2 elements differ, most at [1]: \"b\", expected \"c\"");
}

TEST(Compare, SmallFloatsAndComplex) {
    EXPECT_TRUE(
        compare(Tensor::of<Half>({1}, {Half(1)}), Tensor::of<Half>({1}, {Half(1.0005f)})).matches);
    EXPECT_FALSE(compare(Tensor::of<BFloat16>({1}, {BFloat16(1)}),
                         Tensor::of<BFloat16>({1}, {BFloat16(1.1f)}))
                     .matches);
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
              "1 of 2 elements differ, most at item 1 [0]: 2, expected 3; the largest magnitude is "
              "3, SQNR 10.0 dB, "
              "cosine 0.989949");
    const RuntimeValue map = Map{{}, {"a", "b"}, floats({1, 2})};
    EXPECT_TRUE(compare(map, Map{{}, {"b", "a"}, floats({2, 1})}).matches);
    EXPECT_FALSE(compare(map, Map{{}, {"b", "a"}, floats({1, 2})}).matches);
    EXPECT_FALSE(compare(map, Map{{}, {"a", "c"}, floats({1, 2})}).matches);
    EXPECT_FALSE(compare(map, Map{{1, 2}, {}, floats({1, 2})}).matches);
}

/// 50,176 values of a picture, one of them near 0 and off by what the large ones round.
TEST(Compare, SmallElementsMayBeOffByWhatLargeOnesRound) {
    std::vector<float> expected(50176), actual;
    for (std::size_t i = 0; i < expected.size(); ++i)
        expected[i] = 3 * std::sin(static_cast<float>(i));
    expected[7] = 1e-6f;
    actual = expected;
    actual[7] += 5e-5f;
    EXPECT_FALSE(compare(floats(actual), floats(expected)).matches);
    const Comparison c = compare(floats(actual), floats(expected), same_result);
    EXPECT_TRUE(c.matches) << c.reason;
    EXPECT_GT(c.sqnr_db, 120);
    actual[7] += 2e-3f;
    EXPECT_FALSE(compare(floats(actual), floats(expected), same_result).matches);
}

TEST(Compare, AFewHugeElementsDoNotExcuseTheOthers) {
    std::vector<float> expected(1000, 0.5f);
    for (std::size_t i = 0; i < 100; ++i) expected[i * 10] = -1e9f;
    std::vector<float> actual = expected;
    actual[1] += 2e-3f;
    EXPECT_DOUBLE_EQ(usual_magnitude(floats(expected)), 2);
    EXPECT_FALSE(compare(floats(actual), floats(expected), same_result).matches);
    actual[1] = 0.5005f;
    EXPECT_TRUE(compare(floats(actual), floats(expected), same_result).matches);
}

TEST(Compare, TheUsualMagnitudeLeavesOutZerosAndWhatIsNotFinite) {
    EXPECT_EQ(usual_magnitude(floats({})), 0);
    EXPECT_EQ(usual_magnitude(floats({0, 0})), 0);
    EXPECT_EQ(usual_magnitude(floats({0, -3, nan_value, infinity})), 3);  // at most the largest
    EXPECT_EQ(usual_magnitude(floats({1, 1, 1, 100, 0, 0, 0, 0})), 4);
    EXPECT_EQ(usual_magnitude(Tensor::of<std::string>({1}, {"a"})), 0);
}

TEST(Compare, TheElementTypeSaysWhatRoundingWeighs) {
    const auto halves = [](float small) {
        return Tensor::of<Half>({4}, {Half(8.0f), Half(-8.0f), Half(6.0f), Half(small)});
    };
    EXPECT_FALSE(compare(halves(0.03f), halves(0.01f)).matches);
    // allowed: about 1e-3 * 4 * 8
    EXPECT_TRUE(compare(halves(0.03f), halves(0.01f), same_result).matches);
    EXPECT_FALSE(compare(halves(0.06f), halves(0.01f), same_result).matches);
    const auto words = [](float small) {
        return Tensor::of<BFloat16>({2}, {BFloat16(8.0f), BFloat16(small)});
    };
    EXPECT_TRUE(compare(words(0.1f), words(0.01f), same_result).matches);
    EXPECT_FALSE(compare(words(0.3f), words(0.01f), same_result).matches);
    EXPECT_FALSE(compare(floats({8, 0.03f}), floats({8, 0.01f}), same_result).matches);
}

/// Outputs whose elements are all about `size`, and the same off by `error` of each.
std::pair<Tensor, Tensor> off_by(double size, double error, std::size_t count = 1000) {
    std::vector<float> expected(count), actual(count);
    for (std::size_t i = 0; i < count; ++i) {
        const double value = size * (1 + 0.5 * std::sin(static_cast<double>(i)));
        expected[i] = static_cast<float>(value);
        actual[i] = static_cast<float>(value * (1 + (i % 2 ? error : -error)));
    }
    return {floats(actual), floats(expected)};
}

TEST(Compare, TheRuleDoesNotDependOnTheMagnitudeOfTheOutput) {
    for (const double size : {1e4, 1.0, 1e-2, 2e-4, 5e-5}) {
        const auto [wrong, expected] = off_by(size, 0.0183);
        const Comparison c = compare(wrong, expected, same_result);
        EXPECT_FALSE(c.matches) << "of " << size << ": " << c.sqnr_db << " dB";
        const auto [rounded, same] = off_by(size, 2e-4);
        const Comparison near = compare(rounded, same, same_result);
        EXPECT_TRUE(near.matches) << "of " << size << ": " << near.reason;
    }
}

TEST(Compare, OutputsNearZeroAreComparedByTheAbsoluteTolerance) {
    EXPECT_TRUE(compare(floats({9e-6f, 0, 0}), floats({0, 0, 0}), same_result).matches);
    EXPECT_FALSE(compare(floats({2e-5f, 0, 0}), floats({0, 0, 0}), same_result).matches);
    EXPECT_TRUE(compare(floats({9e-6f, nan_value}), floats({0, nan_value}), same_result).matches);
    EXPECT_FALSE(compare(floats({9e-6f, 0}), floats({0, nan_value}), same_result).matches);
    EXPECT_TRUE(compare(floats({2e-8f, -1e-8f}), floats({-1e-8f, 3e-8f}), same_result).matches)
        << "less than what sums of terms about one round";
}

TEST(Compare, SmallElementsBesideLargeOnesMayBeOffByWhatSumsOfTheLargeRound) {
    std::vector<float> expected(1000, 1e-6f);  // probabilities: one class takes nearly all
    expected[3] = 0.999f;
    std::vector<float> actual = expected;
    actual[5] += 5e-7f;
    EXPECT_TRUE(compare(floats(actual), floats(expected), same_result).matches);
    actual[5] += 4e-6f;
    EXPECT_FALSE(compare(floats(actual), floats(expected), same_result).matches)
        << "five times the probability";
    actual = expected;
    actual[3] -= 5e-4f;
    EXPECT_TRUE(compare(floats(actual), floats(expected), same_result).matches);
}

TEST(Compare, AGivenAbsoluteToleranceCountsInFull) {
    const auto [wrong, expected] = off_by(2e-4, 0.0183);
    EXPECT_TRUE(compare(wrong, expected, same_result_within(1e-3, 2e-5)).matches);
    EXPECT_FALSE(compare(wrong, expected, same_result_within(1e-3, 1e-5)).matches);
    EXPECT_FALSE(compare(wrong, expected, same_result_within(1e-3, 0)).matches);
    Tolerance more = same_result;
    more.further = 1e-5;
    EXPECT_TRUE(compare(wrong, expected, more).matches);
    BenchOptions options;
    EXPECT_FALSE(compare_engines({{"y", wrong}}, {{"y", expected}}, options).matches)
        << "bench judges by the same rule";
    EXPECT_TRUE(compare_engines({{"y", wrong}}, {{"y", expected}}, options, {{"y", 1e-5}}).matches);
}

TEST(Compare, OnlyLevelsOfAQuantizerMayBeOneStepApart) {
    const auto bytes = [](std::uint8_t first, std::uint8_t last) {
        return Tensor::of<std::uint8_t>({3}, {first, 0, last});
    };
    EXPECT_TRUE(compare(bytes(4, 15), bytes(5, 15), same_result).matches);
    EXPECT_FALSE(compare(bytes(4, 15), bytes(6, 15), same_result).matches);
    EXPECT_FALSE(compare(bytes(4, 14), bytes(5, 14), same_result).matches);  // flags or labels
    EXPECT_FALSE(compare(bytes(4, 15), bytes(5, 15)).matches);
    EXPECT_FALSE(compare(Tensor::of<std::int32_t>({2}, {1, 900}),
                         Tensor::of<std::int32_t>({2}, {2, 900}), same_result)
                     .matches);
}

TEST(CompareOutputs, NamesWhatOneOfThemLacks) {
    NamedValues a, b;
    a.emplace_back("y", floats({1}));
    a.emplace_back("only_a", floats({1}));
    b.emplace_back("only_b", floats({1}));
    b.emplace_back("y", floats({1}));
    const std::vector<OutputComparison> found = compare_outputs(b, a);
    ASSERT_EQ(found.size(), 3u);
    EXPECT_TRUE(found[0].comparison.matches);
    EXPECT_EQ(found[1].name, "only_a");
    EXPECT_EQ(found[1].comparison.reason, "the second model has no output of this name");
    EXPECT_EQ(found[2].name, "only_b");
    EXPECT_EQ(found[2].comparison.reason, "the first model has no output of this name");
}

/// Sums whose terms all but cancel: `x` has each value twice with opposite signs, `w` nearly equal
/// rows for both.
NamedValues cancelling_inputs() {
    constexpr std::int64_t rows = 4, terms = 512, columns = 64;
    std::vector<float> x, w(static_cast<std::size_t>(terms * columns));
    std::uint32_t state = 7;
    const auto next = [&] {  // -1..1
        state = state * 1664525u + 1013904223u;
        return static_cast<float>(state >> 8) / static_cast<float>(1 << 23) - 1;
    };
    for (std::int64_t r = 0; r < rows; ++r) {
        std::vector<float> half;
        for (std::int64_t i = 0; i < terms / 2; ++i) half.push_back(next());
        x.insert(x.end(), half.begin(), half.end());
        for (const float v : half) x.push_back(-v);
    }
    const std::size_t second = w.size() / 2;
    for (std::size_t i = 0; i < second; ++i) {
        w[i] = next();
        w[second + i] = w[i] * (1 + 5e-5f * next());
    }
    NamedValues inputs;
    inputs.emplace_back("x", Tensor::of<float>({rows, terms}, x));
    inputs.emplace_back("w", Tensor::of<float>({terms, columns}, w));
    return inputs;
}

NamedValues outputs_of(const Model& model, const NamedValues& inputs, bool plain) {
    SessionOptions options;
    options.reference_kernels = plain;
    return Session::compile(std::make_shared<const Model>(model), options).run(inputs).outputs;
}

TEST(CompareVariants, AllowsWhatSmallChangesOfInputsMoveAsTheGuardDoes) {
    const Model model = test::model_of("(x: f32[4,512], w: f32[512,64]) -> (y)\n y = MatMul(x, w)");
    const NamedValues inputs = cancelling_inputs();
    const NamedValues fast = outputs_of(model, inputs, false),
                      plain = outputs_of(model, inputs, true);
    ASSERT_FALSE(compare_outputs(plain, fast)[0].comparison.matches) << "the case shows nothing";
    const auto found = compare_variants({model, plain}, {model, fast}, {model, fast}, inputs);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(found[0].comparison.matches) << found[0].comparison.reason;
    EXPECT_TRUE(found[0].comparison.reason.starts_with(
        "in another order of its sums the model itself moves it by"))
        << found[0].comparison.reason;

    const std::span<const float> right = fast[0].second.tensor().data<float>();
    std::vector<float> values(right.begin(), right.end());
    values[0] += static_cast<float>(5 * compare(plain[0].second, fast[0].second, {0, 0}).max_abs);
    NamedValues wrong;
    wrong.emplace_back("y", Tensor::of<float>({4, 64}, values));
    EXPECT_FALSE(compare_variants({model, wrong}, {model, fast}, {model, fast}, inputs)[0]
                     .comparison.matches);
    const Tolerance less = same_result_within(1e-4, 1e-5);
    EXPECT_FALSE(compare_variants({model, plain}, {model, fast}, {model, fast}, inputs, less)[0]
                     .comparison.matches)
        << "with a smaller tolerance than usual every change is a difference";
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
