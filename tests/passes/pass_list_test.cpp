// SPDX-License-Identifier: Apache-2.0
// The pass list as a whole, its ORT names, and the options of optimize().
#include <map>
#include <set>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/passes/device_passes.h>
#include <lapidary/passes/optimize.h>

#include "passes/pass_list.h"
#include "support/pass_harness.h"

namespace lapidary {
namespace {

/// What ONNX Runtime 1.25 registers for the CPU provider, and the CUDA-only rows it matches there.
constexpr const char* ort_names[] = {"EliminateIdentity",
                                     "EliminateSlice",
                                     "UnsqueezeElimination",
                                     "EliminateDropout",
                                     "ExpandElimination",
                                     "CastElimination",
                                     "CastChainElimination",
                                     "PreShapeNodeElimination",
                                     "NoopElimination",
                                     "DivMulFusion",
                                     "FuseReluClip",
                                     "GemmSumFusion",
                                     "GemmTransposeFusion",
                                     "NotWhereFusion",
                                     "ConvAddFusion",
                                     "ConvMulFusion",
                                     "ConvBNFusion",
                                     "Pad_Fusion",
                                     "MatMul_BatchNormalization_Fusion",
                                     "LabelEncoderFusion",
                                     "DoubleQDQPairsRemover",
                                     "ConstantSharing",
                                     "CommonSubexpressionElimination",
                                     "ConstantFolding",
                                     "MatMulAddFusion",
                                     "ReshapeFusion",
                                     "FreeDimensionOverride",
                                     "GeluFusion",
                                     "LayerNormFusion",
                                     "QDQPropagationTransformer",
                                     "WeightBiasQuantization",
                                     "EnsureUniqueDQForNodeUnit",
                                     "WhereDummyDq",
                                     "TransposeOptimizer",
                                     "ClipQuantRewrite",
                                     "ReluQuantRewrite",
                                     "TransposeOptimizer_CPUExecutionProvider",
                                     "QDQS8ToU8Transformer",
                                     "QDQSelectorActionTransformer",
                                     "GemmActivationFusion",
                                     "MatMulIntegerToFloatFusion",
                                     "DynamicQuantizeMatMulFusion",
                                     "ConvActivationFusion",
                                     "SimplifiedLayerNormFusion",
                                     "AttentionFusion",
                                     "EmbedLayerNormFusion",
                                     "GatherSliceToSplitFusion",
                                     "GatherToSliceFusion",
                                     "MatmulTransposeFusion",
                                     "BiasGeluFusion",
                                     "GroupQueryAttentionFusion",
                                     "SkipLayerNormFusion",
                                     "FastGeluFusion",
                                     "QuickGeluFusion",
                                     "GeluApproximation",
                                     "BiasSoftmaxFusion",
                                     "BiasDropoutFusion",
                                     "MatMulScaleFusion",
                                     "MatMulActivationFusion",
                                     "Avx2WeightS8ToU8Transformer",
                                     "MatMulNBitsFusion",
                                     "QDQFinalCleanupTransformer",
                                     "NchwcTransformer",
                                     "NhwcTransformer",
                                     "ConvAddActivationFusion",
                                     "FuseFp16InitializerToFp32NodeTransformer",
                                     "Level1_RuleBasedTransformer",
                                     "Level2_RuleBasedTransformer"};

TEST(PassList, EveryOrtNameIsAnswered) {
    for (const char* name : ort_names) EXPECT_FALSE(find_passes(name).empty()) << name;
    EXPECT_GE(find_passes("Level1_RuleBasedTransformer").size(), 20u);
}

TEST(PassList, NamesAndPlacesAreUnique) {
    std::set<std::string_view> names;
    std::set<std::pair<Level, int>> places;
    for (const PassInfo& p : all_passes()) {
        EXPECT_TRUE(names.insert(p.name).second) << p.name;
        EXPECT_TRUE(places.emplace(p.level, p.order).second) << p.name << " at " << p.order;
        EXPECT_TRUE(p.summary.ends_with('.')) << p.name;
    }
}

// A session that fuses nothing still prepares the graph and stores values as it would: the group of
// a pass says which it is, and passes run group by group.
TEST(PassList, TheGroupOfASessionPassDecidesWhenItRuns) {
    OptimizeOptions options;
    options.provider = device_passes_f16;
    options.session_passes = SessionPasses::Set::preparing;
    const std::vector<std::string> skipped = skipped_passes(options);
    PassGroup before = PassGroup::none;
    std::map<PassGroup, int> passes;
    for (std::size_t i = 0; i < pass_entries().size(); ++i) {
        const PassEntry& entry = pass_entries()[i];
        EXPECT_EQ(entry.group != PassGroup::none, entry.info.level == Level::session)
            << entry.info.name;
        EXPECT_GE(entry.group, before) << entry.info.name;
        EXPECT_EQ(skipped[i] == "fuses nodes, which sessions do from level extended on",
                  entry.group == PassGroup::fuse)
            << entry.info.name;
        before = entry.group;
        ++passes[entry.group];
    }
    EXPECT_GE(passes[PassGroup::prepare], 3);
    EXPECT_GE(passes[PassGroup::fuse], 10);
    EXPECT_GE(passes[PassGroup::store], 1);
}

const char* const text = R"((x: f32[1,3,8,8]) -> (y)
c = Conv(x, w: f32[4,3,3,3]) {kernel_shape: [3, 3]}
i = Identity(c)
r = Relu(i)
y = Mul(r, one: f32[]{1.0})
)";

TEST(Optimize, AnUnknownPassNamesTheNearest) {
    OptimizeOptions options;
    options.disabled_passes = {"fuse_conv_ad"};
    try {
        optimize(test::model_of(text), options);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_input);
        EXPECT_NE(error.message().find("\"fuse_conv_add\""), std::string::npos) << error.message();
    }
}

