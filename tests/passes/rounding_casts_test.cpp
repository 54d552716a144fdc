// SPDX-License-Identifier: Apache-2.0
// How far drop_rounding_casts moves a result: never beyond the roundings it leaves out. The
// reference is the model as written.
//
// The bound, with u = 2^-11 for float16 and 2^-8 for bfloat16: sums and products of rounded terms
// are off by at most
// ((1 + u)^d - 1) M, where M is the result for the absolute values of all operands and d the
// roundings that one term passes through (each factor's, the product's, each sum's); Relu and
// movements of elements only hand errors on.
#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include <lapidary/proof/bisect.h>
#include <lapidary/proof/guard.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/exec/session.h>

#include "passes/pass_list.h"
#include "proof/held_in_float32.h"
#include "rewrite/pipeline.h"
#include "support/pass_harness.h"

namespace lapidary {
namespace {

struct BoundCase {
    const char* name;
    const char* written;  // with Casts
    const char* sizes;    // the same without any, for M
    double unit;
    int roundings;
};

const BoundCase bound_cases[] = {
    {"product and sum",
     R"((a: f32[8,16], b: f32[16,8], c: f32[8,8]) -> (y)
        a16 = Cast(a) {to: 10}
        b16 = Cast(b) {to: 10}
        c16 = Cast(c) {to: 10}
        p = MatMul(a16, b16)
        s = Add(p, c16)
        y = Cast(s) {to: 1})",
     R"((a: f32[8,16], b: f32[16,8], c: f32[8,8]) -> (y)
        p = MatMul(a, b)
        y = Add(p, c))",
     0x1p-11, 4},
    {"convolution and activation",
     R"((x: f32[1,3,9,9], w: f32[4,3,3,3]) -> (y)
        x16 = Cast(x) {to: 10}
        w16 = Cast(w) {to: 10}
        c = Conv(x16, w16)
        r = Relu(c)
        y = Cast(r) {to: 1})",
     "(x: f32[1,3,9,9], w: f32[4,3,3,3]) -> (y)\n y = Conv(x, w)", 0x1p-11, 3},
    {"moved and multiplied in bfloat16",
     R"((a: f32[4,6], b: f32[6,4]) -> (y)
        a16 = Cast(a) {to: 16}
        b16 = Cast(b) {to: 16}
        t = Transpose(a16) {perm: [1, 0]}
        m = Mul(t, b16)
        n = Mul(m, b16)
        y = Cast(n) {to: 1})",
     R"((a: f32[4,6], b: f32[6,4]) -> (y)
        t = Transpose(a) {perm: [1, 0]}
        m = Mul(t, b)
        y = Mul(m, b))",
     0x1p-8, 5}};

NamedValues random_inputs(const Model& model, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<float> normal;
    NamedValues inputs;
    for (ValueId id : model.graph.inputs()) {
        Tensor t(DType::f32, model.graph.value(id).type.static_shape());
        for (float& v : t.mutable_data<float>()) v = normal(random);
        inputs.emplace_back(model.graph.value(id).name, std::move(t));
    }
    return inputs;
}

NamedValues magnitudes(const NamedValues& inputs) {
    NamedValues out;
    for (const auto& [name, value] : inputs) {
        Tensor t = value.tensor().clone();
        for (float& v : t.mutable_data<float>()) v = std::abs(v);
        out.emplace_back(name, std::move(t));
    }
    return out;
}

std::vector<double> run(const Model& model, const NamedValues& inputs) {
    return to_doubles(Session::compile(std::make_shared<const Model>(model), {})
                          .run(inputs)
                          .outputs[0]
                          .second.tensor());
}

OptimizeResult dropped(const Model& model) {
    OptimizeOptions options;
    options.only_passes = {"drop_rounding_casts"};
    return optimize(model, options);
}

TEST(RoundingCasts, MoveAResultNoFurtherThanTheRoundingsLeftOut) {
    for (const BoundCase& c : bound_cases) {
        const Model written = test::model_of(c.written), sizes = test::model_of(c.sizes);
        const OptimizeResult result = dropped(written);
        ASSERT_EQ(result.report.rewrites.size(), 1u) << c.name;
        double most = 0;
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            const NamedValues inputs = random_inputs(written, seed);
            const auto expected = run(written, inputs), found = run(result.model, inputs),
                       size = run(sizes, magnitudes(inputs));
            for (std::size_t i = 0; i < expected.size(); ++i) {
                // 1e-5: float32 sums
                const double bound =
                    (std::pow(1 + c.unit, c.roundings) - 1) * size[i] + 1e-5 * size[i];
                EXPECT_LE(std::abs(found[i] - expected[i]), bound)
                    << c.name << ", seed " << seed << ", element " << i;
                most = std::max(most, std::abs(found[i] - expected[i]) / size[i]);
            }
        }
        EXPECT_GT(most, c.unit / 4)
            << c.name << ": nothing was rounded, so that this proves nothing";
    }
}

