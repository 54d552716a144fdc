// SPDX-License-Identifier: Apache-2.0
// What the placement of ONNX Runtime quantizes; tests/peers/quantized_placement.py holds it against
// its own files.
#include <gtest/gtest.h>

#include <set>

#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/quantize/quantize.h>

#include "quantize/writers/onnxruntime_placement.h"

namespace lapidary {
namespace {

Model model_of(const std::string& text) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(text, {.opset = 17});
    infer_types(model);
    return model;
}

const QuantizeOptions as_theirs{.mode = QuantizeMode::static_qdq,
                                .placement = StaticPlacement::onnxruntime,
                                .range = RangeMethod::minmax,
                                .bias_correction = false};

std::set<std::string> marked(const std::string& text, const QuantizeOptions& options = as_theirs) {
    const Model model = model_of(text);
    std::set<std::string> names;
    for (const auto& [value, mark] : place_as_onnxruntime(model.graph, options).marks) {
        std::string name = model.graph.value(value).name;
        if (mark.is_weight) name += mark.axis ? " by channel" : " as weight";
        if (mark.parameters) name += " as " + model.graph.value(mark.parameters).name;
        names.insert(name);
    }
    return names;
}

using Names = std::set<std::string>;

TEST(OnnxRuntimePlacement, ReluGoesIntoTheRoundingBehindIt) {
    EXPECT_EQ(
        marked(
            "(x: f32[1,3,8,8]) -> (y)\nc = Conv(x, w: f32[4,3,3,3], b: f32[4])\nr = Relu(c)\ny = "
            "MaxPool(r) {kernel_shape: [2,2]}"),
        (Names{"x", "w by channel", "r", "y as r"}));
    QuantizeOptions symmetric = as_theirs;
    symmetric.symmetric_activation = true;
    EXPECT_EQ(
        marked("(x: f32[1,3,8,8]) -> (y)\nc = Conv(x, w: f32[4,3,3,3])\ny = Relu(c)", symmetric),
        (Names{"x", "w by channel", "c", "y"}))
        << "with a zero point in the middle it is no bound";
    EXPECT_EQ(marked("(x: f32[1,3,8,8]) -> (y, z)\nc = Conv(x, w: f32[4,3,3,3])\ny = Relu(c)\nz = "
                     "Sigmoid(c)"),
              (Names{"x", "w by channel", "c", "y", "z"}))
        << "something else reads what it bounds";
}

TEST(OnnxRuntimePlacement, OrderDecidesWhatMovesIntegers) {
    EXPECT_EQ(marked("(x: f32[4,4]) -> (y, t)\nt = Transpose(x)\ny = MatMul(x, w: f32[4,2])"),
              (Names{"x", "w by channel", "y"}))
        << "x is not quantized yet when Transpose is visited";
    EXPECT_EQ(marked("(x: f32[4,4]) -> (y, t)\ny = MatMul(x, w: f32[4,2])\nt = Transpose(x)"),
              (Names{"x", "w by channel", "y", "t as x"}));
}

TEST(OnnxRuntimePlacement, OperandsOfSumsAreActivations) {
    EXPECT_EQ(
        marked(
            "(x: f32[2,3]) -> (y)\na = Add(x, b: f32[3])\ns = Sub(a, c: f32[3])\ny = Softmax(s)"),
        (Names{"x", "b", "a", "s", "y"}))
        << "Sub is in no list";
    EXPECT_EQ(
        marked("(c: bool[3], x: f32[3], z: f32[3]) -> (y, w)\ny = Where(c, x, z)\nw = Add(x, z)"),
        (Names{"x", "z", "w"}))
        << "Where, only between what is quantized already";
    EXPECT_EQ(marked("(i: i64[2]) -> (y)\ny = Gather(t: f32[8,4], i)"), (Names{"t", "y as t"}));
}

TEST(OnnxRuntimePlacement, TakesRangesFromWhatBoundsValues) {
    const Model model = model_of(
        "(x: f32[1,3,8,8]) -> (y, s)\nc = Conv(x, w: f32[4,3,3,3])\nr = Relu(c)\nk = Clip(r, lo: "
        "f32[]{0.0}, hi: "
        "f32[]{6.0})\ny = Sigmoid(k)\ns = Softmax(y)");
    const OnnxRuntimePlacement found = place_as_onnxruntime(model.graph, as_theirs);
    const auto name = [&](const std::optional<ValueId>& value) {
        return value ? model.graph.value(*value).name : std::string("[0, 1]");
    };
    std::map<std::string, std::string> ranges;
    for (const auto& [value, source] : found.ranges)
        ranges[model.graph.value(value).name] = name(source);
    EXPECT_EQ(ranges,
              (std::map<std::string, std::string>{{"c", "r"}, {"r", "k"}, {"s", "[0, 1]"}}));
    EXPECT_EQ(found.absorbed.size(), 2u);
}

TEST(OnnxRuntimePlacement, WritesWhatRunsLikeTheFloatModel) {
    const Model model = model_of(
        "(x: f32[1,3,8,8]) -> (y, p)\nc = Conv(x, w: f32[4,3,3,3], b: f32[4]{0.1,-0.2,0.3,0.0})\nr "
        "= Relu(c)\n"
        "g = GlobalAveragePool(r)\nf = Flatten(g)\nm = Gemm(f, v: f32[5,4], d: f32[5]{1,2,3,4,5}) "
        "{transB: 1}\n"
        "y = Add(m, e: f32[5]{0.5,0.5,0.5,0.5,0.5})\np = Softmax(y)");
    const auto samples = generated_samples(std::make_shared<const Model>(model), 20, 1);
    for (const bool per_channel : {true, false})
        for (const StaticForm form : {StaticForm::pairs, StaticForm::operators}) {
            QuantizeOptions options = as_theirs;
            options.per_channel = per_channel;
            options.static_form = form;
            const QuantizeResult made = quantize_model(model, options, samples.get());
            EXPECT_EQ(made.nodes.size(), 6u)
                << "the sum is the bias of Gemm before anything is placed";
            EXPECT_EQ(made.quantized, 6u);
            const QuantizedAccuracy found =
                evaluate_quantized(std::make_shared<const Model>(model),
                                   std::make_shared<const Model>(made.model), *samples, 1);
            ASSERT_EQ(found.outputs.size(), 2u);
            EXPECT_EQ(found.outputs[0].name, "y") << "outputs keep their names";
            EXPECT_GT(found.sqnr_db(), 28) << per_channel;
        }
    QuantizeOptions kept = as_theirs;
    kept.keep_float = {"Gemm"};
    const QuantizeResult made = quantize_model(model, kept, samples.get());
    EXPECT_EQ(made.quantized, 5u);
}

TEST(OnnxRuntimePlacement, BiasOfTwoComputedOperandsTakesBothScales) {
    const Model model =
        model_of("(x: f32[3,4]) -> (y)\ny = Gemm(x, x, b: f32[3]{1,2,3}) {transB: 1}");
    const auto samples = generated_samples(std::make_shared<const Model>(model), 20, 1);
    const QuantizeResult made = quantize_model(model, as_theirs, samples.get());
    const Graph& graph = made.model.graph;
    const Node* gemm = nullptr;
    for (NodeId id : graph.nodes())
        if (graph.node(id).op_type == "Gemm") gemm = &graph.node(id);
    ASSERT_TRUE(gemm);
    const auto producer = [&](ValueId value) {
        const NodeId id = graph.value(value).producer;
        return id ? &graph.node(id) : nullptr;
    };
    const Node* bias = producer(gemm->inputs[2]);
    ASSERT_TRUE(bias) << "the bias is stored in integers";
    const Tensor &values = *graph.value(bias->inputs[0]).constant,
                 &scale = *graph.value(bias->inputs[1]).constant;
    EXPECT_EQ(values.dtype(), DType::i32);
    const Node* data = producer(gemm->inputs[0]);
    ASSERT_TRUE(data);
    const float step = graph.value(data->inputs[1]).constant->data<float>()[0];
    EXPECT_EQ(scale.data<float>()[0], step * step);
}

}  // namespace
}  // namespace lapidary
