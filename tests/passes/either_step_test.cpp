// SPDX-License-Identifier: Apache-2.0
// Random models may round an element at a tie of two quantization steps either way, and no other
// element.
#include <memory>

#include <gtest/gtest.h>

#include <lapidary/exec/session.h>

#include "lapgen/bounds.h"
#include "lapgen/either_step.h"
#include "support/pass_harness.h"

namespace lapidary {
namespace {

/// What a model gives, and what is left of other results once ties are settled.
class Settled {
public:
    Settled(std::string_view text, NamedValues inputs)
        : model_(test::model_of(text, 19)), inputs_(std::move(inputs)) {
        expected_ = run(model_);
    }

    const Tensor& expected() const { return expected_[0].second.tensor(); }

    /// The first difference of `found` that no tie explains; empty: none.
    std::string difference(const Tensor& found) const {
        const NamedValues settled = lapgen::with_ties_settled(
            {{"y", found}}, expected_, model_, [this](const Model& m) { return run(m); });
        return lapgen::differences_of(settled, expected_, {Tolerance{0, 0}});
    }

private:
    NamedValues run(const Model& model) const {
        return Session::compile(std::make_shared<const Model>(model), {}).run(inputs_).outputs;
    }

    Model model_;
    NamedValues inputs_, expected_;
};

Tensor bytes(const std::vector<std::uint8_t>& values) {
    return Tensor::of<std::uint8_t>({static_cast<std::int64_t>(values.size())}, values);
}

// Pairs of bytes are averaged: 0.5 and 2.5 are ties, 3 and 4 are none.
constexpr std::string_view averages =
    "(x: u8[1,1,8]) -> (y)\n"
    "d = DequantizeLinear(x, s: f32[]{0.1}, z: u8[]{0})\n"
    "a = AveragePool(d) {kernel_shape: [2], strides: [2]}\n"
    "q = QuantizeLinear(a, s, z)\n"
    "y = Reshape(q, flat: i64[1]{-1})";

NamedValues pairs() {
    return {{"x", Tensor::of<std::uint8_t>({1, 1, 8},
                                           std::vector<std::uint8_t>{0, 1, 3, 3, 2, 3, 2, 6})}};
}

TEST(EitherStep, AnAverageAtATieMayBeEitherStep) {
    const Settled settled(averages, pairs());
    ASSERT_EQ(settled.expected().size(), 4);
    for (const std::uint8_t first : {0, 1})
        for (const std::uint8_t third : {2, 3})
            EXPECT_EQ(settled.difference(bytes({first, 3, third, 4})), "")
                << int(first) << " " << int(third);
}

TEST(EitherStep, WhatIsNoTieMayNot) {
    const Settled settled(averages, pairs());
    const auto expected = settled.expected().data<std::uint8_t>();
    for (std::size_t i = 0; i < expected.size(); ++i)
        for (const int by : {-2, -1, 1, 2}) {
            const bool is_tie = i % 2 == 0;
            const int value = expected[i] + by, low = i == 0 ? 0 : 2;
            if (value < 0 || (is_tie && (value == low || value == low + 1))) continue;
            std::vector<std::uint8_t> found(expected.begin(), expected.end());
            found[i] = static_cast<std::uint8_t>(value);
            EXPECT_NE(settled.difference(bytes(found)), "")
                << "element " << i << " moved by " << by;
        }
}

// 101 + 0.48 is 101.5 in float16, which rounds to 102, and 101.48 in float32, which rounds to 101.
// 101 + 0.25 is the same in both.
TEST(EitherStep, WhatFloat16RoundsOverATieMayBeEitherStep) {
    const Settled settled(
        "(x: f32[2]) -> (y)\n"
        "h = Cast(x) {to: 10}\n"
        "a = Add(h, c: f16[]{101})\n"
        "y = QuantizeLinear(a, s: f16[]{1}, z: u8[]{0})",
        {{"x", Tensor::of<float>({2}, std::vector<float>{0.48f, 0.25f})}});
    EXPECT_EQ(settled.expected().data<std::uint8_t>()[0], 102);
    EXPECT_EQ(settled.expected().data<std::uint8_t>()[1], 101);
    EXPECT_EQ(settled.difference(bytes({101, 101})), "");
    EXPECT_NE(settled.difference(bytes({102, 102})), "");
    EXPECT_NE(settled.difference(bytes({103, 101})), "");
    EXPECT_NE(settled.difference(bytes({100, 101})), "");
}

TEST(EitherStep, SumsOfTiesMayBeBetweenTheStepsOfAll) {
    const std::string text = std::string(averages.substr(0, averages.find("y = "))) +
                             "f = DequantizeLinear(q, s, z)\n"
                             "y = ReduceSum(f) {keepdims: 0}";
    const Settled settled(text, pairs());
    const float expected = settled.expected().data<float>()[0];
    const auto of = [](float value) { return Tensor::of<float>({}, std::vector<float>{value}); };
    int accepted = 0;
    for (int steps = -3; steps <= 3; ++steps)
        accepted +=
            settled.difference(of(expected + 0.1f * static_cast<float>(steps) * 0.999f)).empty();
    EXPECT_EQ(accepted, 3);  // two ties: three sums
}

}  // namespace
}  // namespace lapidary
