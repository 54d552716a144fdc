// SPDX-License-Identifier: Apache-2.0
// Types and forms beside int8: float16, bfloat16, 8-bit floats, 4 bits with compensated rounding,
// QLinear operators.
#include <gtest/gtest.h>

#include <set>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/quantize/quantize.h>

#include "base/threads/serial_threads.h"
#include "quantize/weights/compensated_blocks.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

Model model_of(const std::string& text) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(text, {.opset = 17});
    infer_types(model);
    return model;
}

ModelPtr shared(const Model& model) { return std::make_shared<const Model>(Model(model)); }

SampleSourcePtr samples_for(const Model& model, std::size_t count, std::uint64_t seed = 1) {
    return generated_samples(shared(model), count, seed);
}

std::multiset<std::string> operators(const Model& model) {
    std::multiset<std::string> found;
    for (NodeId id : model.graph.nodes()) found.insert(model.graph.node(id).qualified_op());
    return found;
}

double sqnr(const Model& original, const Model& quantized) {
    return evaluate_quantized(shared(original), shared(quantized), *samples_for(original, 4, 100))
        .sqnr_db();
}

Model reloaded(const Model& model) {
    const TemporaryFolder folder;
    save_model(model, folder / "q.onnx");
    return load_model(folder / "q.onnx");
}

std::set<DType> constant_types(const Model& model) {
    std::set<DType> types;
    for (ValueId id : model.graph.initializers())
        if (model.graph.value(id).constant->size() > 64)
            types.insert(model.graph.value(id).constant->dtype());
    return types;
}

const NodeDecision& decision_of(const QuantizeResult& result, const std::string& op) {
    for (const NodeDecision& decision : result.nodes)
        if (decision.node.find("(" + op + ")") != std::string::npos) return decision;
    throw std::runtime_error("no decision on " + op);
}

const std::string mixed =
    "(i: i64[n,3], x: f32[n,3,64]) -> (y)\ne = Gather(table: f32[100,64], i)\ns = Add(e, x)\na = "
    "MatMul(s, w1: "
    "f32[64,48])\ng = Tanh(a)\ny = MatMul(g, w2: f32[48,10])";
const std::string convolutions =
    "(x: f32[n,3,8,8]) -> (y)\na = Conv(x, w1: f32[8,3,3,3], b1: f32[8]) {pads: [1,1,1,1]}\nr = "
    "Relu(a)\n"
    "c = Conv(r, w2: f32[8,8,3,3])\ns = Add(c, r2)\nf = Flatten(s)\ny = Gemm(f, w3: f32[5,288], "
    "b3: f32[5]) {transB: "
    "1}";

TEST(QuantizeHalf, ComputesInFloat16WithFloat32AtTheBorders) {
    const Model model = model_of(mixed);
    const auto samples = samples_for(model, 10);
    const QuantizeResult result =
        quantize_model(model, {.mode = QuantizeMode::half}, samples.get());
    const Model again = reloaded(result.model);
    EXPECT_EQ(again.graph.value(again.graph.outputs()[0]).type.dtype, DType::f32);
    EXPECT_EQ(constant_types(again), std::set<DType>{DType::f16});
    EXPECT_TRUE(decision_of(result, "Tanh").quantized);
    EXPECT_EQ(decision_of(result, "Tanh").reason, "computes in float16");
    EXPECT_EQ(operators(again).count("Cast"), 2u) << "of x, and of y";
    EXPECT_NEAR(static_cast<double>(constant_bytes(again)),
                static_cast<double>(constant_bytes(model)) / 2, 16);
    EXPECT_GT(sqnr(model, again), 55);
}

TEST(QuantizeHalf, ProtectsWhatFloat16HasNoRoomFor) {
    const Model model = model_of(
        "(x: f32[n,32]) -> (y)\na = MatMul(x, w: f32[32,32])\nr = Sigmoid(a)\nb = Mul(r, big: "
        "f32[1]{1e6})\n"
        "c = Sqrt(b)\nd = MatMul(c, v: f32[32,16])\ny = Add(d, m: f32[16])");
    const auto samples = samples_for(model, 10);
    const QuantizeResult result =
        quantize_model(model, {.mode = QuantizeMode::half}, samples.get());
    EXPECT_FALSE(decision_of(result, "Mul").quantized);
    EXPECT_NE(decision_of(result, "Mul").reason.find("protected"), std::string::npos)
        << decision_of(result, "Mul").reason;
    EXPECT_FALSE(decision_of(result, "Sqrt").quantized);
    EXPECT_GT(sqnr(model, reloaded(result.model)), 50) << "nothing becomes infinite";
    const QuantizeResult blind = quantize_model(model, {.mode = QuantizeMode::half});
    EXPECT_FALSE(decision_of(blind, "Mul").quantized) << "by its constant alone";
    ASSERT_FALSE(blind.notes.empty());
    EXPECT_NE(blind.notes.back().find("no samples were looked at"), std::string::npos);
}

