// SPDX-License-Identifier: Apache-2.0
// What ONNX's checker and releases of ONNX Runtime require of files: exports satisfy it, and
// --release adapts what is written.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/export/export_model.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/ops/infer.h>
#include <lapidary/export/release.h>

#include "graph/ir_version.h"
#include "graph/reader_demands.h"
#include "graph/traversal.h"
#include "support/pass_harness.h"

namespace lapidary {
namespace {

constexpr Level levels[] = {Level::disabled, Level::basic, Level::extended, Level::all};

std::vector<std::string> operators_of(const Graph& graph) {
    std::vector<std::string> names;
    for (const NodeId id : graph.nodes()) names.push_back(graph.node(id).qualified_op());
    return names;
}

/// What readers refuse in any graph of the model; empty: nothing.
std::string refused_of(const Model& model) {
    std::string found;
    for_each_graph(model.graph, [&](const Graph& graph, const std::string& place) {
        if (!nodes_of_taken_names(graph).empty()) found += "two names in " + place + "; ";
        if (&graph != &model.graph && !outputs_from_outside(graph).empty())
            found += "outer value of " + place + "; ";
        for (const NodeId id : graph.nodes()) found += forbidden_by_version(graph.node(id));
        if (!shapes_that_mislead(graph).empty()) found += "misleading shapes in " + place + "; ";
    });
    return found;
}

/// Exports for every target and level: refused nothing, the same outputs, a note of each change.
void expect_mended(const Model& model, const std::string& noted) {
    ASSERT_NE(refused_of(model), "");
    for (const ExportTarget target : {ExportTarget::portable, ExportTarget::plain})
        for (const Level level : levels) {
            ExportOptions options;
            options.target = target;
            options.optimize.level = level;
            const ExportResult result = export_model(model, options);
            const std::string what = fmt::format("{} {}", info_of(target).name, name_of(level));
            EXPECT_EQ(refused_of(result.model), "") << what;
            EXPECT_EQ(test::compare_runs(model, result.model, {1e-6, 1e-6}), "") << what;
            EXPECT_EQ(first_release(release_needs(result.model)), std::nullopt) << what;
            const bool reported = std::ranges::any_of(result.notes, [&](const std::string& note) {
                return note.find(noted) != std::string::npos;
            });
            EXPECT_EQ(reported, !result.mended.empty())
                << what << fmt::format("\n{}", fmt::join(result.notes, "\n"));
        }
}

TEST(Readers, NodesOfOneNameAreNamedApartInEveryGraph) {
    Model model = test::model_of(R"((x: f32[2], c: bool[]) -> (y)
        a = Relu(x) as "n"
        b = Neg(a) as "n"
        y = If(c) {then_branch: graph { () -> (t)  p = Sin(b) as "m"  t = Cos(p) as "m" },
                   else_branch: graph { () -> (e)  e = Exp(b) as "n" }} as "n_1")");
    expect_mended(model, "named apart");
    EXPECT_EQ(first_release(release_needs(model)), 0);
    const std::vector<ReleaseNeed> needs = release_needs(model);
    EXPECT_TRUE(std::ranges::any_of(needs, [](const ReleaseNeed& need) {
        return need.minor == 0 && need.reason.find("same name \"n\"") != std::string::npos;
    }));
}

/// ONNX Runtime 1.18 to 1.22 take a Squeeze of all axes of size 1 for a scalar where the sizes are
/// unknown.
TEST(Readers, ShapesAroundASqueezeOfUnknownAxesAreLeftOut) {
    Model model = test::model_of(R"((x: f32[n,m,1]) -> (y, k)
        g = Relu(x)
        k = Neg(g)
        s = Squeeze(k)
        z = NonZero(s)
        y = Transpose(z) {perm: [1, 0]})",
                                 12);
    infer_types(model);
    GraphEdit edit(model.graph);
    for (const NodeId id : model.graph.nodes())
        for (const ValueId output : model.graph.node(id).outputs) edit.set_declared(output, true);
    EXPECT_EQ(shapes_that_mislead(model.graph).size(), 3u);  // outputs are declared in any case
    expect_mended(model, "Squeeze without axes");
    const char* known = "(x: f32[2,3,1]) -> (y)\n s = Squeeze(x)\n y = Relu(s)";
    EXPECT_TRUE(shapes_that_mislead(test::model_of(known, 12).graph).empty());
}

TEST(Readers, PoolsThatDropTheirLastWindowAreRoundedDown) {
    struct Case {
        const char* pool;
        bool is_left_out;
    };
    for (const auto& [pool, is_left_out] :
         {Case{"MaxPool(x) {kernel_shape: [1, 1], strides: [2, 2], ceil_mode: 1}", true},
          Case{"AveragePool(x) {kernel_shape: [3, 3], strides: [3, 3], pads: [1, 1, 1, 1], "
               "count_include_pad: 1, ceil_mode: 1}",
               true},
          Case{"MaxPool(x) {kernel_shape: [2, 2], strides: [3, 3], ceil_mode: 1}", false},
          // rounded up along one axis: nothing else says it
          Case{"MaxPool(x) {kernel_shape: [1, 2], strides: [2, 3], ceil_mode: 1}", false},
          Case{"MaxPool(x) {kernel_shape: [1, 1], ceil_mode: 1}", false}}) {
        const std::string size = std::string_view(pool).starts_with("Average") ? "2" : "4";
        const Model model =
            test::model_of("(x: f32[1,2," + size + "," + size + "]) -> (y)\n y = " + pool);
        ExportOptions options;
        options.optimize.level = Level::disabled;
        const ExportResult result = export_model(model, options);
        const Node& written = result.model.graph.node(result.model.graph.nodes().front());
        EXPECT_EQ(written.int_attribute("ceil_mode", 0) == 0, is_left_out) << pool;
        EXPECT_EQ(test::compare_runs(model, result.model, {1e-6, 1e-6}), "") << pool;
        EXPECT_EQ(std::ranges::any_of(result.notes,
                                      [](const std::string& note) {
                                          return note.find(
                                                     "ceil_mode left out of 1 pool: ONNX "
                                                     "Runtime before 1.21") == 0;
                                      }),
                  is_left_out)
            << pool;
    }
}

TEST(Readers, BranchesAndBodiesReturnOuterValuesThroughIdentity) {
    const Model branch = test::model_of(R"((x: f32[3], c: bool[]) -> (y)
        n = Neg(x)
        y = If(c) {then_branch: graph { () -> (n) }, else_branch: graph { () -> (x) }})");
    expect_mended(branch, "through an Identity");
    const Model loop = test::model_of(R"((x: f32[3], m: i64[]) -> (y)
        n = Neg(x)
        y = Loop(m, _, x) {body: graph { (i: i64[], k: bool[], v: f32[3]) -> (k, n) }})");
    expect_mended(loop, "through an Identity");
}

TEST(Readers, WhatTheVersionForbidsIsWrittenAsItAllows) {
    const Model model = test::model_of("(x: f32[2,3,4]) -> (y)\n y = Flatten(x) {axis: -1}", 9);
    expect_mended(model, "axis counted from the front");
    ExportOptions options;
    options.optimize.level = Level::disabled;
    const Model written = export_model(model, options).model;
    EXPECT_EQ(written.graph.node(written.graph.nodes().front()).int_attribute("axis", 0), 2);
    EXPECT_EQ(refused_of(test::model_of("(x: f32[2,3,4]) -> (y)\n y = Flatten(x) {axis: -1}", 11)),
              "");
}

TEST(Readers, ExportsForATargetGetTheOldestIrVersionThatHoldsThem) {
    for (const auto& [opset, wanted] :
         {std::pair{9, 4}, {12, 7}, {17, 8}, {19, 9}, {21, 10}, {23, 11}, {25, 13}}) {
        Model model = test::model_of("(x: f32[2]) -> (y)\n y = Relu(x)", opset);
        for (const std::int64_t given : {7, 13, 14}) {
            model.ir_version = given;
            for (const ExportTargetInfo& target : export_targets()) {
                ExportOptions options;
                options.target = target.target;
                const ExportResult result = export_model(model, options);
                EXPECT_EQ(result.model.ir_version, wanted)
                    << opset << ' ' << given << ' ' << target.name;
                const bool reported = std::ranges::any_of(
                    result.notes,
                    [](const std::string& note) { return note.starts_with("IR version"); });
                EXPECT_EQ(reported, given != wanted);
            }
            EXPECT_EQ(export_model(model).model.ir_version, given) << "asked for no target";
        }
    }
    // Below 4 an input with a default is a constant, which a newer version would change.
    Model old = test::model_of("(x: f32[2]) -> (y)\n y = Relu(x)", 9);
    old.ir_version = 3;
    ExportOptions options;
    options.target = ExportTarget::portable;
    options.optimize.level = Level::disabled;
    EXPECT_EQ(export_model(old, options).model.ir_version, 3);
}

TEST(Readers, TypesAskForTheirIrVersion) {
    const auto needed = [](const char* text, std::int64_t opset) {
        Model model = test::model_of(text, opset);
        model.ir_version = 14;
        return least_ir_version(model);
    };
    EXPECT_EQ(needed("(x: f32[2]) -> (y)\n q = QuantizeLinear(x, s: f32[]{0.1}, z: u8[]{0})\n"
                     "y = DequantizeLinear(q, s, z)",
                     17),
              8);
    EXPECT_EQ(needed("(x: f32[2]) -> (y)\n q = Cast(x) {to: 17}\n y = Cast(q) {to: 1}", 19), 9);
    EXPECT_EQ(needed("(x: f32[2]) -> (y)\n q = Cast(x) {to: 22}\n y = Cast(q) {to: 1}", 21), 10);
    EXPECT_EQ(needed("(x: f32[2]) -> (y)\n q = Cast(x) {to: 23}\n y = Cast(q) {to: 1}", 23), 11);
}

TEST(Release, KnowsWhatEachReads) {
    EXPECT_EQ(release_minor("1.20"), 20);
    EXPECT_EQ(release_minor("1.17.3"), 17);
    EXPECT_THROW(release_minor("2.0"), Error);
    EXPECT_THROW(release_minor("1.x"), Error);
    EXPECT_THROW(runtime_release(14), Error);
    EXPECT_EQ(runtime_release(17).opset, 20);
    EXPECT_EQ(runtime_release(99).minor, runtime_releases().back().minor);
    std::int64_t ir = 0, opset = 0;
    for (const RuntimeRelease& release : runtime_releases()) {
        EXPECT_GE(release.ir_version, ir);
        EXPECT_GE(release.opset, opset);
        ir = release.ir_version, opset = release.opset;
        EXPECT_GE(release.ir_version, least_ir_version(release.opset)) << release.minor;
    }
}

std::string fitting(Model model, int minor) {
    try {
        fit_release(model, minor);
    } catch (const Error& error) { return error.message(); }
    const std::vector<ReleaseNeed> needs = release_needs(model);
    EXPECT_TRUE(std::ranges::all_of(
        needs, [&](const ReleaseNeed& n) { return n.minor > 0 && n.minor <= minor; }));
    return {};
}

TEST(Release, OpsetsAreLoweredWhereNothingNewIsUsed) {
    Model model = test::model_of(R"((x: f32[2,3]) -> (y)
        q = QuantizeLinear(x, s: f32[]{0.1}, z: u8[]{0}) {block_size: 0}
        d = DequantizeLinear(q, s, z)
        r = Reshape(d, t: i64[2]{3,2})
        y = Cast(r) {to: 10})",
                                 21);
    model.ir_version = 13;
    Model written = model;
    const std::vector<std::string> notes = fit_release(written, 17);
    EXPECT_EQ(written.opset(), 20);
    EXPECT_EQ(written.ir_version, 9);
    EXPECT_EQ(notes.size(), 2u);
    EXPECT_EQ(written.graph.node(written.graph.nodes().front()).attribute("block_size"), nullptr);
    for (const NodeId id : written.graph.nodes()) EXPECT_LE(written.graph.node(id).version, 20);
    EXPECT_EQ(test::compare_runs(model, written, {0, 0}), "");
    Model newest = model;
    EXPECT_EQ(fit_release(newest, 32).size(), 0u);
    EXPECT_EQ(newest.opset(), 21);
}

