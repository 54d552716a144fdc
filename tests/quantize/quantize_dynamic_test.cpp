// SPDX-License-Identifier: Apache-2.0
// Models that quantize their activations by the range of each run, with integer operators.
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/quantize/quantize.h>

#include "quantize/quantized_models.h"

namespace lapidary {
namespace {

TEST(QuantizeDynamic, WritesIntegerProducts) {
    const Model model = model_of(products);
    const QuantizeResult result = quantize_model(model, {});
    const auto found = operators(result.model);
    EXPECT_EQ(found.count("MatMulInteger"), 2u);
    EXPECT_EQ(found.count("DynamicQuantizeLinear"), 2u);
    EXPECT_EQ(found.count("MatMul") + found.count("Gemm"), 0u);
    EXPECT_GT(sqnr(model, reloaded(result.model)), 30);
    EXPECT_EQ(result.quantized, 2u);
    EXPECT_NE(decision_of(result, "Softmax").reason.find("no product"), std::string::npos);
}

TEST(QuantizeDynamic, WritesIntegerConvolutionsAndGemm) {
    const Model model = model_of(convolutions);
    for (bool per_channel : {true, false}) {
        const QuantizeResult result = quantize_model(model, {.per_channel = per_channel});
        const auto found = operators(result.model);
        EXPECT_EQ(found.count("ConvInteger"), 2u);
        EXPECT_EQ(found.count("MatMulInteger"), 1u);
        EXPECT_GT(sqnr(model, reloaded(result.model)), 30) << per_channel;
    }
}

TEST(QuantizeDynamic, WritesTheFusedProductAndOneRangePerInput) {
    const Model model = model_of(
        "(x: f32[n,32]) -> (y)\na = MatMul(x, w1: f32[32,8])\nb = MatMul(x, w2: f32[32,8])\ny = "
        "Add(a, b)");
    const auto plain = operators(quantize_model(model, {}).model);
    EXPECT_EQ(plain.count("DynamicQuantizeLinear"), 1u);
    const QuantizeResult fused = quantize_model(model, {.fused_operators = true});
    EXPECT_EQ(operators(fused.model).count("com.microsoft::DynamicQuantizeMatMul"), 2u);
    EXPECT_GT(sqnr(model, reloaded(fused.model)), 30);
}

TEST(QuantizeDynamic, WritesLstmAndTables) {
    const Model model = model_of(
        "(i: i64[4,1]) -> (y)\ne = Gather(table: f32[100,16], i)\ny, h, c = LSTM(e, w: "
        "f32[2,32,16], r: f32[2,32,8], "
        "b: f32[2,64]) {hidden_size: 8, direction: \"bidirectional\"}");
    const QuantizeResult result = quantize_model(model, {});
    const auto found = operators(result.model);
    EXPECT_EQ(found.count("com.microsoft::DynamicQuantizeLSTM"), 1u);
    EXPECT_EQ(found.count("Gather"), 2u);
    EXPECT_EQ(result.quantized, 2u);
    EXPECT_GT(sqnr(model, reloaded(result.model)), 25);
    const QuantizeResult whole = quantize_model(model, {.per_channel = false});
    EXPECT_EQ(operators(whole.model).count("Gather"), 1u) << "one scale for the table";
    EXPECT_LT(constant_bytes(whole.model) + 100 * 4 + 128 * 4, constant_bytes(result.model))
        << "fewer scales";
    EXPECT_GT(sqnr(model, reloaded(whole.model)), 20);
}

TEST(QuantizeDynamic, GivesRowsOfALongTableScalesOfAByte) {
    const Model model =
        model_of("(i: i64[n,4]) -> (y)\ne = Gather(t: f32[1000,16], i)\ny = Relu(e)");
    const QuantizeResult result = quantize_model(model, {});
    EXPECT_EQ(operators(result.model).count("Gather"), 2u);
    EXPECT_LE(constant_bytes(result.model), 1000u * 17 + 8)
        << "one byte for each element and each row, and the step";
    EXPECT_GT(sqnr(model, reloaded(result.model)), 40);
    // Rows of very different size keep floats as scales: a byte has too few steps for the small
    // ones.
    Model uneven = model_of("(i: i64[n,4]) -> (y)\ne = Gather(t: f32[1000,16], i)\ny = Relu(e)");
    GraphEdit edit(uneven.graph, "uneven");
    const ValueId table = uneven.graph.find_value("t");
    Tensor values = uneven.graph.value(table).constant->clone();
    for (std::size_t i = 0; i < 16 * 500; ++i) values.mutable_data<float>()[i] *= 1e-3f;
    edit.set_constant(table, values);
    edit.finish();
    EXPECT_GE(constant_bytes(quantize_model(uneven, {}).model), 1000u * 20);
}

TEST(QuantizeDynamic, WritesAttentionWithIntegerProjections) {
    const std::string inputs =
        "(x: f32[2,4,16], m: i32[2]) -> (y)\ny = com.microsoft::Attention(x, w: f32[16,48], ";
    const Model model =
        model_of(inputs + "b: f32[48], m) {num_heads: 2, mask_filter_value: -1000.0}");
    const QuantizeResult result = quantize_model(model, {});
    const Model again = reloaded(result.model);
    EXPECT_EQ(operators(again).count("com.microsoft::QAttention"), 1u);
    EXPECT_EQ(operators(again).count("com.microsoft::Attention"), 0u);
    EXPECT_LT(constant_bytes(again), 16 * 48 * 2u);
    EXPECT_GT(sqnr(model, again), 30);
    EXPECT_GT(sqnr(model, reloaded(quantize_model(model, {.per_channel = false}).model)), 25);
    const QuantizeResult bare = quantize_model(model_of(inputs + "_, m) {num_heads: 2}"), {});
    EXPECT_EQ(bare.quantized, 0u);
    EXPECT_EQ(decision_of(bare, "com.microsoft::Attention").reason,
              "QAttention wants a bias, and it has none");
}

TEST(QuantizeDynamic, StoresTheWeightsOfGruAndRnn) {
    const Model model = model_of(
        "(x: f32[4,1,16]) -> (y, z)\ny, h = GRU(x, w: f32[2,24,16], r: f32[2,24,8], b: f32[2,48]) "
        "{hidden_size: 8, direction: \"bidirectional\"}\n"
        "z, k = RNN(x, v: f32[1,8,16], u: f32[1,8,8]) {hidden_size: 8}");
    const QuantizeResult result = quantize_model(model, {});
    const Model again = reloaded(result.model);
    EXPECT_EQ(operators(again).count("DequantizeLinear"), 4u);
    EXPECT_EQ(result.quantized, 2u);
    EXPECT_LT(constant_bytes(again), constant_bytes(model) / 2);
    EXPECT_GT(sqnr(model, again), 30);
    EXPECT_EQ(quantize_model(model, {.keep_float = {"GRU"}}).quantized, 1u);
}

TEST(QuantizeDynamic, NodesWithoutNamesGiveNodesOfDifferentNames) {
    Model model = model_of(convolutions);
    GraphEdit edit(model.graph, "test");
    for (NodeId id : std::vector<NodeId>(model.graph.nodes().begin(), model.graph.nodes().end()))
        edit.rename(id, {});
    edit.finish();
    for (const QuantizeMode mode : {QuantizeMode::dynamic, QuantizeMode::weights}) {
        std::set<std::string> names;
        const Model made = quantize_model(model, {.mode = mode, .block = 16}).model;
        for (NodeId id : made.graph.nodes())
            if (const std::string& name = made.graph.node(id).name; !name.empty()) {
                EXPECT_TRUE(names.insert(name).second)
                    << name << ": ONNX Runtime refuses two nodes of one name";
            }
    }
}

}  // namespace
}  // namespace lapidary
