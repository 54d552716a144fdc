// SPDX-License-Identifier: Apache-2.0
// Chains of elementwise nodes: which nodes are fused, and results against the reference kernels run
// one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <lapidary/graph/graph_text.h>
#include <lapidary/exec/session.h>

#include "kernels/elementwise/kept_finite.h"
#include "kernels/vector/elementwise/elementwise.h"
#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

ModelPtr model_of(const std::string& text) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(text);
    return std::make_shared<const Model>(std::move(model));
}

Tensor wave(Shape shape, float phase) {
    std::vector<float> values(static_cast<std::size_t>(element_count(shape)));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = 2 * std::sin(phase + 0.37f * static_cast<float>(i));
    return Tensor::of<float>(std::move(shape), values);
}

/// Runs the model fused and by reference; returns how many steps the fused session has.
std::size_t expect_fused_agrees(const std::string& text, const NamedValues& inputs,
                                float tolerance = 1e-5f) {
    const ModelPtr model = model_of(text);
    SessionOptions reference;
    reference.reference_kernels = true;
    const auto expected = Session::compile(model, reference).run(inputs).outputs;
    std::size_t steps = 0;
    for_each_isa([&](Isa isa) {
        for (int threads : {1, 2}) {
            SessionOptions options;
            options.resources.threads = threads;
            Session session = Session::compile(model, options);
            steps = session.plan().steps.size();
            // the later ones from planned memory, in place
            for (int repetition = 0; repetition < 3; ++repetition) {
                const auto actual = session.run(inputs).outputs;
                for (std::size_t o = 0; o < expected.size(); ++o) {
                    const Tensor& a = actual[o].second.tensor();
                    const Tensor& e = expected[o].second.tensor();
                    EXPECT_EQ(a.shape(), e.shape());
                    for (std::int64_t i = 0; i < e.size(); ++i) {
                        const float x = a.data<float>()[static_cast<std::size_t>(i)],
                                    y = e.data<float>()[static_cast<std::size_t>(i)];
                        if (std::fabs(x - y) > tolerance * std::max(1.0f, std::fabs(y))) {
                            ADD_FAILURE()
                                << name_of(isa) << " element " << i << ": " << x << " for " << y;
                            break;
                        }
                    }
                }
            }
        }
    });
    return steps;
}

TEST(ElementwiseChain, OneStepForAChainOfFunctions) {
    for (std::int64_t n : {0, 1, 511, 512, 513, 100000})
        EXPECT_EQ(expect_fused_agrees("(x: f32[n]) -> (y)\na = Relu(x)\nb = Add(a, w: "
                                      "f32[1]{1.0})\nc = Sqrt(b)\ny = Neg(c)",
                                      {{"x", wave({n}, 0)}}),
                  1u);
}

/// The end of chains that store 16 bits.
TEST(ElementwiseChain, KeepsFiniteNumbersFinite) {
    constexpr float inf = std::numeric_limits<float>::infinity(),
                    most = std::numeric_limits<float>::max();
    const std::vector<float> odd{0.0f,   -0.0f, 1.5f,  -65504.0f, 65504.0f, 65520.0f,
                                 -1e30f, most,  -most, inf,       -inf,     NAN};
    for_each_isa([&](Isa isa) {
        const UnaryFunction function =
            elementwise_kernels().unary[static_cast<int>(UnaryKind::keep_finite)];
        for (std::size_t n = 0; n < 70; ++n) {
            std::vector<float> x(n), y(n + 1, 7.0f);
            for (std::size_t i = 0; i < n; ++i) x[i] = odd[(i * 5 + n) % odd.size()];
            function(x.data(), y.data(), static_cast<std::int64_t>(n), largest_float16, 0);
            for (std::size_t i = 0; i < n; ++i) {
                const float expected =
                    std::isfinite(x[i]) ? std::clamp(x[i], -65504.0f, 65504.0f) : x[i];
                EXPECT_TRUE(std::isnan(expected) ? std::isnan(y[i]) : y[i] == expected)
                    << name_of(isa) << ": " << x[i] << " became " << y[i];
                EXPECT_EQ(std::isnan(y[i]), std::isnan(kept_finite(x[i], largest_float16)));
                if (!std::isnan(y[i])) EXPECT_EQ(y[i], kept_finite(x[i], largest_float16));
            }
            EXPECT_EQ(y[n], 7.0f) << name_of(isa) << ": element " << n << " of " << n
                                  << " was written";
        }
    });
}

TEST(ElementwiseChain, AValueReadTwiceInsideStaysInside) {
    EXPECT_EQ(expect_fused_agrees(
                  "(x: f32[n], z: f32[n]) -> (y)\na = Add(x, z)\nb = Sigmoid(a)\ny = Mul(a, b)",
                  {{"x", wave({3000}, 0)}, {"z", wave({3000}, 1)}}),
              1u);
}

TEST(ElementwiseChain, WhatOthersReadStaysOutside) {
    EXPECT_EQ(expect_fused_agrees("(x: f32[n]) -> (y, a)\na = Relu(x)\nb = Exp(a)\ny = Neg(b)",
                                  {{"x", wave({70}, 0)}}),
              2u);
    EXPECT_EQ(
        expect_fused_agrees(
            "(x: f32[n]) -> (y, z)\na = Relu(x)\nb = Exp(a)\ny = Neg(b)\nc = Abs(a)\nz = Tanh(c)",
            {{"x", wave({70}, 0)}}),
        3u);
}