TEST(Release, NewerOperatorsAreWrittenOut) {
    const Model model =
        test::model_of("(x: f32[2,8]) -> (y)\n y = RMSNormalization(x, g: f32[8]) as \"rms\"", 23);
    Model written = model;
    const std::vector<std::string> notes = fit_release(written, 20);
    EXPECT_EQ(written.opset(), 21);
    ASSERT_GE(notes.size(), 2u);
    EXPECT_NE(std::ranges::find(notes, "for opset 21: wrote out RMSNormalization"), notes.end());
    EXPECT_EQ(test::compare_runs(model, written, {1e-5, 1e-5}), "");
}

TEST(Release, NodesThatUseMoreAreNamed) {
    const auto contains = [](const std::string& text, const std::vector<std::string>& parts) {
        for (const std::string& part : parts)
            EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
    };
    contains(
        fitting(test::model_of("(x: f32[2,8]) -> (y)\n y = BitCast(x) {to: 6} as \"bits\"", 26),
                20),
        {"ONNX Runtime 1.20", "opset 21", "\"bits\"", "came with opset 26"});
    contains(
        fitting(test::model_of("(x: f32[2,8]) -> (y)\n y = Cast(x) {to: 22} as \"int4\"", 21), 17),
        {"\"int4\"", "it gives i4"});
    contains(fitting(test::model_of("(x: f32[2,4]) -> (y)\n"
                                    "y = QuantizeLinear(x, s: f32[2,2]{1,2,3,4}, z: "
                                    "u8[2,2]{1,2,3,4}) "
                                    "{axis: 1, block_size: 2} as \"blocks\"",
                                    21),
                     16),
             {"\"blocks\"", "it quantizes in blocks"});
    contains(
        fitting(test::model_of("(x: f32[2]) -> (y)\n y = com.microsoft::SwiGLU(x) as \"new\""), 31),
        {"\"new\"", "from 1.32 on"});
    const char* wide =
        "(x: f32[2]) -> (y)\n"
        "y = com.microsoft::QuantizeLinear(x, s: f32[]{0.1}, z: i16[]{0}) {axis: 0} as \"wide\"";
    Model quantized = test::model_of(wide);
    quantized.ir_version = 8;
    EXPECT_EQ(first_release(release_needs(quantized)), 17);
    EXPECT_EQ(fitting(test::model_of("(x: f32[2,8]) -> (y)\n y = Relu(x)", 20), 17), "");
}