TEST(RoundingCasts, AreLeftAloneAtLevelDisabledAndWhenSwitchedOff) {
    const Model model = test::model_of(bound_cases[0].written);
    const auto casts_left = [&](const OptimizeOptions& options) {
        const Model result = optimize(model, options).model;
        return std::ranges::count(result.graph.nodes(), "Cast",
                                  [&](NodeId id) { return result.graph.node(id).op_type; });
    };
    OptimizeOptions options;
    options.level = Level::disabled;
    EXPECT_EQ(casts_left(options), 4);
    options.level = Level::basic;
    EXPECT_EQ(casts_left(options), 0);
    options.disabled_passes = {"drop_rounding_casts"};
    EXPECT_EQ(casts_left(options), 4);
}

TEST(RoundingCasts, TheGuardAllowsTheirRoundingAndNoMore) {
    const Model model = test::model_of(bound_cases[0].written);
    const GuardReport report = guard(model, dropped(model).model);
    EXPECT_TRUE(report.excess_precision);
    EXPECT_GT(report.outputs[0].rounding, 0);
    EXPECT_LE(report.outputs[0].rounding, 0.1);
    EXPECT_TRUE(report.matches) << report.outputs[0].comparison.reason;
    EXPECT_EQ(guard(model, model).outputs[0].rounding, 0);

    std::string wrong(bound_cases[0].written);
    wrong.replace(wrong.find("Add(p, c16)"), 11, "Sub(p, c16)");
    const GuardReport refused = guard(model, dropped(test::model_of(wrong)).model);
    EXPECT_TRUE(refused.excess_precision);
    EXPECT_FALSE(refused.matches);
}

Outcome product_as_difference(const pattern::Match& m, PassContext& context) {
    context.replace(m.root(), "Sub", {m.value("a"), m.value("b")}, {});
    return applied("wrong: product as difference");
}

TEST(RoundingCasts, BisectingFindsTheWrongRewriteAfterThem) {
    const Model model = test::model_of(R"((a: f32[4,4], b: f32[4,4]) -> (y)
        a16 = Cast(a) {to: 10}
        b16 = Cast(b) {to: 10}
        p = MatMul(a16, b16)
        y = Cast(p) {to: 1})");
    const auto body = [] {
        return PassBody{.rules = {{pattern::op("MatMul", {pattern::any("a"), pattern::any("b")}),
                                   product_as_difference}}};
    };
    const auto drop = std::ranges::find(pass_entries(), "drop_rounding_casts",
                                        [](const PassEntry& e) { return e.info.name; });
    const std::vector<PassEntry> entries{
        *drop, {PassInfo{"wrong_products", Level::basic, 999, "all", true, "", ""}, body}};
    BisectOptions options;
    options.optimizer = [&](const Model& given, const OptimizeOptions& optimizing,
                            const Progress& progress) {
        OptimizeResult result{given, {}};
        Pipeline pipeline(result.model, optimizing, progress, entries);
        pipeline.run();
        result.report = pipeline.take_report();
        return result;
    };
    const BisectResult found = bisect(model, options);
    EXPECT_EQ(found.number, 2u);
    EXPECT_EQ(found.rewrite.rewrite.pass, "wrong_products");
    EXPECT_TRUE(found.at.excess_precision);
}

TEST(HeldInFloat32, KeepsTypesOfInputsAndOutputsAndRoundsNothingBetween) {
    const Model model = test::model_of(R"((x: f16[2,3], k: f32[2,3]) -> (y, z)
        k16 = Cast(k) {to: 10}
        m = Mul(x, k16)
        y = Add(m, c: f16[3])
        z = Cast(y) {to: 1})");
    const auto held = held_in_float32(model);
    ASSERT_TRUE(held);
    const Graph& graph = held->graph;
    EXPECT_EQ(graph.value(graph.inputs()[0]).type.dtype, DType::f16);
    EXPECT_EQ(graph.value(graph.outputs()[0]).type.dtype, DType::f16);
    EXPECT_EQ(graph.value(graph.outputs()[0]).name, "y");
    for (NodeId id : graph.nodes())
        for (ValueId out : graph.node(id).outputs) {
            EXPECT_TRUE(graph.value(out).output_uses > 0 ||
                        graph.value(out).type.dtype == DType::f32)
                << graph.value(out).name;
        }
}

}  // namespace
}  // namespace lapidary
