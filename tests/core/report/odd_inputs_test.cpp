// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/proof/guard.h>
#include <lapidary/inputs/odd_inputs.h>

namespace lapidary {
namespace {

Model model_of(const std::string& text) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(text);
    return model;
}

std::vector<double> numbers(const NamedValues& values, const std::string& name) {
    return to_doubles(find(values, name)->tensor());
}

bool holds(const std::vector<double>& values, double wanted) {
    return std::ranges::count(values, wanted) > 0;
}

TEST(OddInputs, MasksGetOtherValuesThenRowsThatHideAll) {
    const Model model = model_of(R"((x: f32[4,64], keep: i64[4,64], float_mask: f32[4,64]) -> (y)
        left = Sub(one: i64[]{1}, keep)
        f = Cast(left) {to: 1}
        m = Mul(f, float_mask)
        y = Add(x, m))");
    const auto odd = odd_inputs(model, generate_inputs(model));
    ASSERT_EQ(odd.size(), 3u);
    EXPECT_EQ(odd[0].kind, OddInputs::Kind::other_values);
    for (const char* name : {"keep", "float_mask"})
        for (const double value : {0.0, 1.0, 2.0, -1.0})
            EXPECT_TRUE(holds(numbers(odd[0].inputs, name), value)) << name << " " << value;
    EXPECT_TRUE(holds(numbers(odd[0].inputs, "float_mask"), 0.5));
    EXPECT_EQ(odd[1].kind, OddInputs::Kind::hidden_rows);
    const auto keep = numbers(odd[1].inputs, "keep");
    EXPECT_EQ(std::accumulate(keep.begin(), keep.begin() + 64, 0.0), 0);
    EXPECT_EQ(std::accumulate(keep.begin() + 64, keep.begin() + 128, 0.0), 64);
    EXPECT_EQ(odd[2].kind, OddInputs::Kind::not_finite);
    const auto x = numbers(odd[2].inputs, "x");
    EXPECT_EQ(
        std::ranges::count_if(x.begin() + 192, x.end(), [](double v) { return std::isnan(v); }), 64)
        << "the last row";
    EXPECT_TRUE(holds(x, std::numeric_limits<double>::infinity()) ||
                holds(x, -std::numeric_limits<double>::infinity()));
    EXPECT_EQ(numbers(odd[2].inputs, "float_mask"), numbers(generate_inputs(model), "float_mask"));
}

TEST(OddInputs, SettingsScalesIndicesAndScalarsStay) {
    const Model model =
        model_of(R"((x: u8[2,3], scale: f32[1], ids: i64[2,2], k: i64[1], s: f32[]) -> (y, i, v, z)
        y = DequantizeLinear(x, scale, zero: u8[1]{3}) {axis: 0}
        i = Gather(table: f32[5,2], ids)
        v, j = TopK(t: f32[7], k)
        z = Neg(s))");
    EXPECT_TRUE(odd_inputs(model, generate_inputs(model)).empty());
}

TEST(OddInputs, WhatIsNotFiniteIsOneValueAtItsPlace) {
    constexpr float inf = std::numeric_limits<float>::infinity(),
                    nan = std::numeric_limits<float>::quiet_NaN();
    const RuntimeValue expected = Tensor::of<float>({4}, {nan, inf, 100, 1});
    EXPECT_TRUE(
        compare_on_odd_inputs(Tensor::of<float>({4}, {-inf, nan, 100.5, 1.5}), expected, {}, 1e-2)
            .matches);
    EXPECT_FALSE(
        compare_on_odd_inputs(Tensor::of<float>({4}, {nan, inf, 102, 1}), expected, {}, 1e-2)
            .matches);
    EXPECT_FALSE(compare_on_odd_inputs(Tensor::of<float>({4}, {nan, 0, 100, 1}), expected, {}, 1e-2)
                     .matches);
    EXPECT_FALSE(
        compare_on_odd_inputs(Tensor::of<float>({4}, {nan, inf, 100, nan}), expected, {}, 1e-2)
            .matches);
    EXPECT_FALSE(compare_on_odd_inputs(Tensor::of<std::int64_t>({1}, {4}),
                                       Tensor::of<std::int64_t>({1}, {5}), {0, 0}, 1e-2)
                     .matches);
}

/// Why guard() refuses the second text as a rewrite of the first; empty where it does not.
std::string refusal(const std::string& original, const std::string& result) {
    GuardReport report = guard(model_of(original), model_of(result));
    EXPECT_EQ(report.failure, "");
    return report.matches ? "" : report.outputs.at(0).comparison.reason;
}

TEST(OddInputs, GuardRefusesAMaskTakenForZeroAndOne) {
    const std::string reason = refusal(R"((x: f32[2,8], mask: i64[2,8]) -> (y)
        f = Cast(mask) {to: 1}
        y = Mul(x, f))",
                                       R"((x: f32[2,8], mask: i64[2,8]) -> (y)
        b = Cast(mask) {to: 9}
        y = Where(b, x, zero: f32[]{0}))");
    EXPECT_EQ(reason.find("on masks with other values than 0 and 1: "), 0u) << reason;
}

TEST(OddInputs, GuardRefusesAFillThatBecameASum) {
    const std::string reason = refusal(R"((x: f32[2,8], mask: bool[2,8]) -> (y)
        s = Where(mask, x, low: f32[]{-10000})
        y = Softmax(s))",
                                       R"((x: f32[2,8], mask: bool[2,8]) -> (y)
        b = Where(mask, zero: f32[]{0}, low: f32[]{-10000})
        s = Add(x, b)
        y = Softmax(s))");
    EXPECT_EQ(reason.find("on masks that hide whole rows: "), 0u) << reason;
}

TEST(OddInputs, GuardRefusesAReluThatForgetsNaN) {
    const std::string reason = refusal("(x: f32[2,8]) -> (y)\n y = Relu(x)", R"((x: f32[2,8]) -> (y)
        p = Greater(x, zero: f32[]{0})
        y = Where(p, x, zero))");
    EXPECT_EQ(reason.find("on inputs with NaN and Inf: "), 0u) << reason;
}

TEST(OddInputs, GuardTakesSumsInAnotherOrder) {
    EXPECT_EQ(
        refusal(
            "(x: f32[2,64], z: f32[2,64], b: f32[2,64]) -> (y)\n s = Add(x, z)\n y = Add(s, b)",
            "(x: f32[2,64], z: f32[2,64], b: f32[2,64]) -> (y)\n s = Add(z, b)\n y = Add(x, s)"),
        "");
}

}  // namespace
}  // namespace lapidary