/// What keeps a release from a model by its kernels: "1.23", "none" or "" where every release known
/// has them.
std::string kernels_from(const std::string& text, std::int64_t opset, const std::string& reason) {
    Model model = test::model_of(text, opset);
    model.ir_version = 8;
    std::string from;
    for (const ReleaseNeed& need : release_needs(model))
        if (need.reason.find(reason) != std::string::npos)
            from = need.minor == 0 ? "none" : fmt::format("1.{}", need.minor);
    return from;
}

TEST(Release, NodesWithoutAKernelAreNamed) {
    EXPECT_EQ(kernels_from("(x: i8[2]) -> (y)\n y = Add(x, x) as \"sum\"", 14,
                           "node \"sum\" (Add): no kernel"),
              "1.21");
    EXPECT_EQ(kernels_from("(x: i32[2]) -> (y)\n y = Add(x, x)", 14, "kernel"), "");
    EXPECT_EQ(kernels_from("(x: f32[2]) -> ()", 14, "neither nodes nor outputs"), "none");
    // Functions that releases without a kernel expand: what their bodies stand on.
    EXPECT_EQ(kernels_from("(x: u8[2]) -> (y)\n y = GreaterOrEqual(x, x)", 16, "no kernel"),
              "1.21");
    EXPECT_EQ(kernels_from("(x: f32[2], t: i32[1]) -> (y)\n y = CastLike(x, t)", 15, "no kernel"),
              "");
    EXPECT_EQ(kernels_from("(x: f32[2], t: i4[1]) -> (y)\n y = CastLike(x, t)", 21, "no kernel"),
              "1.23");
    EXPECT_EQ(kernels_from("(x: i16[2]) -> (y)\n y = Max(x, x)", 13,
                           "no kernel of the CPU for version 13 for T i16"),
              "none");
    EXPECT_EQ(kernels_from("(x: f32[2]) -> (y)\n y = LpNormalization(x)", 22, "for version 22"),
              "1.25");
    EXPECT_EQ(kernels_from("(x: f32[2,1,3]) -> (y)\n"
                           "y = RNN(x, w: f32[1,4,3], r: f32[1,4,4]) {hidden_size: 4, layout: 1}",
                           14, "\"layout\""),
              "none");
    // ONNX Runtime inserts the casts of float16; other devices have kernels for bfloat16.
    EXPECT_EQ(kernels_from("(x: f16[2]) -> (y)\n y = Acos(x)", 7, "kernel"), "");
    EXPECT_EQ(kernels_from("(x: bf16[2]) -> (y)\n y = Add(x, x)", 14, "kernel"), "");
    EXPECT_NE(fitting(test::model_of("(x: i8[2]) -> (y)\n y = Add(x, x) as \"sum\"", 14), 20)
                  .find("\"sum\""),
              std::string::npos);
    EXPECT_EQ(fitting(test::model_of("(x: i8[2]) -> (y)\n y = Add(x, x)", 14), 21), "");
    Model elsewhere = test::model_of("(x: bf16[2]) -> (y)\n y = Add(x, x)", 14);
    const std::vector<std::string> notes = fit_release(elsewhere, 20);
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_NE(notes[0].find("another execution provider"), std::string::npos) << notes[0];
}

