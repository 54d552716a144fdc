// SPDX-License-Identifier: Apache-2.0
// Mode static where values are joined and repeated: in integers, with the steps of the result where
// nothing else reads them. Where the only integer kernel is the reference kernel, the float
// operator is kept.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/quantize/quantize.h>

namespace lapidary {
namespace {

Model model_of(const std::string& text) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(text, {.opset = 17});
    infer_types(model);
    return model;
}

QuantizeResult quantized(const Model& model, StaticForm form, DType activation = DType::u8) {
    const auto samples = generated_samples(std::make_shared<const Model>(model), 10, 3);
    return quantize_model(
        model, {.mode = QuantizeMode::static_qdq, .activation = activation, .static_form = form},
        samples.get());
}

std::map<std::string, int> operators(const Model& model) {
    std::map<std::string, int> counts;
    for (NodeId id : model.graph.nodes()) ++counts[model.graph.node(id).qualified_op()];
    return counts;
}

/// The scale of the pair behind a value; empty where it has none.
std::string scale_behind(const Model& model, const std::string& value) {
    for (NodeId id : model.graph.nodes()) {
        const Node& node = model.graph.node(id);
        if (node.op_type == "QuantizeLinear" && model.graph.value(node.inputs[0]).name == value)
            return model.graph.value(node.inputs[1]).name;
    }
    return {};
}

/// Of the node that writes the value.
std::string reason_for(const QuantizeResult& result, const std::string& value) {
    const auto at = std::ranges::find(result.nodes, value, &NodeDecision::name);
    return at == result.nodes.end() ? "no decision" : at->reason;
}

/// The only node of that operator.
void expect_reads_bytes(const Model& model, const std::string& op) {
    int found = 0;
    for (NodeId id : model.graph.nodes()) {
        const Node& node = model.graph.node(id);
        if (node.op_type != op) continue;
        ++found;
        EXPECT_EQ(model.graph.value(node.inputs[0]).type.dtype, DType::u8) << op;
    }
    EXPECT_EQ(found, 1) << op;
}

double sqnr(const Model& original, const Model& changed) {
    const auto shared = std::make_shared<const Model>(original);
    return evaluate_quantized(shared, std::make_shared<const Model>(changed),
                              *generated_samples(shared, 6, 77), 1)
        .sqnr_db();
}

constexpr const char* fire =
    "(x: f32[1,3,12,12]) -> (y)\ns = Conv(x, w0: f32[8,3,3,3])\nr = Relu(s)\na = Conv(r, w1: "
    "f32[8,8,1,1])\n"
    "p = Relu(a)\nb = Conv(r, w2: f32[8,8,3,3]) {pads: [1, 1, 1, 1]}\nq = Relu(b)\nj = Concat(p, "
    "q) {axis: 1}\n"
    "y = Conv(j, w3: f32[4,16,1,1])";

TEST(JoinedValues, TakeTheStepsOfTheResult) {
    const Model model = model_of(fire);
    const QuantizeResult pairs = quantized(model, StaticForm::pairs);
    EXPECT_NE(scale_behind(pairs.model, "j"), "");
    EXPECT_EQ(scale_behind(pairs.model, "p"), scale_behind(pairs.model, "j"));
    EXPECT_EQ(scale_behind(pairs.model, "q"), scale_behind(pairs.model, "j"));
    EXPECT_GT(sqnr(model, pairs.model), 28);
    const auto range_of = [&](const char* name) {
        return std::ranges::find(pairs.ranges, std::string(name), &QuantizedRange::name);
    };
    for (const char* name : {"p", "q", "j"}) ASSERT_NE(range_of(name), pairs.ranges.end()) << name;
    EXPECT_EQ(range_of("p")->scale, range_of("j")->scale) << "reported as it is stored";
    EXPECT_EQ(range_of("q")->scale, range_of("j")->scale);
    auto found = operators(quantized(model, StaticForm::operators).model);
    EXPECT_EQ(found["Concat"], 1);
    EXPECT_EQ(found["com.microsoft::QLinearConcat"], 0);
    EXPECT_EQ(found["Relu"], 0);
}

TEST(JoinedValues, ReadElsewhereKeepTheirOwn) {
    std::string text = fire;
    text.replace(text.find("-> (y)"), 6, "-> (y, z)");
    text += "\nz = Conv(p, w4: f32[4,8,1,1])";
    const QuantizeResult pairs = quantized(model_of(text), StaticForm::pairs);
    EXPECT_NE(scale_behind(pairs.model, "p"), scale_behind(pairs.model, "j"));
    EXPECT_EQ(scale_behind(pairs.model, "q"), scale_behind(pairs.model, "j"));
    EXPECT_EQ(
        operators(
            quantized(model_of(text), StaticForm::operators).model)["com.microsoft::QLinearConcat"],
        1);
}

TEST(JoinedValues, KeepWhatAnActivationBounds) {
    // b reaches below 0: steps of its range could not replace the Relu of p.
    std::string text = fire;
    text.replace(text.find("Concat(p, q)"), 12, "Concat(p, b)");
    text.erase(text.find("q = Relu(b)\n"), 12);
    const Model model = model_of(text);
    const QuantizeResult pairs = quantized(model, StaticForm::pairs);
    EXPECT_NE(scale_behind(pairs.model, "p"), scale_behind(pairs.model, "j"));
    EXPECT_EQ(scale_behind(pairs.model, "b"), scale_behind(pairs.model, "j"));
    auto found = operators(quantized(model, StaticForm::operators).model);
    EXPECT_EQ(found["Relu"], 0) << "it went into a rounding";
    EXPECT_EQ(found["com.microsoft::QLinearConcat"], 1);
}

TEST(JoinedValues, FloatsAreRoundedInFrontOfTheConcat) {
    const Model model = model_of(
        "(x: f32[1,3,12,12]) -> (y, t)\na = Conv(x, w1: f32[8,3,1,1])\np = Relu(a)\nt = Tanh(x)\n"
        "j = Concat(p, t) {axis: 1}\ny = Conv(j, w3: f32[4,11,1,1])");
    const QuantizeResult pairs = quantized(model, StaticForm::pairs);
    EXPECT_EQ(scale_behind(pairs.model, "t"), scale_behind(pairs.model, "j"));
    const Graph& graph = pairs.model.graph;
    EXPECT_EQ(graph.value(graph.outputs()[1]).name, "t");
    EXPECT_TRUE(std::ranges::any_of(graph.nodes(),
                                    [&](NodeId id) { return graph.node(id).op_type == "Tanh"; }));
    auto found = operators(quantized(model, StaticForm::operators).model);
    EXPECT_EQ(found["Concat"] + found["com.microsoft::QLinearConcat"], 1);
    EXPECT_GT(sqnr(model, pairs.model), 28);
}

TEST(JoinedValues, BetweenTwoConcatsFloatsHaveStepsOfTheirOwn) {
    const Model model = model_of(
        "(x: f32[1,3,12,12]) -> (y, z)\na = Conv(x, w1: f32[8,3,1,1])\np = Relu(a)\nt = Tanh(x)\n"
        "j = Concat(p, t) {axis: 1}\ny = Conv(j, w3: f32[4,11,1,1])\n"
        "k = Concat(t, j) {axis: 1}\nz = Conv(k, w4: f32[4,14,1,1])");
    const QuantizeResult pairs = quantized(model, StaticForm::pairs);
    EXPECT_NE(scale_behind(pairs.model, "t"), "");
    EXPECT_NE(scale_behind(pairs.model, "t"), scale_behind(pairs.model, "j"));
    EXPECT_NE(scale_behind(pairs.model, "t"), scale_behind(pairs.model, "k"));
    EXPECT_GT(sqnr(model, pairs.model), 28);
}

TEST(JoinedValues, ResultsOfTheModelStayFloat) {
    std::string text = fire;
    text.replace(text.find("-> (y)"), 6, "-> (y, j)");
    const QuantizeResult pairs = quantized(model_of(text), StaticForm::pairs);
    EXPECT_NE(scale_behind(pairs.model, "p"), scale_behind(pairs.model, "j"));
    EXPECT_EQ(reason_for(pairs, "j"), "its inputs and outputs are quantized");
}

TEST(JoinedValues, OfSixteenBitsAreNotJoined) {
    const QuantizeResult pairs = quantized(model_of(fire), StaticForm::pairs, DType::u16);
    EXPECT_NE(scale_behind(pairs.model, "p"), scale_behind(pairs.model, "j"));
}

TEST(RepeatedPixels, AreRepeatedInIntegers) {
    const Model model = model_of(
        "(x: f32[1,3,8,8]) -> (y)\na = Conv(x, w1: f32[8,3,1,1])\np = Relu(a)\nb = Conv(p, w2: "
        "f32[8,8,2,2]) "
        "{strides: [2, 2]}\nq = Relu(b)\nu = Resize(q, _, s: f32[4]{1, 1, 2, 2}) {mode: "
        "\"nearest\", "
        "coordinate_transformation_mode: \"asymmetric\", nearest_mode: \"floor\"}\nj = Concat(u, "
        "p) {axis: 1}\n"
        "y = Conv(j, w3: f32[4,16,1,1])");
    const QuantizeResult pairs = quantized(model, StaticForm::pairs);
    EXPECT_EQ(reason_for(pairs, "u"), "moves quantized values as they are");
    EXPECT_EQ(scale_behind(pairs.model, "u"), scale_behind(pairs.model, "q"));
    EXPECT_EQ(scale_behind(pairs.model, "u"), scale_behind(pairs.model, "j"));
    EXPECT_GT(sqnr(model, pairs.model), 28);
    expect_reads_bytes(quantized(model, StaticForm::operators).model, "Resize");
}

TEST(SplitValues, AreSplitInIntegers) {
    const Model model = model_of(
        "(x: f32[1,3,8,8]) -> (y)\na = Conv(x, w1: f32[8,3,1,1])\np = Relu(a)\nu, v = Split(p) "
        "{axis: 1}\n"
        "b = Conv(u, w2: f32[4,4,3,3]) {pads: [1, 1, 1, 1]}\nq = Relu(b)\nj = Concat(q, v) {axis: "
        "1}\n"
        "y = Conv(j, w3: f32[4,8,1,1])");
    const QuantizeResult pairs = quantized(model, StaticForm::pairs);
    EXPECT_EQ(scale_behind(pairs.model, "u"), scale_behind(pairs.model, "p"));
    EXPECT_EQ(scale_behind(pairs.model, "v"), scale_behind(pairs.model, "p"));
    EXPECT_GT(sqnr(model, pairs.model), 28);
    expect_reads_bytes(quantized(model, StaticForm::operators).model, "Split");
}

TEST(MovedValues, ReachOperatorsThatRunInIntegers) {
    const Model model = model_of(
        "(x: f32[1,3,8,8]) -> (y)\na = Conv(x, w1: f32[8,3,1,1])\nm = MaxPool(a) {kernel_shape: "
        "[2, 2], strides: [2, "
        "2]}\nb = Conv(x, w2: f32[8,3,2,2]) {strides: [2, 2]}\ns = Add(m, b)\ny = Conv(s, w3: "
        "f32[4,8,1,1])");
    const QuantizeResult pairs = quantized(model, StaticForm::pairs);
    EXPECT_EQ(scale_behind(pairs.model, "m"), scale_behind(pairs.model, "a"));
    auto found = operators(quantized(model, StaticForm::operators).model);
    EXPECT_EQ(found["com.microsoft::QLinearAdd"], 1);
    EXPECT_EQ(found["Add"], 0);
}

// Squeeze and excitation: a product of two rounded values in front of a pair.
TEST(RoundedOperands, OfProductsRunInIntegers) {
    const Model model = model_of(
        "(x: f32[1,3,10,10]) -> (y)\na = Conv(x, w1: f32[8,3,3,3])\nh = HardSwish(a)\ng = "
        "GlobalAveragePool(h)\n"
        "r = Conv(g, w2: f32[8,8,1,1])\ns = Sigmoid(r)\nm = Mul(h, s)\ny = Conv(m, w3: "
        "f32[4,8,1,1])");
    const QuantizeResult pairs = quantized(model, StaticForm::pairs);
    for (const char* value : {"h", "s", "m", "g"})
        EXPECT_NE(scale_behind(pairs.model, value), "") << value;
    EXPECT_EQ(reason_for(pairs, "m"), "its inputs and outputs are quantized");
    EXPECT_GT(sqnr(model, pairs.model), 25);
    auto found = operators(quantized(model, StaticForm::operators).model);
    EXPECT_EQ(found["com.microsoft::QLinearMul"], 1);
    EXPECT_EQ(found["com.microsoft::QLinearGlobalAveragePool"], 1);
    EXPECT_EQ(found["com.microsoft::QLinearSigmoid"], 1);
}

// The mean of a sum that nothing else reads: both run in integers, and no value of the image's size
// is a float.
// As in ResNet: the sum of a block reads what the block began with, which a convolution reads too,
// and the pair lies behind the Relu.
TEST(RoundedOperands, OfResidualSumsInFrontOfAnActivation) {
    const Model model = model_of(
        "(x: f32[1,3,8,8]) -> (y)\ns = Conv(x, w0: f32[8,3,1,1])\nr = Relu(s)\n"
        "a = Conv(r, w1: f32[8,8,1,1])\nb = Relu(a)\nc = Conv(b, w2: f32[8,8,1,1])\n"
        "d = Add(c, r)\ne = Relu(d)\ny = Conv(e, w3: f32[4,8,1,1])");
    const QuantizeResult pairs = quantized(model, StaticForm::pairs);
    EXPECT_NE(scale_behind(pairs.model, "c"), "");
    EXPECT_EQ(scale_behind(pairs.model, "d"), "") << "the rounding behind the Relu is enough";
    EXPECT_EQ(reason_for(pairs, "d"), "its inputs and outputs are quantized");
    EXPECT_GT(sqnr(model, pairs.model), 25);
    auto found = operators(quantized(model, StaticForm::operators).model);
    EXPECT_EQ(found["com.microsoft::QLinearAdd"], 1);
    EXPECT_EQ(found["Add"], 0);
}

TEST(RoundedOperands, OfPoolsRunInIntegers) {
    const Model model = model_of(
        "(x: f32[1,3,10,10]) -> (y, z)\na = Conv(x, w1: f32[8,3,3,3])\nb = Conv(x, w2: "
        "f32[8,3,3,3])\n"
        "s = Add(a, b)\ng = GlobalAveragePool(s)\ny = Conv(g, w3: f32[4,8,1,1])\nz = Conv(a, w4: "
        "f32[4,8,1,1])");
    const QuantizeResult pairs = quantized(model, StaticForm::pairs);
    for (const char* value : {"a", "b", "s", "g"})
        EXPECT_NE(scale_behind(pairs.model, value), "") << value;
    EXPECT_EQ(reason_for(pairs, "s"), "its inputs and outputs are quantized");
    EXPECT_GT(sqnr(model, pairs.model), 25);
    auto found = operators(quantized(model, StaticForm::operators).model);
    EXPECT_EQ(found["com.microsoft::QLinearAdd"], 1);
    EXPECT_EQ(found["com.microsoft::QLinearGlobalAveragePool"], 1);
    EXPECT_EQ(found["Add"] + found["GlobalAveragePool"], 0);
}

TEST(RoundedOperands, PoolsOfFloatsStayFloat) {
    const Model model = model_of(
        "(x: f32[1,3,10,10], z: f32[1,8,8,8]) -> (y)\na = Conv(x, w1: f32[8,3,3,3])\ns = Add(a, "
        "z)\n"
        "g = GlobalAveragePool(s)\ny = Conv(g, w3: f32[4,8,1,1])");
    const QuantizeResult pairs = quantized(model, StaticForm::pairs);
    EXPECT_EQ(scale_behind(pairs.model, "s"), "");
    EXPECT_NE(scale_behind(pairs.model, "g"), "");
}

// One rounding: what a product of one rounded value and a function of it gives is one look-up.
TEST(RoundedOperands, FunctionsOfOneValueStayFloatInBetween) {
    const Model model = model_of(
        "(x: f32[1,3,10,10]) -> (y)\na = Conv(x, w1: f32[8,3,3,3])\ns = Sigmoid(a)\nm = Mul(a, s)\n"
        "y = Conv(m, w3: f32[4,8,1,1])");
    const QuantizeResult pairs = quantized(model, StaticForm::pairs);
    EXPECT_EQ(scale_behind(pairs.model, "s"), "");
    EXPECT_NE(scale_behind(pairs.model, "m"), "");
}

TEST(RoundedOperands, FloatsFromElsewhereKeepTheProductFloat) {
    const Model model = model_of(
        "(x: f32[1,3,10,10], z: f32[1,8,1,1]) -> (y)\na = Conv(x, w1: f32[8,3,3,3])\nh = "
        "HardSwish(a)\n"
        "m = Mul(h, z)\ny = Conv(m, w3: f32[4,8,1,1])");
    const QuantizeResult pairs = quantized(model, StaticForm::pairs);
    EXPECT_EQ(scale_behind(pairs.model, "h"), "");
    EXPECT_EQ(scale_behind(pairs.model, "z"), "");
}

TEST(RepeatedPixels, InterpolatedOnesStayFloat) {
    const Model model = model_of(
        "(x: f32[1,3,8,8]) -> (y)\na = Conv(x, w1: f32[8,3,1,1])\nu = Resize(a, _, s: f32[4]{1, 1, "
        "2, 2}) {mode: "
        "\"linear\"}\ny = Conv(u, w3: f32[4,8,1,1])");
    EXPECT_EQ(reason_for(quantized(model, StaticForm::pairs), "u"),
              "there is no integer kernel for Resize");
}

TEST(PlainKernels, AreNoBenefit) {
    const Model model = model_of(
        "(x: f32[1,3,8,8], c: bool[1,1,8,8]) -> (y)\na = Conv(x, w1: f32[8,3,1,1])\nb = Conv(x, "
        "w2: f32[8,3,1,1])\n"
        "u = Where(c, a, b)\ny = Conv(u, w3: f32[4,8,1,1])");
    const QuantizeResult pairs = quantized(model, StaticForm::pairs);
    EXPECT_EQ(reason_for(pairs, "u"),
              "its integer kernel is the plain one, slower than that of floats");
}

}  // namespace
}  // namespace lapidary