TEST(Optimize, OrtNamesSwitchPassesOff) {
    OptimizeOptions options;
    options.disabled_passes = {"ConvActivationFusion"};
    const OptimizeResult result = optimize(test::model_of(text), options);
    for (const AppliedRewrite& r : result.report.rewrites)
        EXPECT_NE(r.rewrite.pass, "fuse_conv_activation");
    for (const PassRun& p : result.report.passes) {
        if (p.pass == "fuse_conv_activation") { EXPECT_EQ(p.skipped, "switched off"); }
    }
}

TEST(Optimize, StopsAfterSoManyRewritesIdForId) {
    const Model model = test::model_of(text);
    const OptimizeResult whole = optimize(model);
    ASSERT_GE(whole.report.rewrites.size(), 3u);
    for (std::size_t n = 0; n <= whole.report.rewrites.size(); ++n) {
        OptimizeOptions options;
        options.stop_after = n;
        const OptimizeResult part = optimize(model, options);
        ASSERT_EQ(part.report.rewrites.size(), n);
        for (std::size_t i = 0; i < n; ++i) {
            EXPECT_EQ(part.report.rewrites[i].rewrite.removed,
                      whole.report.rewrites[i].rewrite.removed);
            EXPECT_EQ(part.report.rewrites[i].rewrite.added,
                      whole.report.rewrites[i].rewrite.added);
        }
        EXPECT_EQ(test::compare_runs(model, part.model, {1e-5, 1e-5}), "");
    }
}

TEST(Optimize, ResultsMayBeMissing) {
    const Model model = test::model_of(
        "(x: f32[2,3,4], z: f32[2,3,4]) -> (o)\nh = Add(x, z)\ny = LayerNormalization(h, s: "
        "f32[4], b: f32[4])\nr = "
        "Relu(y)\no = Add(h, r)");
    for (const bool verify : {false, true}) {
        OptimizeOptions options;
        options.only_passes = {"fuse_skip_layer_norm"};
        options.verify = verify;
        EXPECT_EQ(optimize(model, options).report.rewrites.size(), 1u);
    }
}

TEST(Optimize, FusedNodesKnowTheNodesTheyStandFor) {
    const Model model = test::model_of(text);
    const OptimizeResult result = optimize(model);
    ASSERT_EQ(result.model.graph.node_count(), 1u);
    const Node& fused = result.model.graph.node(result.model.graph.nodes()[0]);
    EXPECT_EQ(fused.op_type, "FusedConv");
    std::set<std::string> origins;
    for (NodeId id : fused.origins) origins.insert(model.graph.node(id).op_type);
    EXPECT_TRUE(origins.contains("Conv"));
    EXPECT_TRUE(origins.contains("Relu"));
}

