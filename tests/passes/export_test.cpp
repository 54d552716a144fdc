// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <lapidary/proof/compare.h>
#include <lapidary/base/error.h>
#include <lapidary/export/export_model.h>
#include <lapidary/exec/session.h>

#include "ops/channel_block.h"
#include "passes/lowering/lowering.h"
#include "support/pass_harness.h"

namespace lapidary {
namespace {

Model quick_gelu() {
    return test::model_of(R"((x: f32[batch,8]) -> (y)
        g = Sigmoid(x)
        y = Mul(x, g))",
                          12);
}

std::string refusal(const Model& model, const ExportOptions& options) {
    try {
        export_model(model, options);
    } catch (const Error& error) { return error.message(); }
    return "not refused";
}

std::vector<std::string> operators_of(const Model& model) {
    std::vector<std::string> names;
    for (NodeId id : model.graph.nodes()) names.push_back(model.graph.node(id).qualified_op());
    return names;
}

TEST(Export, TargetsHaveNames) {
    for (const ExportTargetInfo& info : export_targets()) {
        EXPECT_EQ(target_from_name(info.name), info.target);
        EXPECT_EQ(&info_of(info.target), &info);
    }
    EXPECT_EQ(target_from_name("nowhere"), std::nullopt);
}

// ONNX's checker knows LayerNormalization from opset 17 on and SimplifiedLayerNormalization never,
// as ONNX Runtime has them.
TEST(Export, PortableHasNormalizationsAsOnnxDefinesThem) {
    ExportOptions options;
    options.target = ExportTarget::portable;
    const Model centered = test::model_of(
        "(x: f32[2,8]) -> (y)\n y = LayerNormalization(x, g: f32[8], b: f32[8])", 11);
    const ExportResult raised = export_model(centered, options);
    EXPECT_EQ(operators_of(raised.model), std::vector<std::string>{"LayerNormalization"});
    EXPECT_EQ(raised.model.opset(), 17);
    EXPECT_GE(raised.model.ir_version, 8);
    EXPECT_EQ(test::compare_runs(centered, raised.model, {1e-5, 1e-5}), "");

    // What cannot be converted keeps its opset.
    const Model old = test::model_of(
        "(x: f32[2,8]) -> (y)\n n = LayerNormalization(x, g: f32[8], b: f32[8])\n y = GRUUnit(n, "
        "n, n, n)",
        9);
    const ExportResult written = export_model(old, options);
    EXPECT_EQ(written.model.opset(), 9);
    const auto operators = operators_of(written.model);
    EXPECT_EQ(std::ranges::count(operators, "LayerNormalization"), 0);
    EXPECT_EQ(std::ranges::count(operators, "Sqrt"), 1);

    // An attribute that ONNX Runtime passes over has no place in ONNX's operator.
    const Model misspelt = test::model_of(
        "(x: f32[2,8]) -> (y)\n y = LayerNormalization(x, g: f32[8], b: f32[8]) {epsion: 0.1}", 11);
    const ExportResult without = export_model(misspelt, options);
    EXPECT_EQ(std::ranges::count(operators_of(without.model), "LayerNormalization"), 0);
    EXPECT_EQ(test::compare_runs(misspelt, without.model, {1e-5, 1e-5}), "");

    const Model root =
        test::model_of("(x: f32[2,8]) -> (y)\n y = SimplifiedLayerNormalization(x, g: f32[8])", 17);
    const ExportResult lowered = export_model(root, options);
    EXPECT_EQ(std::ranges::count(operators_of(lowered.model), "SimplifiedLayerNormalization"), 0);
    EXPECT_EQ(lowered.lowered.size(), 1u);
    EXPECT_EQ(test::compare_runs(root, lowered.model, {1e-5, 1e-5}), "");
    const Model newer =
        test::model_of("(x: f32[2,8]) -> (y)\n y = SimplifiedLayerNormalization(x, g: f32[8])", 23);
    EXPECT_EQ(operators_of(export_model(newer, options).model),
              std::vector<std::string>{"RMSNormalization"});
}

TEST(Export, PortableKeepsRuntimeOperatorsAndPlainWritesThemOut) {
    const Model model = quick_gelu();
    ExportOptions options;
    options.target = ExportTarget::portable;
    const ExportResult portable = export_model(model, options);
    EXPECT_EQ(operators_of(portable.model), std::vector<std::string>{"com.microsoft::QuickGelu"});
    EXPECT_TRUE(portable.model.opset_imports.contains("com.microsoft"));
    options.target = ExportTarget::plain;
    const ExportResult plain = export_model(model, options);
    EXPECT_TRUE(target_problems(plain.model, ExportTarget::plain).empty());
    EXPECT_EQ(plain.lowered.size(), 1u);
    EXPECT_FALSE(plain.model.opset_imports.contains("com.microsoft"));
    EXPECT_EQ(test::compare_runs(model, plain.model, {1e-5, 1e-5}), "");
}

TEST(Export, WhatATargetDoesNotHaveIsNamedWithItsReason) {
    const Model odd = test::model_of("(x: f32[2]) -> (y)\n y = org.example::Frob(x) as \"odd\"");
    for (const ExportTargetInfo& info : export_targets()) {
        ExportOptions options;
        options.target = info.target;
        const std::string text = refusal(odd, options);
        EXPECT_NE(text.find("node \"odd\" (org.example::Frob)"), std::string::npos) << text;
    }
    const Model mask = test::model_of(
        "(x: f32[2,8]) -> (y, m)\n y, m = com.microsoft::BiasDropout(x, b: f32[8]) as \"drop\"");
    ExportOptions plain;
    plain.target = ExportTarget::plain;
    const std::string text = refusal(mask, plain);
    EXPECT_NE(text.find("\"drop\""), std::string::npos) << text;
    EXPECT_NE(text.find("its mask is read"), std::string::npos) << text;
}

// The target of one CPU keeps what ONNX Runtime knows, in the form that ONNX's checker knows too
// where there is one.
TEST(Export, OneCpuHasTheOfficialNormalizationToo) {
    const Model model = test::model_of(
        "(x: f32[2,8]) -> (y)\n y = LayerNormalization(x, g: f32[8], b: f32[8])", 11);
    ExportOptions options;
    options.target = ExportTarget::cpu;
    options.optimize.level = Level::all;
    const ExportResult raised = export_model(model, options);
    EXPECT_EQ(operators_of(raised.model), std::vector<std::string>{"LayerNormalization"});
    EXPECT_EQ(raised.model.opset(), 17);
    EXPECT_EQ(test::compare_runs(model, raised.model, {1e-6, 1e-6}), "");
    // ONNX Runtime passes over an attribute that opset 17 does not have
    const Model strange = test::model_of(
        "(x: f32[2,8]) -> (y)\n y = LayerNormalization(x, g: f32[8], b: f32[8]) {epsion: 0.1}", 11);
    EXPECT_EQ(export_model(strange, options).model.opset(), 11);
}

TEST(Export, LayoutsOfOneCpuAreStampedUndoneAndRedone) {
    const Model model = test::model_of(R"((x: f32[1,16,16,16]) -> (y)
        a = Conv(x, w: f32[32,16,3,3], b: f32[32]) {pads: [1,1,1,1]}
        c = Relu(a)
        y = Conv(c, v: f32[32,32,3,3], d: f32[32]) {pads: [1,1,1,1]})");
    const auto blocked = [](const Model& m) {
        return std::ranges::any_of(
            m.graph.nodes(), [&](NodeId id) { return m.graph.node(id).domain == nchwc_domain; });
    };
    ExportOptions options;
    options.optimize.level = Level::all;
    options.target = ExportTarget::cpu;
    options.optimize.channel_block = 8;
    const ExportResult eight = export_model(model, options);
    ASSERT_TRUE(blocked(eight.model));
    EXPECT_EQ(channel_block_of(eight.model), 8);
    EXPECT_TRUE(std::ranges::any_of(eight.model.metadata, [](const auto& m) {
        return m.first == channel_block_key && m.second == "8";
    }));
    EXPECT_TRUE(std::ranges::any_of(eight.model.metadata, [](const auto& m) {
        return m.first == layout_key && m.second.starts_with("cpu ");
    }));
    EXPECT_EQ(test::compare_runs(model, eight.model, {1e-4, 1e-4}), "");

    options.optimize.channel_block = 16;
    const ExportResult sixteen = export_model(eight.model, options);
    EXPECT_EQ(channel_block_of(sixteen.model), 16);
    EXPECT_EQ(test::compare_runs(model, sixteen.model, {1e-4, 1e-4}), "");

    for (const ExportTarget target : {ExportTarget::portable, ExportTarget::plain}) {
        ExportOptions other;
        other.target = target;
        other.optimize.level = Level::all;
        for (const Model* source : {&model, &eight.model}) {
            const ExportResult result = export_model(*source, other);
            EXPECT_FALSE(blocked(result.model));
            EXPECT_TRUE(target_problems(result.model, target).empty());
            EXPECT_EQ(test::compare_runs(model, result.model, {1e-4, 1e-4}), "");
        }
    }
}

// ONNX Runtime's operator refuses ids below zero, which Gather counts from the end.
TEST(Export, IdsOfEmbeddingsAreCountedFromTheFront) {
    const Model model = test::model_of(R"((ids: i64[2,3], kinds: bool[2,3]) -> (y)
        w = Gather(W: f32[9,4], ids)
        k = Cast(kinds) {to: 7}
        s = Gather(S: f32[2,4], k)
        a = Add(w, P: f32[1,3,4])
        e = Add(a, s)
        y = LayerNormalization(e, g: f32[4], bb: f32[4]))");
    ExportOptions options;
    options.target = ExportTarget::portable;
    options.optimize.level = Level::extended;
    const auto count = [](const Model& m, std::string_view op) {
        return std::ranges::count(operators_of(m), op);
    };
    const Model exported = export_model(model, options).model;
    EXPECT_EQ(count(exported, "com.microsoft::EmbedLayerNormalization"), 1);
    EXPECT_EQ(count(exported, "Gather"), 1);  // of the words; the kinds cannot be below zero
    EXPECT_EQ(count(exported, "Cast"), 1);    // of the kinds
    EXPECT_EQ(operators_of(export_model(exported, options).model), operators_of(exported));

    const NamedValues inputs{{"ids", Tensor::of<std::int64_t>({2, 3}, {0, -1, -9, 8, 3, -4})},
                             {"kinds", Tensor::of<bool>({2, 3}, {0, 1, 1, 0, 0, 1})}};
    const auto run = [&](const Model& m) {
        return Session::compile(std::make_shared<const Model>(m), {}).run(inputs).outputs;
    };
    OptimizeOptions extended;
    extended.level = Level::extended;
    const Model fused = optimize(model, extended).model;
    EXPECT_EQ(count(fused, "com.microsoft::EmbedLayerNormalization"), 1);
    for (const Model* other : {&exported, &fused})
        EXPECT_EQ(compare(run(*other)[0].second, run(model)[0].second, {1e-5, 1e-5}).reason, "");
}

// Where(ids < 0, ids + rows, ids) counts them from the front already, as do row numbers that the
// ids choose; graphs that nearly equal either do not.
TEST(Export, IdsAreCountedFromTheFrontOnce) {
    const auto counted = [](std::string_view nodes, std::string_view ids = "i",
                            std::string_view words = "w: f32[9,4]", std::int64_t opset = 17) {
        Model model =
            test::model_of(fmt::format("(ids: i32[2,3], c: bool[2,3], v: f32[n,4]) -> (y, m)\n"
                                       "f = Add(ids, n: i32[]{{9}})\n{}\n"
                                       "y, m = com.microsoft::EmbedLayerNormalization({}, _, {}, "
                                       "p: f32[5,4], _, g: f32[4], h: f32[4])",
                                       nodes, ids, words),
                           opset);
        std::vector<std::string> added = operators_of(model);
        count_ids_from_front(model, Model());  // as of an embedding that was made of something else
        std::vector<std::string> now = operators_of(model), more;
        std::ranges::sort(added);
        std::ranges::sort(now);
        std::ranges::set_difference(now, added, std::back_inserter(more));
        return fmt::format("{}", fmt::join(more, " "));
    };
    EXPECT_EQ(counted("t = Less(ids, z: i32[]{0})\ni = Where(t, f, ids)"), "");
    EXPECT_EQ(counted("i = Where(c, f, ids)"), "Gather");
    EXPECT_EQ(counted("t = Greater(ids, z: i32[]{0})\ni = Where(t, f, ids)"), "Gather");
    EXPECT_EQ(counted("t = Less(f, z: i32[]{0})\ni = Where(t, f, ids)"), "Gather");
    EXPECT_EQ(counted("t = Less(ids, z: i32[]{1})\ni = Where(t, f, ids)"), "Gather");
    EXPECT_EQ(counted("i = Gather(r: i32[4]{0,1,2,3}, ids)"), "");
    EXPECT_EQ(counted("i = Gather(r: i32[4]{0,1,3,-3}, ids)"), "Gather");
    EXPECT_EQ(counted("i = Identity(ids)"), "Gather");
    EXPECT_EQ(counted("", "ids"), "Gather");
    EXPECT_EQ(counted("", "ids", "w: f32[9,4]", 7), "Gather");
    EXPECT_EQ(counted("", "ids", "v"), "Add Cast Gather Less Shape Where");
    EXPECT_EQ(counted("", "ids", "v", 7), "");  // without Where
}

// Ids of int64 choose int32 numbers of rows: the Cast that the operator needed goes.
TEST(Export, RowNumbersTakeThePlaceOfTheCastOfIds) {
    const auto written = [](std::string_view cast, std::string_view outputs) {
        Model model = test::model_of(
            fmt::format("(ids: i64[2,3], x: f32[2,3]) -> ({})\n{}\n"
                        "y, m = com.microsoft::EmbedLayerNormalization(i, _, w: f32[9,4], "
                        "p: f32[9,4], _, g: f32[4], h: f32[4], _, i)",
                        outputs, cast));
        count_ids_from_front(model, Model());
        std::vector<std::string> now = operators_of(model);
        std::ranges::sort(now);
        return fmt::format("{}", fmt::join(now, " "));
    };
    EXPECT_EQ(written("i = Cast(ids) {to: 6}", "y, m"),
              "Gather Gather com.microsoft::EmbedLayerNormalization");
    EXPECT_EQ(written("i = Cast(ids) {to: 6}", "y, i"),
              "Cast Gather Gather com.microsoft::EmbedLayerNormalization");
    EXPECT_EQ(written("i = Cast(x) {to: 6}", "y, m"),
              "Cast Gather Gather com.microsoft::EmbedLayerNormalization");
}

TEST(Export, OpsetsGoUpAndDown) {
    ExportOptions options;
    options.optimize.level = Level::disabled;
    options.opset = 21;
    const ExportResult up = export_model(quick_gelu(), options);
    EXPECT_EQ(up.model.opset(), 21);
    EXPECT_EQ(up.notes.size(), 1u);
    EXPECT_GE(up.model.ir_version, 10);
    EXPECT_EQ(test::compare_runs(quick_gelu(), up.model, {1e-6, 1e-6}), "");
    options.opset = 13;
    const ExportResult down = export_model(up.model, options);
    EXPECT_EQ(down.model.opset(), 13);
    EXPECT_LE(down.model.ir_version, 7);
    EXPECT_EQ(test::compare_runs(up.model, down.model, {1e-6, 1e-6}), "");
    options.opset = 6;
    EXPECT_NE(refusal(quick_gelu(), options).find("the oldest is 7"), std::string::npos);
    options.opset = 99;
    EXPECT_NE(refusal(quick_gelu(), options).find("opset 99 is not known"), std::string::npos);
}

TEST(Export, PlainAtALaterOpsetUsesItsOperators) {
    const Model model = test::model_of("(x: f32[2,8]) -> (y)\n y = com.microsoft::Gelu(x)", 13);
    ExportOptions options;
    options.target = ExportTarget::plain;
    options.opset = 20;
    EXPECT_EQ(operators_of(export_model(model, options).model), std::vector<std::string>{"Gelu"});
}

TEST(Export, TheBatchCanBeFixed) {
    ExportOptions options;
    options.static_batch = 4;
    const ExportResult fixed = export_model(quick_gelu(), options);
    EXPECT_EQ(to_string(fixed.model.graph.value(fixed.model.graph.inputs()[0]).type), "f32[4,8]");
    options.static_batch = 0;
    EXPECT_NE(refusal(quick_gelu(), options).find("at least 1"), std::string::npos);
    options.static_batch = 4;
    EXPECT_NE(
        refusal(test::model_of("(x: f32[2]) -> (y)\n y = Neg(x)"), options).find("no input has"),
        std::string::npos);
}

}  // namespace
}  // namespace lapidary
