// SPDX-License-Identifier: Apache-2.0
// One line in the table of operator traits is all that passes, costs and colours need of an
// elementwise operator: each operator of one operand, also one that is added later, is tested with
// everything that reads the table.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lapidary/ops/operator_family.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/cost/roofline.h>

#include "ops/operator_traits.h"
#include "ops/schemas/schema.h"
#include "support/pass_harness.h"

namespace lapidary {
namespace {

bool computes_f32(const OperatorTraits& traits) {
    const OpSchema* schema =
        find_schema(traits.domain, traits.name, traits.domain.empty() ? max_onnx_opset : 1);
    if (!schema || schema->deprecated || schema->inputs[0].type != schema->outputs[0].type)
        return false;
    const TypeConstraint* types = schema->constraint(schema->inputs[0].type);
    return types && types->allows(DType::f32);
}

/// Of the newest lines those of one floating-point operand that compute something.
std::vector<const OperatorTraits*> unary_operators() {
    std::vector<const OperatorTraits*> found;
    for (const OperatorTraits& t : all_operator_traits())
        if (t.layout == OperatorLayout::unary && !t.has(OperatorFact::converts) && !t.is_moved() &&
            computes_f32(t) && &newest_traits_of(t.domain, t.name) == &t)
            found.push_back(&t);
    return found;
}

class ElementwiseOperator : public ::testing::TestWithParam<const OperatorTraits*> {
protected:
    /// "y = Mish(x)" with what its attributes or further operands need.
    static std::string call(const std::string& result, const std::string& operand) {
        const OperatorTraits& t = *GetParam();
        const bool has_no_defaults = t.name == "ScaledTanh" || t.name == "ParametricSoftplus";
        return " " + result + " = " + t.qualified_name() + "(" + operand +
               (t.name == "Clip" ? ", lo: f32[]{-1.5}, hi: f32[]{2.5})" : ")") +
               (has_no_defaults ? " {alpha: 1.5, beta: 0.5}\n" : "\n");
    }
    static Model optimized(const std::string& text, const std::string& pass, bool compares = true) {
        OptimizeOptions options;
        options.level = Level::all;
        options.only_passes = {pass};
        options.channel_block = 8;
        const Model before = test::model_of(text, max_onnx_opset);
        Model after = optimize(before, options).model;
        if (compares) {
            EXPECT_EQ(test::compare_runs(before, after, {1e-4, 1e-4}, 1, {{"n", 5}}), "") << text;
        }
        return after;
    }
    /// Between convolutions operators with poles are left out: they make rounding differences
    /// large.
    static Model blocked(const std::string& text) {
        return optimized(text, "block_channels", GetParam()->has(OperatorFact::keeps_finite));
    }
    static std::size_t count(const Model& model, std::string_view op) {
        return static_cast<std::size_t>(std::ranges::count_if(
            model.graph.nodes(), [&](NodeId id) { return model.graph.node(id).op_type == op; }));
    }
};

TEST_P(ElementwiseOperator, TransposesPassThroughIt) {
    const Model model = optimized("(x: f32[2,3,4]) -> (y)\n a = Transpose(x) {perm: [0,2,1]}\n" +
                                      call("b", "a") + " y = Transpose(b) {perm: [0,2,1]}",
                                  "move_transposes");
    EXPECT_EQ(count(model, "Transpose"), 0u);
}

TEST_P(ElementwiseOperator, BlockedChannelsPassThroughIt) {
    const Model model = blocked("(x: f32[1,16,16,16]) -> (y)\n a = Conv(x, w: f32[16,16,3,3])\n" +
                                call("b", "a") + " y = Conv(b, v: f32[16,16,3,3])");
    EXPECT_EQ(count(model, "ReorderInput"), 1u);
    EXPECT_EQ(count(model, "ReorderOutput"), 1u) << "it stands between blocks and plain images";
}

// Padding channels contain arbitrary results; NaN and infinity in them would spread.
TEST_P(ElementwiseOperator, FillChannelsMustStayFinite) {
    const Model model = blocked("(x: f32[1,16,16,16]) -> (y)\n a = Conv(x, w: f32[12,16,3,3])\n" +
                                call("b", "a") + " y = Conv(b, v: f32[16,12,3,3])");
    const bool is_blocked = count(model, "ReorderInput") == 1 && count(model, "ReorderOutput") == 1;
    EXPECT_EQ(is_blocked, GetParam()->has(OperatorFact::keeps_finite));
}

TEST_P(ElementwiseOperator, SelectionsMoveBeforeIt) {
    if (GetParam()->name == "Clip") return;  // it reads its bounds too
    const Model model = optimized(
        "(x: f32[8,3]) -> (y)\n" + call("a", "x") + " y = Gather(a, i: i64[]{1}) {axis: 0}",
        "move_selection_before_elementwise");
    ASSERT_EQ(model.graph.node_count(), 2u);
    EXPECT_EQ(model.graph.node(model.graph.nodes().back()).op_type, GetParam()->name);
}

TEST_P(ElementwiseOperator, ItsShapeIsThatOfItsOperand) {
    const Model model = optimized("(x: f32[n,3]) -> (y)\n" + call("a", "x") + " y = Shape(a)",
                                  "eliminate_pre_shape_node");
    EXPECT_EQ(count(model, GetParam()->name), 0u);
}

TEST_P(ElementwiseOperator, IsHeldInFloat32WhereItHasNoSteps) {
    const OpSchema* schema = find_schema(GetParam()->domain, GetParam()->name,
                                         GetParam()->domain.empty() ? max_onnx_opset : 1);
    if (!schema->constraint(schema->inputs[0].type)->allows(DType::f16) ||
        GetParam()->name == "Clip")
        return;
    OptimizeOptions options;
    options.only_passes = {"drop_rounding_casts"};
    const Model model = optimize(test::model_of("(x: f32[4,3]) -> (y)\n a = Cast(x) {to: 10}\n" +
                                                    call("b", "a") + " y = Cast(b) {to: 1}",
                                                max_onnx_opset),
                                 options)
                            .model;
    EXPECT_EQ(count(model, "Cast"),
              GetParam()->domain.empty() && GetParam()->has(OperatorFact::continuous) ? 0u : 2u);
}

TEST_P(ElementwiseOperator, HasACostAndAColour) {
    const Model model = test::model_of("(x: f32[4,8]) -> (y)\n" + call("y", "x"), max_onnx_opset);
    const auto work = work_of(model.graph, model.graph.nodes().back());
    ASSERT_TRUE(work);
    EXPECT_GE(work->flop, 32);
    EXPECT_GE(work->bytes, 2 * 4 * 32.0);
    EXPECT_NE(family_of(GetParam()->qualified_name()), OperatorFamily::other);
}

INSTANTIATE_TEST_SUITE_P(All, ElementwiseOperator, ::testing::ValuesIn(unary_operators()),
                         [](const auto& info) {
                             return (info.param->domain.empty() ? "" : "contrib_") +
                                    std::string(info.param->name);
                         });

TEST(ElementwiseOperators, AllAreTested) {
    const auto walked = unary_operators();
    EXPECT_GE(walked.size(), 40u);
    EXPECT_TRUE(
        std::ranges::any_of(walked, [](const OperatorTraits* t) { return t->name == "Mish"; }));
}

}  // namespace
}  // namespace lapidary