TEST(ElementwiseChain, OperandsBroadcastToTheResult) {
    const NamedValues inputs{{"x", wave({2, 5, 7, 9}, 0)},
                             {"c", wave({5, 1, 1}, 1)},
                             {"r", wave({9}, 2)},
                             {"s", wave({1}, 3)}};
    EXPECT_EQ(expect_fused_agrees(
                  "(x: f32[2,5,7,9], c: f32[5,1,1], r: f32[9], s: f32[1]) -> (y)\n"
                  "a = Mul(x, c)\nb = Add(r, a)\nd = Sub(s, b)\nw = Exp(d)\ny = Div(w, c)",
                  inputs, 1e-4f),
              1u);
}

TEST(ElementwiseChain, ShortRowsAreSpreadOverBlocks) {
    const NamedValues inputs{{"x", wave({3, 500, 2}, 0)},
                             {"c", wave({500, 1}, 1)},
                             {"r", wave({2}, 2)},
                             {"s", wave({1, 1, 1}, 3)}};
    EXPECT_EQ(
        expect_fused_agrees("(x: f32[3,500,2], c: f32[500,1], r: f32[2], s: f32[1,1,1]) -> (y)\n"
                            "a = Mul(x, c)\nb = Add(r, a)\nd = Sub(s, b)\ny = Abs(d)",
                            inputs),
        1u);
}

// Operands of one row that all rows share: in front of and behind the longest row that is spread,
// for rows that do not divide a block, and from the middle of a row on where threads share.
TEST(ElementwiseChain, OperandsOfOneRowAreSharedByAll) {
    for (const std::int64_t width : {2, 16, 24, 31, 100, 255, 256, 257, 700}) {
        SCOPED_TRACE(width);
        const std::int64_t rows = 70000 / width;
        const NamedValues inputs{{"x", wave({rows, width}, 0)},
                                 {"r", wave({width}, 1)},
                                 {"z", wave({rows, width}, 2)},
                                 {"s", wave({1}, 3)}};
        const std::string size = std::to_string(width), all = std::to_string(rows) + "," + size;
        EXPECT_EQ(expect_fused_agrees("(x: f32[" + all + "], r: f32[" + size + "], z: f32[" + all +
                                          "], s: f32[1]) -> (y)\n"
                                          "a = Mul(x, r)\nb = Add(a, z)\nd = Sub(s, b)\ny = "
                                          "Mul(d, r)",
                                      inputs),
                  1u);
    }
}

TEST(ElementwiseChain, SmallerIntermediatesAreNotRepeated) {
    // Exp(c) has 5 elements: it stays a node of its own.
    const NamedValues inputs{{"x", wave({2, 5, 7}, 0)}, {"c", wave({5, 1}, 1)}};
    EXPECT_EQ(
        expect_fused_agrees(
            "(x: f32[2,5,7], c: f32[5,1]) -> (y)\na = Exp(c)\nb = Mul(x, a)\ny = Relu(b)", inputs),
        2u);
}

TEST(ElementwiseChain, ConstantsOnEitherSideAndPowers) {
    EXPECT_EQ(
        expect_fused_agrees(
            "(x: f32[n,3]) -> (y)\na = Sub(one: f32[]{1.0}, x)\nb = Pow(a, two: f32[]{2.0})\nc = "
            "Div(b, half: f32[]{0.5})\n"
            "d = Max(c, lo: f32[]{0.25})\ny = Clip(d, min: f32[]{0.5}, max: f32[]{4.0})",
            {{"x", wave({33, 3}, 0)}}),
        1u);
}

TEST(ElementwiseChain, IntegersAndDoublesAreLeftAlone) {
    Session s =
        Session::compile(model_of("(x: i64[n]) -> (y)\na = Neg(x)\nb = Abs(a)\ny = Add(b, b)"));
    EXPECT_EQ(s.plan().steps.size(), 3u);
}

TEST(ElementwiseChain, LongChainsAreCutWhereRegistersEnd) {
    std::string text = "(x: f32[n]) -> (y)\nv0 = Relu(x)\n";
    for (int i = 1; i < 60; ++i)
        text += "v" + std::to_string(i) + " = Neg(v" + std::to_string(i - 1) + ")\n";
    EXPECT_EQ(expect_fused_agrees(text + "y = Abs(v59)", {{"x", wave({1000}, 0)}}), 3u);
    // Ten values alive at once: the chain is refused or cut, never wrong.
    text = "(x: f32[n]) -> (y)\n";
    for (int i = 0; i < 10; ++i)
        text += "e" + std::to_string(i) + " = Add(x, k" + std::to_string(i) + ": f32[]{" +
                std::to_string(i) + ".0})\n";
    text += "s0 = Mul(e0, e1)\n";
    for (int i = 1; i < 9; ++i)
        text += "s" + std::to_string(i) + " = Add(s" + std::to_string(i - 1) + ", e" +
                std::to_string(i + 1) + ")\n";
    expect_fused_agrees(text + "y = Tanh(s8)", {{"x", wave({1000}, 0)}});
}

}  // namespace
}  // namespace lapidary::test