TEST(QuantizeHalf, KeepsFloatWhatIsAskedForAndCountsLostWeights) {
    const Model model = model_of(
        "(x: f32[n,4]) -> (y)\na = MatMul(x, w: f32[4,2]{1.0,1e-6,2.0,1e-9,3.0,1.0,1.0,1.0})\n"
        "y = Relu(a)");
    const auto samples = samples_for(model, 8);
    const QuantizeResult result =
        quantize_model(model, {.mode = QuantizeMode::half}, samples.get());
    bool reported = false;
    for (const std::string& note : result.notes)
        reported =
            reported ||
            note ==
                "2 weights are so small that float16 holds fewer digits of them, 1 is rounded to 0";
    EXPECT_TRUE(reported);
    const QuantizeResult kept = quantize_model(
        model, {.mode = QuantizeMode::half, .keep_float = {"MatMul"}}, samples.get());
    EXPECT_EQ(decision_of(kept, "MatMul").reason, "kept float as asked for (MatMul)");
    EXPECT_EQ(decision_of(kept, "Relu").reason, "stands between nodes that stay float32");
    EXPECT_EQ(kept.quantized, 0u);
}

TEST(QuantizeWeights, StoresSmallFloats) {
    const Model model = model_of(mixed);
    const QuantizeResult bf16 =
        quantize_model(model, {.mode = QuantizeMode::weights, .storage = WeightStorage::bfloat16});
    EXPECT_EQ(constant_types(bf16.model), std::set<DType>{DType::bf16});
    EXPECT_EQ(bf16.quantized, 3u) << "both products and the table";
    EXPECT_GT(sqnr(model, reloaded(bf16.model)), 45);
    const QuantizeResult fp8 =
        quantize_model(model, {.mode = QuantizeMode::weights, .storage = WeightStorage::float8});
    EXPECT_GE(fp8.model.opset(), 19);
    EXPECT_TRUE(constant_types(fp8.model).contains(DType::f8e4m3fn));
    EXPECT_EQ(fp8.quantized, 2u);
    EXPECT_EQ(decision_of(fp8, "Gather").reason, "Gather takes no 8-bit floats");
    EXPECT_GT(sqnr(model, reloaded(fp8.model)), 25);
}

TEST(QuantizeWeights, PutsTablesIntoBlocks) {
    const Model model = model_of(mixed);
    for (bool symmetric : {false, true}) {
        const QuantizeResult result = quantize_model(model, {.mode = QuantizeMode::weights,
                                                             .weight_bits = 4,
                                                             .block = 16,
                                                             .symmetric_blocks = symmetric});
        EXPECT_EQ(operators(result.model).count("com.microsoft::GatherBlockQuantized"), 1u);
        EXPECT_GT(sqnr(model, reloaded(result.model)), 12);
        EXPECT_LT(constant_bytes(result.model), constant_bytes(model) / 4);
    }
    const QuantizeResult wide =
        quantize_model(model, {.mode = QuantizeMode::weights, .weight_bits = 8, .block = 128});
    EXPECT_NE(decision_of(wide, "Gather").reason.find("no whole blocks of 128"), std::string::npos);
}

TEST(QuantizeWeights, CompensatedBlocksBeatNearestInEveryForm) {
    const Model model = model_of(
        "(x: f32[n,8]) -> (y)\nh = Gemm(x, w0: f32[8,64])\nm = Tanh(h)\ny = MatMul(m, w: "
        "f32[64,16])");
    const auto samples = samples_for(model, 40);
    const auto with = [&](bool compensated, BlockForm form, bool symmetric) {
        return sqnr(model, reloaded(quantize_model(model,
                                                   {.mode = QuantizeMode::weights,
                                                    .block = 16,
                                                    .symmetric_blocks = symmetric,
                                                    .block_form = form,
                                                    .compensated_rounding = compensated,
                                                    .keep_float = {"Gemm"}},
                                                   samples.get())
                                        .model));
    };
    for (bool symmetric : {false, true})
        for (BlockForm form : {BlockForm::matmul_nbits, BlockForm::dequantize})
            EXPECT_GT(with(true, form, symmetric), with(false, form, symmetric) + 2)
                << symmetric << int(form);
    EXPECT_THROW(
        quantize_model(model, {.mode = QuantizeMode::weights, .compensated_rounding = true}),
        Error);
}