/// A release reads opsets of whose operators it has kernels for older versions alone.
TEST(Release, OpsetsAreThoseOfKernels) {
    const Model newer = test::model_of("(x: f32[2]) -> (y)\n y = LpNormalization(x)", 22);
    for (const int minor : {24, 21, 20, 17}) {
        Model written = newer;
        EXPECT_FALSE(fit_release(written, minor).empty());
        EXPECT_LT(written.opset(), 22) << minor;
        EXPECT_LE(first_release(release_needs(written)).value_or(15), minor);
        EXPECT_EQ(test::compare_runs(newer, written, {0, 0}), "");
    }
    Model kept = newer;
    fit_release(kept, 25);
    EXPECT_EQ(kept.opset(), 22);
    const Model old =
        test::model_of("(x: f32[2,3]) -> (y)\n y = PRelu(x, s: f32[2,3]{1,2,3,4,5,6})", 6);
    Model raised = old;
    fit_release(raised, 20);
    EXPECT_GE(raised.opset(), 7);
    EXPECT_EQ(test::compare_runs(old, raised, {0, 0}), "");
}

/// What an older form forbids is a reason like any other.
TEST(Release, WhatTheOlderFormForbidsIsNamed) {
    const std::string problem = fitting(
        test::model_of("(x: f32[2]) -> (y)\n y = Mod(x, d: f32[2]{2,3}) as \"rest\"", 28), 20);
    EXPECT_NE(problem.find("\"rest\""), std::string::npos) << problem;
    EXPECT_NE(problem.find("opset 21 at most"), std::string::npos) << problem;
}

