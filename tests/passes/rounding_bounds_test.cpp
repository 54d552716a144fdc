// SPDX-License-Identifier: Apache-2.0
// How far random models with 16-bit floats may move where they round less often.
#include <gtest/gtest.h>

#include "lapgen/bounds.h"
#include "support/pass_harness.h"

namespace lapidary {
namespace {

NamedValues outputs_of(std::initializer_list<float> values) {
    NamedValues outputs;
    outputs.emplace_back("y", Tensor::of<float>({std::ssize(values)}, values));
    return outputs;
}

/// The absolute tolerance of the only output; nothing: it is not compared.
std::optional<double> bound(const NamedValues& expected, const NamedValues& held, double unit) {
    const auto widened = lapgen::widened_by_rounding({Tolerance{0, 1e-3}}, expected, held, unit);
    return widened[0] ? std::optional(widened[0]->atol) : std::nullopt;
}

TEST(RoundingBounds, TheUnitIsHalfOfTheLastPlace) {
    EXPECT_EQ(lapgen::rounding_of_halves(
                  test::model_of("(x: f32[2]) -> (y)\n a = Cast(x) {to: 16}\n y = Neg(a)")),
              0x1p-8);
    EXPECT_EQ(lapgen::rounding_of_halves(
                  test::model_of("(x: f32[2]) -> (y)\n a = Cast(x) {to: 10}\n y = Neg(a)")),
              0x1p-11);
    EXPECT_EQ(lapgen::rounding_of_halves(test::model_of("(x: f32[2]) -> (y)\n y = Neg(x)")), 0);
}

// Roundings of two terms may cancel in the only element of an output. Where one of them is left
// out, the result moves by that one.
TEST(RoundingBounds, OfRoundingsThatCancelOneCounts) {
    const double unit = 0x1p-8;
    const NamedValues expected = outputs_of({2});
    EXPECT_DOUBLE_EQ(*bound(expected, outputs_of({2.0001f}), unit), 1e-3 + 2 * unit * 2);
    EXPECT_NEAR(*bound(expected, outputs_of({2.05f}), unit), 1e-3 + 2 * 0.05, 1e-6)
        << "more than one rounding was measured";
}

TEST(RoundingBounds, WhatNoRoundingReachesKeepsItsBound) {
    EXPECT_EQ(bound(outputs_of({2, 3}), outputs_of({2, 3}), 0x1p-8), 1e-3);
}

TEST(RoundingBounds, WhatRoundingsMoveByATenthIsNotCompared) {
    EXPECT_EQ(bound(outputs_of({2}), outputs_of({2.2f}), 0x1p-8), std::nullopt);
    EXPECT_EQ(bound(outputs_of({2}), {}, 0x1p-8), std::nullopt) << "it is not known";
}

}  // namespace
}  // namespace lapidary
