// SPDX-License-Identifier: Apache-2.0
// Defects of exports are found where they are, and the same models without the defect raise no
// alarm.
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lapidary/advice/advice.h>
#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/ops/infer.h>

#include "support/export_alarms.h"
#include "support/pass_harness.h"

namespace lapidary {
namespace {

/// A model with one defect, and the same without it.
struct Defect {
    const char* name;
    const char* check;  // that is to find it
    const char* place;  // the name of the node, or a part of the finding
    std::string broken, mended;
    std::int64_t opset = 17, mended_opset = 17;
};

/// Ten steps of a recurrence, all with one weight or each with its own.
std::string steps(bool share) {
    std::string text = "(h: f32[2,16]) -> (s9)\n";
    for (int i = 0; i < 10; ++i) {
        const std::string n = std::to_string(i), before = i ? "s" + std::to_string(i - 1) : "h";
        const std::string weight = share ? "w" : "w" + n;
        text += "p" + n + " = MatMul(" + before + ", " + weight +
                (share && i ? "" : ": f32[16,16]") + ") as \"step" + n + "\"\n";
        text += "s" + n + " = Tanh(p" + n + ")\n";
    }
    return text;
}

/// Normalization along the axis, written out.
std::string normalization(const char* axis, const char* weights) {
    const std::string a = axis, w = weights;
    return "(x: f32[2,8,6]) -> (y)\n"
           "m = ReduceMean(x) {axes: [" +
           a +
           "]}\n"
           "c = Sub(x, m)\n"
           "s = Pow(c, two: f32[]{2.0})\n"
           "v = ReduceMean(s) {axes: [" +
           a +
           "]}\n"
           "e = Add(v, eps: f32[]{0.00001})\n"
           "r = Sqrt(e) as \"deviation\"\n"
           "n = Div(c, r)\n"
           "g = Mul(n, gamma: f32" +
           w +
           ")\n"
           "y = Add(g, beta: f32" +
           w + ")\n";
}

constexpr const char* layer_normalization =
    "(x: f32[2,8,6]) -> (y)\n"
    "y = LayerNormalization(x, gamma: f32[6], beta: f32[6]) {axis: -1}\n";

std::string branch(const char* condition) {
    return std::string("(x: f32[2,4], c: bool[]) -> (y)\n") + "n = Not(c)\n" + "y = If(" +
           condition +
           ") {then_branch: graph { () -> (t)\n t = Relu(x) }, "
           "else_branch: graph { () -> (e)\n e = Neg(x) }} as \"choice\"\n";
}

std::vector<Defect> shape_defects() {
    return {
        {"BatchInHeads", "baked_batch", "split",
         "(x: f32[batch,seq,64]) -> (y)\ny = Reshape(x, t: i64[4]{1, -1, 4, 16}) as \"split\"",
         "(x: f32[batch,seq,64]) -> (y)\ny = Reshape(x, t: i64[4]{0, -1, 4, 16}) as \"split\""},
        {"BatchInFlatten", "baked_batch", "flatten",
         "(x: f32[batch,3,4]) -> (y)\ny = Reshape(x, t: i64[2]{2, 12}) as \"flatten\"",
         "(x: f32[batch,3,4]) -> (y)\ny = Reshape(x, t: i64[2]{-1, 12}) as \"flatten\""},
        {"LengthInTarget", "frozen_dimensions", "heads",
         "(x: f32[batch,seq,64]) -> (y)\ny = Reshape(x, t: i64[4]{0, 128, 4, 16}) as \"heads\"",
         "(x: f32[batch,seq,64]) -> (y)\ny = Reshape(x, t: i64[4]{0, 0, 4, 16}) as \"heads\""},
        {"PositionsOfOneLength", "frozen_dimensions", "positions",
         "(x: f32[batch,seq,64]) -> (y)\ny = Add(x, p: f32[1,128,64]) as \"positions\"",
         "(x: f32[batch,seq,64]) -> (y)\ny = Add(x, p: f32[1,1,64]) as \"positions\""},
        {"TokenOfOneBatch", "frozen_dimensions", "prepend",
         "(x: f32[batch,9,64]) -> (y)\ny = Concat(t: f32[1,1,64], x) {axis: 1} as \"prepend\"",
         "(x: f32[batch,9,64], t: f32[batch,1,64]) -> (y)\n"
         "y = Concat(t, x) {axis: 1} as \"prepend\""},
        {"StateOfOneBatch", "frozen_dimensions", "encoder",
         "(x: f32[seq,batch,8]) -> (y)\ny = LSTM(x, w: f32[1,64,8], r: f32[1,64,16], "
         "b: f32[1,128], _, h: f32[1,1,16], c: f32[1,1,16]) {hidden_size: 16} as \"encoder\"",
         "(x: f32[seq,batch,8]) -> (y)\ny = LSTM(x, w: f32[1,64,8], r: f32[1,64,16], "
         "b: f32[1,128]) {hidden_size: 16} as \"encoder\""},
        {"BatchInExpand", "frozen_dimensions", "repeat",
         "(x: f32[batch,1,64]) -> (y)\ny = Expand(x, t: i64[3]{8, 5, 64}) as \"repeat\"",
         "(x: f32[batch,1,64]) -> (y)\ny = Expand(x, t: i64[3]{1, 5, 64}) as \"repeat\""},
        {"FeaturesDeclaredFree", "frozen_dimensions", "head",
         "(x: f32[batch,features]) -> (y)\ny = MatMul(x, w: f32[16,4]) as \"head\"",
         "(x: f32[batch,16]) -> (y)\ny = MatMul(x, w: f32[16,4]) as \"head\""},
        {"ShapesComputed", "shape_arithmetic", "heads",
         "(x: f32[batch,seq,768]) -> (y)\ns = Shape(x)\nb = Gather(s, i0: i64[]{0})\n"
         "q = Gather(s, i1: i64[]{1})\nbu = Unsqueeze(b, a: i64[1]{0})\nqu = Unsqueeze(q, a)\n"
         "t = Concat(bu, qu, n: i64[2]{12, 64}) {axis: 0}\ny = Reshape(x, t) as \"heads\"",
         "(x: f32[batch,seq,768]) -> (y)\ny = Reshape(x, t: i64[4]{0, 0, 12, 64}) as \"heads\""},
        {"SizesOfResizeComputed", "shape_arithmetic", "larger",
         "(x: f32[1,3,8,8]) -> (y)\ns = Shape(x)\nt = Mul(s, f: i64[4]{1, 1, 2, 2})\n"
         "y = Resize(x, _, _, t) as \"larger\"",
         "(x: f32[1,3,8,8]) -> (y)\ny = Resize(x, _, f: f32[4]{1.0, 1.0, 2.0, 2.0}) as \"larger\""},
    };
}

std::vector<Defect> fusion_defects() {
    const std::string attention =
        "(q: f32[2,4,8,16], k: f32[2,4,16,8], v: f32[2,4,8,16]) -> (y)\n"
        "s = MatMul(q, k)\n";
    return {
        {"CappedAttention", "unfused", "weights",
         attention + "d = Div(s, cap: f32[]{50.0})\nt = Tanh(d)\nm = Mul(t, cap)\n"
                     "p = Softmax(m) {axis: -1} as \"weights\"\ny = MatMul(p, v)",
         "(q: f32[2,4,8,16]) -> (y)\ny = Softmax(q) {axis: -1}"},
        {"NormalizedChannels", "unfused", "deviation", normalization("1", "[8,1]"),
         layer_normalization},
        {"GeluWithoutHalf", "unfused", "erf",
         "(x: f32[2,8]) -> (y)\nd = Div(x, r: f32[]{1.4142135})\ne = Erf(d) as \"erf\"\n"
         "a = Add(e, one: f32[]{1.0})\ny = Mul(x, a)",
         "(x: f32[2,8]) -> (y)\ny = Gelu(x)", 17, 20},
        {"OpsetWithoutLayerNormalization", "opset", "deviation", normalization("-1", "[6]"),
         layer_normalization, 14, 17},
    };
}

std::vector<Defect> constant_defects() {
    return {
        {"ConstantsMultiplied", "unfolded_constants", "scale",
         "(x: f32[4]) -> (y)\nc = Mul(a: f32[4], b: f32[4]) as \"scale\"\ny = Add(x, c)",
         "(x: f32[4]) -> (y)\ny = Add(x, c: f32[4])"},
        {"WeightTurned", "unfolded_constants", "turn",
         "(x: f32[2,4]) -> (y)\nt = Transpose(w: f32[8,4]) {perm: [1,0]} as \"turn\"\n"
         "y = MatMul(x, t)",
         "(x: f32[2,4]) -> (y)\ny = MatMul(x, w: f32[4,8])"},
        {"LoopWrittenOut", "unrolled_loops", "step0", steps(true), steps(false)},
        {"IfDecided", "decided_branches", "choice", branch("k: bool[]{1}"), branch("n")},
        {"WhereDecided", "decided_branches", "choice",
         "(x: f32[4], z: f32[4]) -> (y)\ny = Where(c: bool[]{0}, x, z) as \"choice\"",
         "(x: f32[4], z: f32[4], c: bool[]) -> (y)\ny = Where(c, x, z) as \"choice\""},
    };
}

std::vector<Defect> node_defects() {
    return {
        {"Widened", "precision", "widen",
         "(x: f32[4]) -> (y)\nd = Cast(x) {to: 11} as \"widen\"\ne = Exp(d)\n"
         "y = Cast(e) {to: 1}",
         "(x: f32[4]) -> (y)\ny = Exp(x)"},
        {"ConstantOf64Bits", "precision", "shift",
         "(x: f64[4]) -> (y)\ny = Add(x, c: f64[4]) as \"shift\"",
         "(x: f32[4]) -> (y)\ny = Add(x, c: f32[4])"},
        {"DropoutTrains", "training_nodes", "drop",
         "(x: f32[4]) -> (y)\ny = Dropout(x, r: f32[]{0.5}, m: bool[]{1}) as \"drop\"",
         "(x: f32[4]) -> (y)\ny = Dropout(x, r: f32[]{0.5}, m: bool[]{0}) as \"drop\""},
        {"BatchNormalizationTrains", "training_nodes", "norm",
         "(x: f32[2,3,4,4]) -> (y)\ny, m, v = BatchNormalization(x, s: f32[3], b: f32[3], "
         "mean: f32[3], var: f32[3]) {training_mode: 1} as \"norm\"",
         "(x: f32[2,3,4,4]) -> (y)\ny = BatchNormalization(x, s: f32[3], b: f32[3], "
         "mean: f32[3], var: f32[3]) as \"norm\""},
        {"NodeForgotten", "unused_results", "forgotten",
         "(x: f32[4]) -> (y)\nz = Exp(x) as \"forgotten\"\ny = Relu(x)",
         "(x: f32[4]) -> (y)\nz = Exp(x)\ny = Relu(z)"},
        {"PlacesOfMaximaUnread", "unused_results", "pool",
         "(x: f32[1,2,4,4]) -> (y)\ny, i = MaxPool(x) {kernel_shape: [2,2]} as \"pool\"",
         "(x: f32[1,2,4,4]) -> (y)\ny = MaxPool(x) {kernel_shape: [2,2]} as \"pool\""},
        {"InputUnread", "endings", "flag", "(x: f32[4], flag: bool[]) -> (y)\ny = Relu(x)",
         "(x: f32[4]) -> (y)\ny = Relu(x)"},
        {"WideIds", "wide_indices", "embed",
         "(ids: i64[batch,seq]) -> (y)\ny = Gather(t: f32[100,16], ids) as \"embed\"",
         "(ids: i32[batch,seq]) -> (y)\ny = Gather(t: f32[100,16], ids) as \"embed\""},
        {"PlacesOfValues", "dynamic_sizes", "find",
         "(x: f32[4]) -> (y)\ny = NonZero(x) as \"find\"",
         "(x: f32[4]) -> (y)\nz = Sign(x)\ny = Abs(z)"},
        {"DistinctValues", "dynamic_sizes", "distinct",
         "(x: f32[4]) -> (y)\ny = Unique(x) as \"distinct\"",
         "(x: f32[4], k: f32[4]) -> (y)\ny = Max(x, k)"},
        {"RowsSelected", "dynamic_sizes", "select",
         "(x: f32[4,2], m: bool[4]) -> (y)\ny = Compress(x, m) {axis: 0} as \"select\"",
         "(x: f32[4,2], m: bool[4,1]) -> (y)\ny = Where(m, x, z: f32[]{0.0})"},
    };
}

std::vector<Defect> all_defects() {
    std::vector<Defect> all;
    for (const auto& part : {shape_defects(), fusion_defects(), constant_defects(), node_defects()})
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

class ExportDefects : public ::testing::TestWithParam<Defect> {};

TEST_P(ExportDefects, AreFoundAtTheirNode) {
    const Defect& defect = GetParam();
    const std::vector<Advice> alarms =
        test::export_alarms_of(test::model_of(defect.broken, defect.opset));
    const auto found = std::ranges::find(alarms, defect.check, &Advice::id);
    ASSERT_NE(found, alarms.end()) << test::text_of(alarms);
    EXPECT_NE(found->finding.find(defect.place), std::string::npos) << found->finding;
    EXPECT_FALSE(found->command.empty());
    if (found->id != std::string("endings")) {
        ASSERT_FALSE(found->places.empty());
        EXPECT_NE(found->places.front().text.find(defect.place), std::string::npos);
        EXPECT_FALSE(found->places.front().reason.empty());
        EXPECT_NE(found->action, AdviceAction::none);
    }
}

TEST_P(ExportDefects, AreNotSeenWhereTheyAreMended) {
    const Defect& defect = GetParam();
    const std::vector<Advice> alarms =
        test::export_alarms_of(test::model_of(defect.mended, defect.mended_opset));
    EXPECT_TRUE(alarms.empty()) << test::text_of(alarms);
}

INSTANTIATE_TEST_SUITE_P(All, ExportDefects, ::testing::ValuesIn(all_defects()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(ExportTriage, FindsWeightsThatAreThereTwice) {
    Model model = test::model_of(
        "(x: f32[2,16]) -> (y)\nh = MatMul(x, first: f32[16,16])\n"
        "y = MatMul(h, second: f32[16,16])");
    EXPECT_TRUE(test::export_alarms_of(model).empty()) << "other values";
    GraphEdit edit(model.graph);
    const Graph& graph = model.graph;
    edit.set_constant(graph.find_value("second"),
                      graph.value(graph.find_value("first")).constant->clone());
    edit.finish();
    const std::vector<Advice> alarms = test::export_alarms_of(model);
    ASSERT_EQ(alarms.size(), 1u) << test::text_of(alarms);
    EXPECT_EQ(alarms.front().id, "duplicate_weights");
    EXPECT_EQ(alarms.front().gain.bytes, 1024u);
    EXPECT_EQ(alarms.front().places.front().text, "second");
    EXPECT_NE(alarms.front().places.front().reason.find("first"), std::string::npos);
}

/// A product whose weight is an input with a default, or a constant beside such an option.
Model with_default(bool is_weight) {
    Model model;
    model.ir_version = 8;
    model.opset_imports[""] = 17;
    GraphEdit edit(model.graph);
    edit.set_default_version(17);
    const ValueId x = edit.add_input("x", Type::tensor(DType::f32, {2, 16}));
    const Tensor weight = Tensor::of<float>({16, 1}, std::vector<float>(16, 0.5F));
    const ValueId w = is_weight ? edit.add_input("w", Type::tensor(DType::f32, {16, 1}))
                                : edit.add_initializer("w", weight);
    if (is_weight) edit.set_constant(w, weight);
    const ValueId scale = edit.add_input("scale", Type::tensor(DType::f32, {}));
    edit.set_constant(scale, Tensor::scalar(2.0F));
    const ValueId product = edit.node("MatMul", {x, w}, {}, "product", "p");
    edit.add_output(edit.node("Mul", {product, scale}, {}, "scaled", "y"));
    edit.finish();
    infer_types(model);
    return model;
}

TEST(ExportTriage, FindsWeightsThatAreInputs) {
    const std::vector<Advice> alarms = test::export_alarms_of(with_default(true));
    ASSERT_EQ(alarms.size(), 1u) << test::text_of(alarms);
    EXPECT_EQ(alarms.front().id, "weight_inputs");
    EXPECT_NE(alarms.front().finding.find("2 weights are inputs"), std::string::npos)
        << alarms.front().finding;
    EXPECT_EQ(alarms.front().places.front().text, "w");
    const std::vector<Advice> of_option = test::export_alarms_of(with_default(false));
    EXPECT_TRUE(of_option.empty()) << test::text_of(of_option);
    Model old = with_default(true);
    old.ir_version = 3;  // all initializers have to be inputs
    EXPECT_TRUE(test::export_alarms_of(old).empty());
}

/// A Loop over the rows of x, which goes on as the body says.
std::string loop_over(const char* count, const char* stays) {
    return std::string("(x: f32[rows,4], n: i64[]) -> (y)\ns = Shape(x)\n") +
           "m = Gather(s, i0: i64[]{0})\ng = Cast(one: i64[]{1}) {to: 9}\ny = Loop(" + count +
           ", g) {body: graph { (i: i64[], c: bool[]) -> (d, r)\n d = " + stays +
           "\n r = Gather(x, i) }} as \"rows\"\n";
}

TEST(ExportTriage, KnowsHowOftenALoopOverAShapeRuns) {
    const auto is_dynamic = [](const std::string& text) {
        return triage_export(test::model_of(text)).find(ExportDefect::dynamic_size) != nullptr;
    };
    EXPECT_FALSE(is_dynamic(loop_over("m", "Cast(one) {to: 9}")));
    EXPECT_FALSE(is_dynamic(loop_over("m", "Identity(c)")));
    EXPECT_TRUE(is_dynamic(loop_over("m", "Less(i, n)"))) << "the condition may end it";
    EXPECT_TRUE(is_dynamic(loop_over("n", "Identity(c)"))) << "the count is a value";
}

TEST(ExportTriage, LooksIntoBodiesAndListsAFew) {
    std::string text =
        "(x: f32[4], c: bool[]) -> (y)\n"
        "y = If(c) {then_branch: graph { () -> (t)\n"
        " d = Dropout(x, r: f32[]{0.5}, m: bool[]{1}) as \"drop\"\n t = Relu(d) },"
        " else_branch: graph { () -> (e)\n e = Neg(x) }} as \"choice\"\n";
    const ExportTriage inside = triage_export(test::model_of(text));
    const ExportFinding* training = inside.find(ExportDefect::training_node);
    ASSERT_TRUE(training);
    EXPECT_FALSE(training->places.front().node) << "no node of the main graph";
    EXPECT_NE(training->places.front().text.find("then_branch"), std::string::npos);

    std::string many = "(x: f32[4]) -> (y)\ny = Relu(x)\n";
    for (int i = 0; i < 30; ++i) many += "d" + std::to_string(i) + " = Exp(x)\n";
    const ExportTriage dead = triage_export(test::model_of(many));
    const ExportFinding* unused = dead.find(ExportDefect::unused_result);
    ASSERT_TRUE(unused);
    EXPECT_EQ(unused->count, 30u);
    EXPECT_EQ(unused->places.size(), ExportFinding::most_places);
}

TEST(ExportTriage, CanBeCancelled) {
    Progress progress;
    progress.cancel.cancel();
    EXPECT_THROW(triage_export(build_sample("mlp"), progress), Error);
}

TEST(ExportTriage, IsNotAskedForWhatALevelMends) {
    const Model model = test::model_of(constant_defects().front().broken);
    OptimizeOptions basic;
    basic.level = Level::basic;
    OptimizeResult result = optimize(model, basic);
    AdviceInput in;
    in.triage = std::make_shared<const ExportTriage>(triage_export(model));
    in.model = std::make_shared<const Model>(std::move(result.model));
    in.report = std::make_shared<const PipelineReport>(std::move(result.report));
    in.facts = std::make_shared<const ModelFacts>(facts_of(*in.model));
    in.name = "basic";
    for (const Advice& advice : advise(in))
        if (advice.id == "unfolded_constants") {
            EXPECT_EQ(advice.state, AdviceState::done);
            EXPECT_NE(advice.finding.find("scale"), std::string::npos) << advice.finding;
        }
}

}  // namespace
}  // namespace lapidary