TEST(CompensatedBlocks, BothFormsHoldTheSameWeights) {
    std::vector<float> values(32 * 6);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(static_cast<int>(i * 29 % 41) - 17) / 9;
    const Tensor weight = Tensor::of<float>({32, 6}, values);
    InputMoments moments;
    moments.size = 32;
    moments.rows = 1;
    moments.sums.assign(32 * 32, 0.2);
    for (std::size_t i = 0; i < 32; ++i) moments.sums[i * 33] = 1;
    SerialThreads alone;
    for (bool symmetric : {false, true})
        for (int bits : {4, 8}) {
            const auto blocks =
                compensated_blocks(weight, bits, 16, symmetric, false, moments, alone);
            ASSERT_TRUE(blocks.has_value());
            const Tensor packed = dequantized_blocks(*blocks, 32, bits, 16),
                         plain = dequantized(dequantize_form(*blocks, 32, bits, 16, 0));
            EXPECT_TRUE(std::ranges::equal(packed.data<float>(), plain.data<float>()))
                << symmetric << bits;
        }
    moments.size = 16;
    EXPECT_FALSE(compensated_blocks(weight, 4, 16, false, false, moments, alone))
        << "moments of other inputs";
}

TEST(QuantizeStatic, WritesQuantizedOperators) {
    std::string text = convolutions;
    text.replace(text.find("r2"), 2, "c2");
    text.insert(text.find("s = Add"), "c2 = Conv(r, w4: f32[8,8,3,3])\n");
    const Model model = model_of(text);
    const auto samples = samples_for(model, 10);
    const QuantizeOptions pairs{.mode = QuantizeMode::static_qdq};
    QuantizeOptions fused = pairs;
    fused.static_form = StaticForm::operators;
    const Model qdq = reloaded(quantize_model(model, pairs, samples.get()).model);
    const QuantizeResult result = quantize_model(model, fused, samples.get());
    const Model qoperator = reloaded(result.model);
    const auto found = operators(qoperator);
    EXPECT_EQ(found.count("QLinearConv"), 3u);
    EXPECT_EQ(found.count("Conv"), 0u);
    EXPECT_EQ(found.count("com.microsoft::QGemm"), 1u);
    EXPECT_LT(qoperator.graph.nodes().size(), qdq.graph.nodes().size());
    EXPECT_GT(sqnr(model, qoperator), 28);
    EXPECT_GT(
        evaluate_quantized(shared(qdq), shared(qoperator), *samples_for(model, 4, 100)).sqnr_db(),
        80)
        << "both forms are the same model";
}

TEST(QuantizeStatic, TakesOtherTypesOfWeights) {
    const Model model = model_of(mixed);
    const auto samples = samples_for(model, 10);
    const auto with = [&](DType type) {
        return quantize_model(model, {.mode = QuantizeMode::static_qdq, .weight = type},
                              samples.get());
    };
    EXPECT_TRUE(constant_types(with(DType::u8).model).contains(DType::u8));
    EXPECT_GT(sqnr(model, reloaded(with(DType::u8).model)),
              sqnr(model, reloaded(with(DType::i8).model)) - 2);
    for (DType type : {DType::i4, DType::u4}) {
        const QuantizeResult result = with(type);
        EXPECT_GE(result.model.opset(), 21);
        EXPECT_TRUE(constant_types(result.model).contains(type));
        EXPECT_GT(sqnr(model, reloaded(result.model)), 10) << name_of(type);
    }
    EXPECT_THROW(with(DType::i16), Error);
}

TEST(QuantizeOptionsNames, AreReadBack) {
    for (QuantizeMode mode : {QuantizeMode::dynamic, QuantizeMode::static_qdq,
                              QuantizeMode::weights, QuantizeMode::half})
        EXPECT_EQ(quantize_mode_from_name(name_of(mode)), mode);
    for (WeightStorage storage :
         {WeightStorage::blocks, WeightStorage::float8, WeightStorage::bfloat16})
        EXPECT_EQ(weight_storage_from_name(name_of(storage)), storage);
    for (StaticForm form : {StaticForm::pairs, StaticForm::operators})
        EXPECT_EQ(static_form_from_name(name_of(form)), form);
    EXPECT_FALSE(weight_storage_from_name("float9"));
}

}  // namespace
}  // namespace lapidary
