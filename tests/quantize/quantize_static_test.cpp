// SPDX-License-Identifier: Apache-2.0
// Models with calibrated ranges: where pairs of QuantizeLinear and DequantizeLinear stand, and what
// stays float.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/quantize/quantize.h>

#include "quantize/quantized_models.h"

namespace lapidary {
namespace {

TEST(QuantizeStatic, PlacesPairsAroundConvolutions) {
    const Model model = model_of(convolutions);
    const auto samples = samples_for(model, 10);
    const QuantizeResult result =
        quantize_model(model, {.mode = QuantizeMode::static_qdq}, samples.get());
    const Model again = reloaded(result.model);
    // x, the first Relu and what MaxPool moves from it, the second Conv and what Flatten moves from
    // it; no pair at y.
    EXPECT_EQ(operators(again).count("QuantizeLinear"), 5u);
    EXPECT_GT(sqnr(model, again), 30);
    EXPECT_EQ(result.samples, 10u);
    EXPECT_TRUE(decision_of(result, "MaxPool").quantized);
    EXPECT_NE(decision_of(result, "Relu").reason.find("rounding"), std::string::npos);
    EXPECT_EQ(again.graph.find_value("y"), again.graph.outputs()[0]);
}

TEST(QuantizeStatic, StoresTablesInIntegers) {
    const Model model = model_of(
        "(i: i64[n,4]) -> (y)\ne = Gather(t: f32[100,64], i) as \"table\"\nr = ReduceMean(e) "
        "{axes: [1], keepdims: 0}\n"
        "y = MatMul(r, w: f32[64,8])");
    QuantizeOptions options;
    options.mode = QuantizeMode::static_qdq;
    const QuantizeResult result = quantize_model(model, options, samples_for(model, 8).get());
    EXPECT_EQ(decision_of(result, "Gather").reason, "table of 8 bits with a scale per row");
    EXPECT_LT(constant_bytes(result.model), constant_bytes(model) / 3);
    EXPECT_GT(sqnr(model, reloaded(result.model)), 35);
    options.keep_float = {"table"};
    EXPECT_FALSE(decision_of(quantize_model(model, options, samples_for(model, 8).get()), "Gather")
                     .quantized);
}

TEST(QuantizeStatic, TakesOtherTypesOfActivations) {
    const Model model = model_of(convolutions);
    const auto samples = samples_for(model, 10);
    const auto with = [&](DType type, bool symmetric) {
        return sqnr(model, reloaded(quantize_model(model,
                                                   {.mode = QuantizeMode::static_qdq,
                                                    .activation = type,
                                                    .symmetric_activation = symmetric},
                                                   samples.get())
                                        .model));
    };
    EXPECT_GT(with(DType::i8, false), 28);
    EXPECT_GT(with(DType::i8, true), 24);
    EXPECT_GT(with(DType::u16, false), with(DType::u8, false));
    EXPECT_THROW(with(DType::i32, false), Error);
}

TEST(QuantizeStatic, KeepsFloatWhatIsAskedForAndSaysWhy) {
    const Model model = model_of(convolutions);
    const auto samples = samples_for(model, 10);
    const QuantizeResult result = quantize_model(
        model, {.mode = QuantizeMode::static_qdq, .keep_float = {"Ge*m"}}, samples.get());
    EXPECT_EQ(operators(result.model).count("QuantizeLinear"), 4u);
    EXPECT_EQ(decision_of(result, "Gemm").reason, "kept float as asked for (Ge*m)");
    EXPECT_THROW(quantize_model(model, {.mode = QuantizeMode::static_qdq}), Error);
}

TEST(QuantizeStatic, FloatConvolutionsStandBetweenNoPairs) {
    // ONNX Runtime would round the weights of such a one to 8 bits.
    for (const std::string moved : {"p = Relu(r)", "p = MaxPool(r) {kernel_shape: [1,1]}"}) {
        const Model model = model_of(
            "(x: f32[1,3,8,8]) -> (y)\na = Conv(x, u: f32[4,3,1,1])\nr = Relu(a)\n" + moved +
            "\nb = Conv(p, v: f32[4,4,1,1], c: f32[4])\ns = Relu(b)\n"
            "d = Conv(s, w: f32[4,4,1,1])\nq = Relu(d)\ny = Conv(q, t: f32[4,4,1,1])");
        const auto samples = samples_for(model, 10);
        const QuantizeResult result = quantize_model(
            model, {.mode = QuantizeMode::static_qdq, .keep_float = {"b"}}, samples.get());
        const Graph& graph = result.model.graph;
        const Node& kept = graph.node(graph.value(graph.find_value("b")).producer);
        ValueId input = kept.inputs[0];
        while (graph.node(graph.value(input).producer).op_type == "MaxPool")
            input = graph.node(graph.value(input).producer).inputs[0];
        EXPECT_EQ(graph.node(graph.value(input).producer).op_type, "Relu");
        EXPECT_EQ(operators(result.model).count("QuantizeLinear"), 3u)
            << "in front of the other three alone";
        EXPECT_EQ(result.quantized, 3u);
        EXPECT_GT(sqnr(model, reloaded(result.model)), 30);
    }
}

TEST(QuantizeStatic, NodesWithoutNamesAreKeptByTheirOutput) {
    Model model = model_of(convolutions);
    GraphEdit edit(model.graph, "test");
    for (NodeId id : std::vector<NodeId>(model.graph.nodes().begin(), model.graph.nodes().end()))
        edit.rename(id, "");
    edit.finish();
    const auto samples = samples_for(model, 10);
    for (QuantizeMode mode : {QuantizeMode::dynamic, QuantizeMode::static_qdq}) {
        const QuantizeResult result =
            quantize_model(model, {.mode = mode, .keep_float = {"y"}}, samples.get());
        const NodeDecision& kept = decision_of(result, "Gemm");
        EXPECT_FALSE(kept.quantized);
        EXPECT_EQ(kept.name, "y");
        EXPECT_EQ(kept.reason, "kept float as asked for (y)");
    }
}

TEST(QuantizeStatic, EveryNodeHasADecision) {
    const Model model = model_of(
        "(x: f32[n,64], c: bool[]) -> (y)\na = MatMul(x, w: f32[64,16])\ny = If(c) {then_branch: "
        "graph { () -> (t)  t "
        "= MatMul(a, v: f32[16,16]) }, else_branch: graph { () -> (e)  e = Relu(a) }}");
    const auto samples = samples_for(model, 8);
    for (QuantizeMode mode :
         {QuantizeMode::dynamic, QuantizeMode::static_qdq, QuantizeMode::weights}) {
        const QuantizeResult result = quantize_model(model, {.mode = mode}, samples.get());
        EXPECT_EQ(result.nodes.size(), 4u) << name_of(mode);
        for (const NodeDecision& decision : result.nodes) EXPECT_FALSE(decision.reason.empty());
        EXPECT_EQ(result.quantized, 1u) << name_of(mode);
        EXPECT_GT(sqnr(model, reloaded(result.model)), 10);
    }
}

TEST(QuantizeStatic, WeightsOfSomeNodesHaveATypeOfTheirOwn) {
    const Model model = model_of(convolutions);
    const auto samples = samples_for(model, 10);
    const QuantizeOptions options{.mode = QuantizeMode::static_qdq,
                                  .compensated_rounding = true,
                                  .weights_of = {"Gemm=u4", "a=u8", "Conv=s8"}};
    const QuantizeResult result = quantize_model(model, options, samples.get());
    const Model again = reloaded(result.model);
    std::map<DType, int> types;
    for (ValueId id : again.graph.initializers())
        if (again.graph.value(id).name.ends_with("_quantized"))
            ++types[again.graph.value(id).constant->dtype()];
    EXPECT_EQ(types[DType::u4], 1);
    EXPECT_EQ(types[DType::u8], 1);
    EXPECT_EQ(types[DType::i8], 1);
    EXPECT_EQ(again.opset_imports.at(""), 21) << "of 4 bits";
    EXPECT_GT(sqnr(model, again), 15);
}

}  // namespace
}  // namespace lapidary
