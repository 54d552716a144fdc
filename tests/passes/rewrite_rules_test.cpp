// SPDX-License-Identifier: Apache-2.0
// What the rewriting engine requires of a pass, and what it reports of each rewrite.
#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/passes/optimize.h>

#include "rewrite/pipeline.h"
#include "support/pass_harness.h"

namespace lapidary {
namespace {

using namespace pattern;

constexpr const char* relu_of_neg = "(x: f32[2]) -> (y)\na = Neg(x)\ny = Relu(a)";

PassInfo info(const char* name) {
    return {.name = name, .level = Level::basic, .order = 1, .providers = "all"};
}

PassBody declines_after_editing() {
    return {.rules = {{.pattern = op("Relu", {any("x")}).named("y"),
                       .rewrite = [](const Match&, PassContext& context) {
                           context.constant_ints("left_behind", {1});
                           return declined("it thought better of it");
                       }}}};
}

PassBody reports_nothing() {
    return {.run = [](PassContext& context) {
        for (NodeId id : context.nodes()) context.edit().set_attribute(id, attr("mark", 1));
    }};
}

PassBody takes_negation_in() {
    return {.rules = {{.pattern = op("Relu", {op("Neg", {any("x")}).named("inner")}).named("y"),
                       .rewrite = [](const Match& m, PassContext& context) {
                           context.edit().set_input(m.root(), 0, m.value("x"));
                           context.edit().set_operator(m.root(), "", "Sigmoid", context.opset());
                           context.erase_unused(m.nodes());
                           return applied("one operator in place of two");
                       }}}};
}

/// Takes And for an operator on numbers.
PassBody makes_what_is_refused() {
    return {.run = [](PassContext& context) {
        for (NodeId id : context.nodes()) {
            const Node& node = context.graph().node(id);
            if (node.op_type != "Relu") continue;
            const ValueId from = node.inputs[0], old = node.outputs[0];
            const ValueId made = context.edit().add_value("made");
            context.edit().add_node(
                {.op_type = "And", .inputs = {from, from}, .outputs = {made}, .name = "wrong"});
            context.edit().replace_uses(old, made);
            context.edit().erase(id);
            context.record("a conjunction");
            return;
        }
    }};
}

/// The same mistake at a node whose type is known and is therefore not inferred again.
PassBody writes_what_is_refused() {
    return {.run = [](PassContext& context) {
        for (NodeId id : context.nodes()) {
            const Node& node = context.graph().node(id);
            if (node.op_type != "Relu") continue;
            context.replace(id, "Elu", {node.inputs[0], node.inputs[0]}, {});
            context.record("an activation of two operands");
            return;
        }
    }};
}

PipelineReport run(const PassEntry& entry, Model& model) {
    const OptimizeOptions options;
    const Progress progress;
    const std::vector<PassEntry> entries{entry};
    Pipeline pipeline(model, options, progress, entries);
    pipeline.run();
    return pipeline.take_report();
}

std::string failure_of(const PassEntry& entry) {
    Model model = test::model_of(relu_of_neg);
    try {
        run(entry, model);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::internal);
        return error.what();
    }
    return {};
}

TEST(RewriteRules, ARuleThatEditsAndThenDeclinesIsAnError) {
    const std::string failure =
        failure_of({info("declines_after_editing"), declines_after_editing});
    EXPECT_NE(failure.find("pass declines_after_editing"), std::string::npos) << failure;
    EXPECT_NE(failure.find("edited the graph and then declined"), std::string::npos) << failure;
    EXPECT_NE(failure.find("it thought better of it"), std::string::npos) << failure;
}

TEST(RewriteRules, APassThatEditsAndRecordsNothingIsAnError) {
    EXPECT_NE(failure_of({info("tells_nothing"), reports_nothing}).find("recorded no rewrite"),
              std::string::npos);
}

/// optimize() leaves such a pass out and goes on.
TEST(RewriteRules, APassIsBlamedForWhatInferenceRefuses) {
    Model model = test::model_of("(x: f32[2]) -> (y)\na = Relu(x)\ny = Neg(a)");
    const OptimizeOptions options;
    const Progress progress;
    const std::vector<PassEntry> entries{{info("takes_negation_in"), takes_negation_in},
                                         {info("makes_what_is_refused"), makes_what_is_refused}};
    Pipeline pipeline(model, options, progress, entries);
    EXPECT_THROW(pipeline.run(), Error);
    ASSERT_TRUE(pipeline.refused());
    EXPECT_EQ(pipeline.refused()->pass, 1u);
    EXPECT_NE(pipeline.refused()->reason.find("node \"wrong\" (And)"), std::string::npos)
        << pipeline.refused()->reason;
    Model wrong = test::model_of("(x: f32[2]) -> (y)\ny = Relu(x)");
    GraphEdit(wrong.graph).set_operator(wrong.graph.nodes()[0], "", "And", 17);
    Pipeline of_wrong(wrong, options, progress, entries);
    EXPECT_THROW(of_wrong.run(), Error);
    EXPECT_FALSE(of_wrong.refused()) << "the model itself is";
}

/// What passes write is checked like a file at once, types known or not, not by the next thing that
/// reads it.
TEST(RewriteRules, ANodeThatNoFileCouldHoldIsRefusedWhereItIsWritten) {
    Model model = test::model_of(relu_of_neg);
    const OptimizeOptions options;
    const Progress progress;
    const std::vector<PassEntry> entries{{info("writes_what_is_refused"), writes_what_is_refused}};
    Pipeline pipeline(model, options, progress, entries);
    EXPECT_THROW(pipeline.run(), Error);
    ASSERT_TRUE(pipeline.refused());
    EXPECT_NE(pipeline.refused()->reason.find("takes 1 inputs, found 2"), std::string::npos)
        << pipeline.refused()->reason;
    const PipelineReport report = pipeline.take_report();
    EXPECT_TRUE(report.rewrites.empty()) << "before the rewrite counts";
}

TEST(RewriteRules, ARewriteInPlaceNamesTheNodeAndItsOrigins) {
    Model model = test::model_of(relu_of_neg);
    const NodeId neg = model.graph.nodes()[0], relu = model.graph.nodes()[1];
    const PipelineReport report = run({info("takes_negation_in"), takes_negation_in}, model);
    ASSERT_EQ(report.rewrites.size(), 1u);
    const AppliedRewrite& applied = report.rewrites[0];
    EXPECT_TRUE(applied.place.is_main());
    EXPECT_EQ(applied.rewrite.changed, std::vector<NodeId>{relu});
    EXPECT_EQ(applied.rewrite.removed, std::vector<NodeId>{neg});
    EXPECT_TRUE(applied.rewrite.added.empty());
    EXPECT_EQ(applied.rewrite.origins, (std::vector<NodeId>{neg, relu}));
}

TEST(RewriteRules, ARewriteWithinASubgraphNamesTheWayThere) {
    const Model model = test::model_of(
        "(c: bool[], x: f32[2]) -> (y)\n"
        "y = If(c) {then_branch: graph { () -> (t)  a = Identity(x)  t = Relu(a) }, "
        "else_branch: graph { () -> (e)  e = Abs(x) }}");
    OptimizeOptions options;
    options.only_passes = {"eliminate_identity"};
    const OptimizeResult result = optimize(model, options);
    ASSERT_EQ(result.report.rewrites.size(), 1u);
    const GraphPath& place = result.report.rewrites[0].place;
    ASSERT_EQ(place.steps.size(), 1u);
    EXPECT_EQ(place.steps[0].node, model.graph.nodes()[0]);
    EXPECT_EQ(place.steps[0].attribute, "then_branch");
    EXPECT_NE(find_graph(result.model.graph, place), nullptr);
}

// The steps of a session follow those of the model one by one: the Optimize page stops after each
// of them.
TEST(RewriteRules, SessionPassesStopAfterSoManyRewrites) {
    for (const char* text :
         {"(x: f32[2,8]) -> (z)\na = Sin(x)\nb = Sigmoid(a)\nc = Softmax(b)\nd = Sin(c)\nz = "
          "Tanh(d)",
          "(x: f16[1,16,5,5]) -> (z)\na = Conv(x, w: f16[16,16,3,3])\nb = Relu(a)\nc = Conv(b, "
          "v: f16[16,16,3,3])\nz = Relu(c)"}) {
        const Model model = test::model_of(text);
        const SessionPasses all;
        Model whole = optimize(model).model;
        const PipelineReport report = apply_session_passes(whole, all);
        ASSERT_GE(report.rewrites.size(), 2u);
        for (std::size_t n = 0; n <= report.rewrites.size(); ++n) {
            Model part = optimize(model).model;
            const PipelineReport some = apply_session_passes(part, all, {}, n);
            ASSERT_EQ(some.rewrites.size(), n);
            for (std::size_t i = 0; i < n; ++i) {
                EXPECT_EQ(some.rewrites[i].rewrite.changed, report.rewrites[i].rewrite.changed);
                EXPECT_EQ(some.rewrites[i].rewrite.removed, report.rewrites[i].rewrite.removed);
                EXPECT_FALSE(some.rewrites[i].rewrite.origins.empty());
            }
        }
    }
}

}  // namespace
}  // namespace lapidary
