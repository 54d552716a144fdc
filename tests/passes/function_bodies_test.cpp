// SPDX-License-Identifier: Apache-2.0
// Operators written out by their function bodies give the results of their kernels.
#include <map>

#include <gtest/gtest.h>

#include <lapidary/ops/infer.h>

#include "graph/verify.h"
#include "passes/expansion/function_bodies.h"
#include "support/pass_harness.h"

namespace lapidary {
namespace {

using test::model_of;

/// The node of the first line of a graph in text.
NodeId first_node(const Model& model) { return *model.graph.nodes().begin(); }

/// Expands the first node and compares the results. Returns what is wrong; empty: nothing.
std::string expanded_wrongly(const std::string& text, std::int64_t opset) {
    const Model model = model_of(text, opset);
    Model parts = model;
    const std::vector<NodeId> nodes{first_node(model)};
    if (const auto stayed = expand_nodes(parts, nodes); !stayed.empty())
        return stayed.front().reason;
    infer_types(parts);
    verify(parts);
    const Node& whole = model.graph.node(nodes.front());
    for (const NodeId id : parts.graph.nodes())
        if (const Node& node = parts.graph.node(id);
            node.op_type == whole.op_type && node.domain == whole.domain)
            return "the node is still there";
    return test::compare_runs(model, parts, {});
}

std::string reason_at(const std::string& text, std::int64_t opset) {
    Model model = model_of(text, opset);
    const std::vector<NodeId> nodes{first_node(model)};
    const auto stayed = expand_nodes(model, nodes);
    EXPECT_EQ(stayed.size(), 1U) << text;
    return stayed.empty() ? "none" : stayed.front().reason;
}

TEST(FunctionBodies, OperatorsOfOneInput) {
    const std::vector<std::pair<std::string, std::int64_t>> calls{
        {"Celu(x) {alpha: 0.5}", 17},
        {"Clip(x)", 17},
        {"Elu(x) {alpha: 0.7}", 17},
        {"Gelu(x)", 20},
        {"Gelu(x) {approximate: \"tanh\"}", 20},
        {"HardSigmoid(x) {alpha: 0.3, beta: 0.4}", 17},
        {"HardSwish(x)", 17},
        {"LeakyRelu(x) {alpha: 0.2}", 17},
        {"LogSoftmax(x) {axis: 1}", 18},
        {"LogSoftmax(x)", 13},
        {"MeanVarianceNormalization(x)", 17},
        {"MeanVarianceNormalization(x) {axes: [1, 2]}", 18},
        {"Mish(x)", 18},
        {"ReduceL1(x) {keepdims: 0}", 18},
        {"ReduceL2(x)", 18},
        {"ReduceLogSumExp(x, a: i64[2]{1, -1})", 18},
        {"ReduceSumSquare(x, a: i64[2]{1, -1}) {keepdims: 0}", 18},
        {"Relu(x)", 17},
        {"Selu(x)", 17},
        {"Shrink(x) {bias: 0.3, lambd: 0.5}", 17},
        {"Softmax(x) {axis: 1}", 18},
        {"Softmax(x)", 13},
        {"Softplus(x)", 17},
        {"Softsign(x)", 17},
        {"Swish(x)", 24},
        {"Swish(x) {alpha: 0.5}", 24},
        {"SpaceToDepth(x) {blocksize: 2}", 17},
        {"SpaceToDepth(x) {blocksize: 2, mode: \"CRD\"}", 28},
        {"ThresholdedRelu(x) {alpha: 0.5}", 17},
    };
    for (const auto& [call, opset] : calls)
        EXPECT_EQ(expanded_wrongly("(x: f32[2,3,4,6]) -> (y)\n y = " + call + "\n", opset), "")
            << call;
}

TEST(FunctionBodies, OperatorsOfSeveralInputsAndOutputs) {
    const std::string x = "(x: f32[2,3,4,6]) -> (y)\n y = ",
                      classes = "(x: f32[2,4,3]) -> (y)\n y = ";
    const std::string target = "t: i64[2,3]{0, 1, 2, 2, 2, 1}";
    const std::vector<std::pair<std::string, std::int64_t>> graphs{
        {x + "CastLike(x, t: f16[1])", 17},
        {x + "CenterCropPad(x, s: i64[4]{2, 5, 2, 7})", 18},
        {x + "CenterCropPad(x, s: i64[2]{3, 4}) {axes: [-1, 1]}", 18},
        {x + "Clip(x, a: f32[]{-0.2}, b: f32[]{0.3})", 17},
        {x + "Clip(x, a: f32[]{-0.2})", 17},
        {x + "Clip(x, _, b: f32[]{0.3})", 17},
        {x + "GreaterOrEqual(x, t: f32[6])", 17},
        {x + "LessOrEqual(x, t: f32[6])", 17},
        {x + "PRelu(x, s: f32[3,1,1])", 17},
        {x + "SwiGLU(x, x) {alpha: 0.5}", 28},
        {x + "GroupNormalization(x, s: f32[3], b: f32[3]) {num_groups: 3}", 21},
        {x + "LayerNormalization(x, s: f32[6], b: f32[6])", 17},
        {x + "RMSNormalization(x, s: f32[6])", 23},
        {"(x: f32[2,8,4,6]) -> (y)\n y = DepthToSpace(x) {blocksize: 2}", 17},
        {"(x: f32[2,8,4,6]) -> (y)\n y = DepthToSpace(x) {blocksize: 2, mode: \"CRD\"}", 17},
        {"(x: f32[2,6]) -> (y, s, z)\n y, s, z = DynamicQuantizeLinear(x)", 17},
        {"(x: f32[2,2,3]) -> (y)\n y = AffineGrid(x, s: i64[4]{2, 1, 4, 5})", 20},
        {"(x: f32[2,3,4]) -> (y)\n y = AffineGrid(x, s: i64[5]{2, 1, 3, 4, 5}) "
         "{align_corners: 1}",
         20},
        {"(q: f32[1,2,3,4], k: f32[1,2,5,4], v: f32[1,2,5,4]) -> (y)\n y = Attention(q, k, v)", 23},
        {"() -> (y)\n y = HannWindow(n: i64[]{9})", 17},
        {"() -> (y)\n y = HammingWindow(n: i64[]{9}) {periodic: 0}", 17},
        {"() -> (y)\n y = BlackmanWindow(n: i32[]{9}) {output_datatype: 11}", 17},
        {"() -> (y)\n y = Range(a: f32[]{1}, b: f32[]{7.2}, d: f32[]{0.5})", 17},
        {"() -> (y)\n y = Range(a: i64[]{10}, b: i64[]{-3}, d: i64[]{-4})", 17},
        {classes + "NegativeLogLikelihoodLoss(x, " + target + ") {ignore_index: 2}", 17},
        {classes + "NegativeLogLikelihoodLoss(x, " + target +
             ", w: f32[4]{1, 2, 3, 4}) "
             "{ignore_index: 2, reduction: \"none\"}",
         17},
        {classes + "NegativeLogLikelihoodLoss(x, " + target + ") {reduction: \"sum\"}", 17},
        {"(x: f32[2,4,3]) -> (y, p)\n y, p = SoftmaxCrossEntropyLoss(x, " + target +
             ", w: f32[4]{1, 2, 3, 4})",
         17},
        {classes + "SoftmaxCrossEntropyLoss(x, " + target + ")", 17},
    };
    for (const auto& [graph, opset] : graphs)
        EXPECT_EQ(expanded_wrongly(graph + "\n", opset), "") << graph;
}

TEST(FunctionBodies, OneLevelOfTheChosenNodesAlone) {
    Model model =
        model_of("(x: f32[2]) -> (y)\n a = Mish(x)\n b = Mish(a)\n y = Softplus(b)\n", 18);
    const std::vector<NodeId> nodes{first_node(model)};
    EXPECT_TRUE(expand_nodes(model, nodes).empty());
    std::map<std::string, int> counts;
    for (const NodeId id : model.graph.nodes()) ++counts[model.graph.node(id).op_type];
    EXPECT_EQ(counts,
              (std::map<std::string, int>{{"Mish", 1}, {"Mul", 1}, {"Softplus", 2}, {"Tanh", 1}}));
}

TEST(FunctionBodies, FusedOperatorsOfComMicrosoft) {
    EXPECT_EQ(
        expanded_wrongly("(x: f32[2,4]) -> (y)\n y = com.microsoft::BiasGelu(x, b: f32[4])\n", 17),
        "");
    EXPECT_EQ(expanded_wrongly("(x: f32[2,4]) -> (y)\n y = com.microsoft::QuickGelu(x)\n", 17), "");
}

TEST(FunctionBodies, WhatStaysSaysWhy) {
    EXPECT_NE(reason_at("(x: f32[2,3]) -> (y)\n y = Neg(x)\n", 17).find("parts are not known"),
              std::string::npos);
    EXPECT_NE(reason_at("(x: f32[2,3]) -> (y)\n y = Softmax(x)\n", 11).find("before opset 13"),
              std::string::npos);
    EXPECT_NE(reason_at("(x: f32[2,3]) -> (y)\n y = ReduceL1(x)\n", 17).find("an attribute"),
              std::string::npos);
}

TEST(FunctionBodies, EveryOperatorThatONNXDefinesIsKnownButFew) {
    // Bernoulli draws numbers; the bodies of the others are Loops or of domains still in preview.
    for (const char* name : {"AffineGrid",
                             "Attention",
                             "BlackmanWindow",
                             "CastLike",
                             "Celu",
                             "CenterCropPad",
                             "Clip",
                             "DepthToSpace",
                             "DynamicQuantizeLinear",
                             "Elu",
                             "Gelu",
                             "GreaterOrEqual",
                             "GroupNormalization",
                             "HammingWindow",
                             "HannWindow",
                             "HardSigmoid",
                             "HardSwish",
                             "LayerNormalization",
                             "LeakyRelu",
                             "LessOrEqual",
                             "LogSoftmax",
                             "MeanVarianceNormalization",
                             "Mish",
                             "NegativeLogLikelihoodLoss",
                             "PRelu",
                             "RMSNormalization",
                             "Range",
                             "ReduceL1",
                             "ReduceL2",
                             "ReduceLogSum",
                             "ReduceLogSumExp",
                             "ReduceSumSquare",
                             "Relu",
                             "RotaryEmbedding",
                             "Selu",
                             "Shrink",
                             "Softmax",
                             "SoftmaxCrossEntropyLoss",
                             "Softplus",
                             "Softsign",
                             "SpaceToDepth",
                             "SwiGLU",
                             "Swish",
                             "ThresholdedRelu"})
        EXPECT_TRUE(operators_with_parts().contains(name)) << name;
}

}  // namespace
}  // namespace lapidary