TEST(Optimize, KeepsOnlyTheOutputsAskedFor) {
    const Model model = test::model_of("(x: f32[2]) -> (a, b)\na = Exp(x)\nb = Neg(x)\n");
    OptimizeOptions options;
    options.keep_outputs = {"b"};
    const Model result = optimize(model, options).model;
    ASSERT_EQ(result.graph.outputs().size(), 1u);
    EXPECT_EQ(result.graph.value(result.graph.outputs()[0]).name, "b");
    EXPECT_EQ(result.graph.node_count(), 1u);
    options.keep_outputs = {"c"};
    EXPECT_THROW(optimize(model, options), Error);
}

TEST(Optimize, FreeDimensionsAreFixedAndWrongNamesRefused) {
    const Model model = test::model_of("(x: f32[batch,4]) -> (y)\ny = Relu(x)\n");
    OptimizeOptions options;
    options.free_dimensions = {{"batch", 3}};
    const Model result = optimize(model, options).model;
    EXPECT_EQ(to_string(result.graph.value(result.graph.outputs()[0]).type), "f32[3,4]");
    options.free_dimensions = {{"Batch", 3}};
    EXPECT_THROW(optimize(model, options), Error);
}

TEST(Optimize, NearMissesComeNearestFirst) {
    const Model model = test::model_of(R"((x: f32[2,3]) -> (y, g)
g = Sigmoid(x)
y = Mul(g, x)
)");
    const OptimizeResult result = optimize(model);
    ASSERT_FALSE(result.report.near_misses.empty());
    for (std::size_t i = 1; i < result.report.near_misses.size(); ++i)
        EXPECT_LE(result.report.near_misses[i - 1].shortfall,
                  result.report.near_misses[i].shortfall);
    EXPECT_EQ(result.report.near_misses[0].reason, "the Sigmoid result is also read elsewhere");
}

const char* const product =
    "(x: f32[6,40]) -> (y)\na = MatMul(x, w: f32[40,20])\nb = Add(a, c: f32[20])\ny = Tanh(b)\n";

TEST(Optimize, SessionPassesFollowWhereAskedForAndStopLikeTheOthers) {
    const Model model = test::model_of(product);
    OptimizeOptions options;
    options.disabled_passes = {"fuse_matmul_add"};
    EXPECT_FALSE(has_session_operators(optimize(model, options).model));
    options.session_passes = SessionPasses::Set::all;
    const OptimizeResult whole = optimize(model, options);
    EXPECT_TRUE(has_session_operators(whole.model));
    ASSERT_EQ(whole.report.rewrites.size(), 1u);
    EXPECT_EQ(whole.report.rewrites[0].level, Level::session);
    EXPECT_EQ(
        test::compare_runs(model, whole.model, {1e-5, 1e-5}, 1, {}, 1, SessionPasses::Set::none),
        "");
    options.stop_after = 0;
    EXPECT_FALSE(has_session_operators(optimize(model, options).model));
}

TEST(Optimize, SessionPassesAreExplainedOfAModelThatStaysAsItIs) {
    OptimizeOptions options;
    options.disabled_passes = {"fuse_matmul_add"};
    OptimizeResult result = optimize(test::model_of(product), options);
    const std::size_t nodes = result.model.graph.node_count(), passes = result.report.passes.size();
    explain_session_passes(result.model, options, SessionPasses::Set::all, result.report);
    EXPECT_EQ(result.model.graph.node_count(), nodes);
    EXPECT_EQ(result.report.passes.size(), passes);
    EXPECT_EQ(result.report.rewrites.back().rewrite.pass, "fuse_product_epilogue");
}

TEST(Optimize, ACancelledRunThrows) {
    Progress progress;
    progress.cancel.cancel();
    EXPECT_THROW(optimize(test::model_of(text), {}, progress), Error);
}

}  // namespace
}  // namespace lapidary