TEST(Release, BlocksOfOtherBitsCameLater) {
    const auto text = [](int bits) {
        return fmt::format(
            "(x: f32[2,64]) -> (y)\n y = com.microsoft::MatMulNBits(x, w: u8[8,2,{}], s: f32[16]) "
            "{{K: 64, N: 8, bits: {}, block_size: 32}} as \"product\"",
            bits * 4, bits);
    };
    EXPECT_EQ(kernels_from(text(4), 17, "bits"), "");
    EXPECT_EQ(
        kernels_from(text(8), 17, "node \"product\" (com.microsoft::MatMulNBits): its 8 bits"),
        "1.22");
    EXPECT_EQ(kernels_from(text(2), 17, "its 2 bits"), "1.24");
}

TEST(Release, OperatorsOfOnnxRuntimeThatCameLaterAreWrittenOut) {
    const char* text = R"((x: f32[1,4,8]) -> (y)
        y = com.microsoft::MultiHeadAttention(x, x, x, _, _, b: f32[1,1,4,4]) {num_heads: 2} as "attention")";
    const Model model = test::model_of(text, 17);
    EXPECT_EQ(first_release(release_needs(model)), 20);
    Model older = model;
    const std::vector<std::string> notes = fit_release(older, 18);
    EXPECT_FALSE(notes.empty());
    EXPECT_EQ(std::ranges::count(operators_of(older.graph), "com.microsoft::MultiHeadAttention"),
              0);
    EXPECT_EQ(test::compare_runs(model, older, {1e-5, 1e-5}), "");
    Model newer = model;
    EXPECT_TRUE(fit_release(newer, 20).empty());
    EXPECT_EQ(operators_of(newer.graph),
              std::vector<std::string>{"com.microsoft::MultiHeadAttention"});
}

