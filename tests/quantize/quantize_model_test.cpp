// SPDX-License-Identifier: Apache-2.0
// What all modes of quantize_model() have in common: patterns of nodes, stored weights, notes; and
// weights in blocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/quantize/quantize.h>

#include "quantize/quantized_models.h"
#include "quantize/writers/quantize_writer.h"

namespace lapidary {
namespace {

TEST(QuantizeWeights, WritesBlocksInBothForms) {
    const Model model = model_of(products);
    for (int bits : {4, 8})
        for (bool symmetric : {true, false}) {
            const auto with = [&](BlockForm form) {
                return quantize_model(model, {.mode = QuantizeMode::weights,
                                              .weight_bits = bits,
                                              .block = 16,
                                              .symmetric_blocks = symmetric,
                                              .block_form = form});
            };
            const QuantizeResult nbits = with(BlockForm::matmul_nbits),
                                 plain = with(BlockForm::dequantize);
            EXPECT_EQ(operators(nbits.model).count("com.microsoft::MatMulNBits"), 2u);
            EXPECT_EQ(operators(plain.model).count("DequantizeLinear"), 2u);
            EXPECT_EQ(plain.model.opset(), 21);
            EXPECT_GT(sqnr(model, reloaded(nbits.model)), bits == 4 ? 14 : 35) << symmetric;
            EXPECT_GT(sqnr(model, reloaded(plain.model)), bits == 4 ? 14 : 35) << symmetric;
        }
    EXPECT_THROW(quantize_model(model, {.mode = QuantizeMode::weights, .block = 24}), Error);
    EXPECT_THROW(quantize_model(model, {.mode = QuantizeMode::weights, .weight_bits = 3}), Error);
}

TEST(QuantizeWeights, BlocksOfSomeNodesHaveOtherBits) {
    const Model model = model_of(products);
    const QuantizeOptions options{
        .mode = QuantizeMode::weights, .block = 16, .weights_of = {"b=s8"}};
    const QuantizeResult result = quantize_model(model, options);
    for (const char* reason :
         {"weight of 4 bits in blocks of 16", "weight of 8 bits in blocks of 16"})
        EXPECT_EQ(std::ranges::count(result.nodes, reason, &NodeDecision::reason), 1) << reason;
    std::vector<std::int64_t> bits;
    for (NodeId id : result.model.graph.nodes())
        if (result.model.graph.node(id).op_type == "MatMulNBits")
            bits.push_back(result.model.graph.node(id).int_attribute("bits", 0));
    EXPECT_EQ(bits, (std::vector<std::int64_t>{8, 4}));
    const QuantizeResult all_of_4 =
        quantize_model(model, {.mode = QuantizeMode::weights, .block = 16});
    EXPECT_GT(sqnr(model, reloaded(result.model)), sqnr(model, reloaded(all_of_4.model)) + 3);
}

TEST(QuantizeModel, WrongTypesOfWeightsAreRefused) {
    const Model model = model_of(products);
    for (const char* entry : {"d", "=s8", "d=i4", "d=f32", "d="})
        EXPECT_THROW(quantize_model(model, {.mode = QuantizeMode::weights, .weights_of = {entry}}),
                     Error)
            << entry;
    EXPECT_THROW(quantize_model(model, {.weights_of = {"d=s4"}}), Error) << "dynamic";
}

TEST(QuantizeModel, PatternsThatNoNodeFitsAreReported) {
    const Model model = model_of(products);
    const auto notes_of = [&](const QuantizeOptions& options) {
        return quantize_model(model, options).notes;
    };
    const auto count_of = [](const std::vector<std::string>& notes, const std::string& part) {
        return std::ranges::count_if(
            notes, [&](const std::string& n) { return n.find(part) != std::string::npos; });
    };
    const auto blocks =
        notes_of({.mode = QuantizeMode::weights,
                  .block = 16,
                  .keep_float = {"d", "absent*"},
                  .weights_of = {"*=s8", "Gem=s4", std::string(100'000, 'x') + "=u8"}});
    EXPECT_EQ(count_of(blocks, "no node fits the pattern"), 3);
    EXPECT_EQ(
        count_of(blocks, "no node fits the pattern \"absent*\", which was to keep nodes float"), 1);
    EXPECT_EQ(
        count_of(blocks,
                 "no node fits the pattern \"Gem\", which was to give weights a type of their own"),
        1);
    for (const std::string& note : blocks) EXPECT_LT(note.size(), 400u);
    EXPECT_EQ(count_of(notes_of({.keep_float = {"MatMul", "Gemm", "d"}}), "no node fits"), 0);
    std::vector<std::string> many;
    for (int i = 0; i < 100; ++i) many.push_back("absent" + std::to_string(i));
    const auto few = notes_of({.keep_float = many});
    EXPECT_EQ(count_of(few, "no node fits the pattern"), 4);
    EXPECT_EQ(count_of(few, "96 more patterns fit no node"), 1);
}

TEST(QuantizeModel, WeightsAloneAreStoredAndComputedInFloat) {
    const Model model = model_of(convolutions);
    const auto samples = samples_for(model, 10);
    for (const QuantizeMode mode : {QuantizeMode::static_qdq, QuantizeMode::dynamic}) {
        const QuantizeOptions all{.mode = mode, .compensated_rounding = true};
        QuantizeOptions alone = all;
        alone.weights_alone = {"Conv"};
        const QuantizeResult made = quantize_model(model, alone, samples.get());
        EXPECT_NE(decision_of(made, "Conv").reason.find("computed in float as asked for"),
                  std::string::npos);
        EXPECT_TRUE(decision_of(made, "Conv").quantized);
        const Model again = reloaded(made.model);
        EXPECT_EQ(operators(again).count("Conv"), 2u) << name_of(mode);
        EXPECT_EQ(operators(again).count("ConvInteger"), 0u);
        const Model whole = quantize_model(model, all, samples.get()).model;
        EXPECT_GT(sqnr(model, again), sqnr(model, whole)) << name_of(mode);
        EXPECT_LT(constant_bytes(again), constant_bytes(whole) + 200) << "a scale and a bias more";
        QuantizeOptions both = alone;
        both.keep_float = {"Conv"};
        EXPECT_FALSE(decision_of(quantize_model(model, both, samples.get()), "Conv").quantized);
    }
    EXPECT_THROW(quantize_model(model, {.mode = QuantizeMode::half, .weights_alone = {"Conv"}}),
                 Error);
    EXPECT_THROW(quantize_model(model,
                                {.mode = QuantizeMode::static_qdq,
                                 .placement = StaticPlacement::onnxruntime,
                                 .weights_alone = {"Conv"}},
                                samples.get()),
                 Error);
}

// A product without an integer operator gains nothing by rounded inputs: its weight alone gets
// smaller.
TEST(QuantizeModel, ProductsWithoutIntegerOperatorStoreTheirWeights) {
    const Model model = model_of(
        "(x: f32[1,32,6,6]) -> (y)\na = ConvTranspose(x, w: f32[32,1,3,3]) {group: 32}\nr = "
        "Relu(a)\n"
        "y = ConvTranspose(r, v: f32[32,8,2,2]) {group: 2}");
    const auto samples = samples_for(model, 10);
    const QuantizeResult made =
        quantize_model(model, {.mode = QuantizeMode::static_qdq}, samples.get());
    EXPECT_EQ(operators(made.model).count("QuantizeLinear"), 0u);
    EXPECT_EQ(operators(made.model).count("DequantizeLinear"), 2u);
    EXPECT_NE(decision_of(made, "ConvTranspose").reason.find("there is no integer operator"),
              std::string::npos);
    EXPECT_TRUE(decision_of(made, "ConvTranspose").quantized);
    EXPECT_GT(sqnr(model, reloaded(made.model)), 35);
    QuantizeOptions kept{.mode = QuantizeMode::dynamic};
    EXPECT_EQ(quantize_model(model, kept).quantized, 0u);
    kept.weights_alone = {"ConvTranspose"};
    const QuantizeResult alone = quantize_model(model, kept);
    EXPECT_EQ(alone.quantized, 2u);
    EXPECT_EQ(operators(alone.model).count("DequantizeLinear"), 2u);
}

// Axis 1 of the weight counts outputs within each group. A scale for each row, not for each output,
// lets a group of small values keep small steps.
TEST(QuantizeModel, GroupsOfTransposedConvolutionsHaveScalesOfTheirOwn) {
    Model model =
        model_of("(x: f32[1,4,5,5]) -> (y)\ny = ConvTranspose(x, w: f32[4,1,3,3]) {group: 4}");
    Tensor weight(DType::f32, {4, 1, 3, 3});
    for (std::size_t i = 0; i < 36; ++i)
        weight.mutable_data<float>()[i] =
            std::sin(static_cast<float>(i)) * (i < 9 ? 100.0f : 0.01f);
    GraphEdit edit(model.graph, "weight");
    for (ValueId id : model.graph.initializers()) edit.set_constant(id, weight);
    edit.finish();
    const auto samples = samples_for(model, 10);
    for (const QuantizeMode mode : {QuantizeMode::static_qdq, QuantizeMode::dynamic}) {
        const QuantizeOptions options{.mode = mode, .weights_alone = {"ConvTranspose"}};
        const Model made = quantize_model(model, options, samples.get()).model;
        bool has_rows = false;
        for (ValueId id : made.graph.initializers())
            has_rows = has_rows || (made.graph.value(id).name == "w_scale" &&
                                    made.graph.value(id).constant->shape() == Shape{4});
        EXPECT_TRUE(has_rows) << name_of(mode);
    }
}

TEST(QuantizeModel, WeightsThatAreInputsWithADefaultAreTaken) {
    // Some exporters list weights among the inputs, as old versions of ONNX required.
    Model model = model_of("(x: f32[n,64], w: f32[64,10]) -> (y)\ny = MatMul(x, w)");
    std::vector<float> values(640);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 13) - 6;
    GraphEdit edit(model.graph);
    edit.set_constant(model.graph.inputs()[1], Tensor::of<float>({64, 10}, values));
    edit.finish();
    const auto samples = samples_for(model, 10);
    for (QuantizeMode mode :
         {QuantizeMode::dynamic, QuantizeMode::static_qdq, QuantizeMode::weights}) {
        const QuantizeResult made = quantize_model(model, {.mode = mode}, samples.get());
        EXPECT_EQ(made.quantized, 1u) << name_of(mode);
        EXPECT_EQ(made.model.graph.inputs().size(), 1u) << name_of(mode);
        EXPECT_TRUE(std::ranges::any_of(made.notes, [](const std::string& note) {
            return note.find("1 input with a default became constants") != std::string::npos;
        })) << name_of(mode);
    }
}

TEST(QuantizeModel, OldOpsetsAreRewritten) {
    const Model model = model_of(
        "(x: f32[n,64]) -> (y)\na = MatMul(x, w: f32[64,16])\ny = Softmax(a) {axis: 1}", 11);
    const QuantizeResult result = quantize_model(model, {});
    EXPECT_GE(result.model.opset(), 13);
    ASSERT_FALSE(result.notes.empty());
    EXPECT_EQ(result.notes[0], "converted from opset 11 to 13");
    EXPECT_GT(sqnr(model, reloaded(result.model)), 30);
}

TEST(QuantizeModel, SharedWeightsAreStoredOnce) {
    const Model model = model_of(
        "(x: f32[n,32]) -> (y)\na = MatMul(x, w: f32[32,32])\nb = Relu(a)\ny = MatMul(b, w)");
    const auto samples = samples_for(model, 8);
    for (QuantizeMode mode :
         {QuantizeMode::dynamic, QuantizeMode::static_qdq, QuantizeMode::weights}) {
        const QuantizeResult result = quantize_model(model, {.mode = mode}, samples.get());
        std::size_t large = 0;
        for (ValueId id : result.model.graph.initializers())
            large += result.model.graph.value(id).constant->size() >= 512;
        EXPECT_EQ(large, 1u) << name_of(mode);
    }
}

TEST(QuantizeModel, TheSameTwiceGivesTheSameBytes) {
    const Model model = model_of(convolutions);
    const auto samples = samples_for(model, 10);
    const QuantizeOptions options{
        .mode = QuantizeMode::static_qdq, .equalize = true, .compensated_rounding = true};
    EXPECT_EQ(print_graph(quantize_model(model, options, samples.get()).model.graph,
                          {.printed_elements = 10000}),
              print_graph(quantize_model(model, options, samples.get()).model.graph,
                          {.printed_elements = 10000}));
}

TEST(FitsPattern, StarsStandForAnything) {
    EXPECT_TRUE(fits_pattern("/layer.1/dense/MatMul", "*dense*"));
    EXPECT_TRUE(fits_pattern("a", "a"));
    EXPECT_FALSE(fits_pattern("ab", "a"));
    EXPECT_TRUE(fits_pattern("aXbXc", "a*b*c"));
    EXPECT_FALSE(fits_pattern("", "a"));
    EXPECT_TRUE(fits_pattern("", "*"));
}

}  // namespace
}  // namespace lapidary
