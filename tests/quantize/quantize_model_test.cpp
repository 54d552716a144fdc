// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>
#include <set>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/quantize/quantize.h>
#include <lapidary/exec/session.h>

#include "quantize/writers/quantize_writer.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

Model model_of(const std::string& text, std::int64_t opset = 17) {
    Model model;
    model.opset_imports[""] = opset;
    model.graph = parse_graph(text, {.opset = opset});
    infer_types(model);
    return model;
}

ModelPtr shared(Model model) { return std::make_shared<const Model>(std::move(model)); }

const std::string convolutions =
    "(x: f32[n,3,8,8]) -> (y)\na = Conv(x, w1: f32[8,3,3,3], b1: f32[8]) {pads: [1,1,1,1]}\nr = "
    "Relu(a)\nm = "
    "MaxPool(r) {kernel_shape: [2,2], strides: [2,2]}\n"
    "c = Conv(m, w2: f32[8,1,3,3]) {group: 8}\nf = Flatten(c)\ny = Gemm(f, w3: f32[5,32], b3: "
    "f32[5]) {transB: 1}";
const std::string products =
    "(x: f32[n,64]) -> (y)\na = MatMul(x, w1: f32[64,48])\nb = Add(a, b1: f32[48])\ng = Tanh(b)\nd "
    "= MatMul(g, w2: "
    "f32[48,10])\ny = Softmax(d)";

SampleSourcePtr samples_for(const Model& model, std::size_t count, std::uint64_t seed = 1) {
    return generated_samples(shared(Model(model)), count, seed);
}

std::multiset<std::string> operators(const Model& model) {
    std::multiset<std::string> found;
    for (NodeId id : model.graph.nodes()) found.insert(model.graph.node(id).qualified_op());
    return found;
}

double sqnr(const Model& original, const Model& quantized) {
    return evaluate_quantized(shared(Model(original)), shared(Model(quantized)),
                              *samples_for(original, 4, 100))
        .sqnr_db();
}

/// Saved, loaded and checked as any other file.
Model reloaded(const Model& model) {
    const TemporaryFolder folder;
    save_model(model, folder / "q.onnx");
    return load_model(folder / "q.onnx");
}

const NodeDecision& decision_of(const QuantizeResult& result, const std::string& op) {
    for (const NodeDecision& decision : result.nodes)
        if (decision.node.find("(" + op + ")") != std::string::npos) return decision;
    throw std::runtime_error("no decision on " + op);
}

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
        << "a byte an element, one for each row, and the step";
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

TEST(QuantizeModel, TypesOfWeightsThatAreNoneAreRefused) {
    const Model model = model_of(products);
    for (const char* entry : {"d", "=s8", "d=i4", "d=f32", "d="})
        EXPECT_THROW(quantize_model(model, {.mode = QuantizeMode::weights, .weights_of = {entry}}),
                     Error)
            << entry;
    EXPECT_THROW(quantize_model(model, {.weights_of = {"d=s4"}}), Error) << "dynamic";
}

TEST(QuantizeModel, PatternsThatNoNodeFitsAreTold) {
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

TEST(QuantizeModel, WeightsAloneAreComputedWithInFloat) {
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

// Groups share no outputs, whose numbers axis 1 counts from 0 in each: with a scale for each row of
// the weight a group of small values keeps its steps.
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
    // Exporters of old list weights among the inputs, in newer files too.
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

TEST(QuantizeImprovements, EqualizingLayersRepairsScaledChannels) {
    // The first output channels differ by factors that the next weight undoes.
    const Model model = model_of(
        "(x: f32[n,4,6,6]) -> (y)\na = Conv(x, w1: f32[4,1,1,1]{1.0,100.0,0.01,1.0}) {group: 4}\nr "
        "= Relu(a)\ny = "
        "Conv(r, w2: f32[2,4,1,1]{1.0,0.01,100.0,1.0,0.5,0.02,-80.0,0.3})");
    const auto samples = samples_for(model, 10);
    const auto with = [&](bool equalize) {
        return sqnr(model,
                    quantize_model(model, {.mode = QuantizeMode::static_qdq, .equalize = equalize},
                                   samples.get())
                        .model);
    };
    EXPECT_GT(with(true), with(false) + 10);
}

TEST(QuantizeImprovements, SmoothingTakesOutlierChannelsIntoTheWeight) {
    std::string gamma = "{1.0";
    for (int i = 1; i < 64; ++i) gamma += i % 20 == 3 ? ",200.0" : ",1.0";
    const Model model = model_of("(x: f32[n,64]) -> (y)\nl = LayerNormalization(x, g: f32[64]" +
                                 gamma + "}, b: f32[64])\ny = MatMul(l, w: f32[64,16])");
    const auto samples = samples_for(model, 10);
    const auto with = [&](double share) {
        return quantize_model(model, {.smoothing = share}, samples.get());
    };
    const QuantizeResult smooth = with(0.5);
    EXPECT_GT(sqnr(model, smooth.model), sqnr(model, with(0).model) + 3);
    EXPECT_EQ(operators(smooth.model).count("Mul"), operators(with(0).model).count("Mul"))
        << "folded into the normalization";
}

TEST(QuantizeImprovements, CompensatedRoundingBeatsNearest) {
    // Inputs that depend on each other: only then is there something to make up for.
    const Model model = model_of(
        "(x: f32[n,8]) -> (y)\nh = Gemm(x, w0: f32[8,64])\nm = Tanh(h)\ny = MatMul(m, w: "
        "f32[64,16])");
    const auto samples = samples_for(model, 40);
    const auto with = [&](bool compensated) {
        return sqnr(model, quantize_model(model,
                                          {.mode = QuantizeMode::static_qdq,
                                           .activation = DType::u16,
                                           .compensated_rounding = compensated,
                                           .keep_float = {"Gemm"}},
                                          samples.get())
                               .model);
    };
    EXPECT_GT(with(true), with(false) + 1);
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