TEST(Release, AnExportAskedForOneFitsIt) {
    Model model = test::model_of("(x: f32[2,8]) -> (y)\n g = Sigmoid(x)\n y = Mul(x, g)", 23);
    model.ir_version = 13;
    ExportOptions options;
    options.release = 17;
    const ExportResult result = export_model(model, options);
    EXPECT_EQ(result.model.opset(), 20);
    EXPECT_EQ(result.model.ir_version, 9);
    EXPECT_EQ(test::compare_runs(model, result.model, {1e-6, 1e-6}), "");
}

TEST(Exports, StoredEmbeddingsStayAsTheyAre) {
    Model model = test::model_of(R"((ids: i32[1,4], kinds: i32[1,4]) -> (y, m)
        y, m = com.microsoft::EmbedLayerNormalization(ids, kinds, w: f32[9,8], p: f32[5,8], s: f32[2,8], g: f32[8],
                                                      b: f32[8]))",
                                 17);
    const Model made = test::model_of(R"((ids: i32[1,4], kinds: i32[1,4]) -> (y)
        a = Gather(w: f32[9,8], ids)
        k = Gather(s: f32[2,8], kinds)
        e = Add(a, p: f32[4,8])
        f = Add(e, k)
        y = LayerNormalization(f, g: f32[8], b: f32[8]) {epsilon: 1e-5})",
                                      17);
    for (const Level level : levels) {
        ExportOptions options;
        options.optimize.level = level;
        const ExportResult stored = export_model(model, options);
        EXPECT_EQ(operators_of(stored.model.graph),
                  std::vector<std::string>{"com.microsoft::EmbedLayerNormalization"})
            << name_of(level);
        EXPECT_TRUE(stored.mended.empty());
        const ExportResult fused = export_model(made, options);
        const auto operators = operators_of(fused.model.graph);
        const bool is_fused =
            std::ranges::count(operators, "com.microsoft::EmbedLayerNormalization") == 1;
        EXPECT_EQ(is_fused, level >= Level::extended) << name_of(level);
        EXPECT_EQ(fused.mended.size(), is_fused ? 2u : 0u);
        EXPECT_EQ(
            std::ranges::any_of(fused.notes,
                                [](const std::string& n) {
                                    return n.find("ids of embeddings counted from the front") !=
                                           std::string::npos;
                                }),
            is_fused);
    }
}

}  // namespace
}  // namespace lapidary
