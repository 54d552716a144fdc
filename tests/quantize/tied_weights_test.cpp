// SPDX-License-Identifier: Apache-2.0
// Products with the transposed table of an embedding.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include <lapidary/exec/session.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/quantize/quantize.h>
#include <lapidary/quantize/quantize_plan.h>

#include "quantize/weights/tied_weights.h"

namespace lapidary {
namespace {

Model model_of(const std::string& text) {
    Model model;
    model.opset_imports[""] = 21;
    model.graph = parse_graph(text, {.opset = 21});
    infer_types(model);
    return model;
}

const std::string small =
    "(ids: i64[3]) -> (y)\ne = Gather(t: f32[40,32], ids)\nu = Transpose(t) {perm: [1, 0]}\n"
    "y = MatMul(e, u)\n";

// A table above what constant folding takes: its Transpose is in the prepared model.
const Model& large() {
    static const Model model = model_of(
        "(ids: i64[2]) -> (y)\ne = Gather(t: f32[1050000,16], ids)\nu = Transpose(t)\n"
        "y = MatMul(e, u)\n");
    return model;
}

std::multiset<std::string> operators(const Model& model) {
    std::multiset<std::string> found;
    for (NodeId id : model.graph.nodes()) found.insert(model.graph.node(id).op_type);
    return found;
}

std::uint64_t constants_of(const Model& model) {
    std::uint64_t bytes = 0;
    for (ValueId id : model.graph.initializers())
        bytes += model.graph.value(id).constant->byte_size();
    return bytes;
}

bool mentions(const std::vector<std::string>& notes, const std::string& text) {
    return std::ranges::any_of(
        notes, [&](const std::string& note) { return note.find(text) != std::string::npos; });
}

Tensor result_of(const Model& model) {
    Session session = Session::compile(std::make_shared<const Model>(Model(model)));
    return session.run({{"ids", Tensor::of<std::int64_t>({2}, {7, 1049999})}})
        .outputs.front()
        .second.tensor();
}

void expect_near(const Model& quantized, double share) {
    const Tensor exact = result_of(large()), found = result_of(quantized);
    double noise = 0, power = 0;
    for (std::size_t i = 0; i < exact.data<float>().size(); ++i) {
        const double x = exact.data<float>()[i], y = found.data<float>()[i];
        noise += (x - y) * (x - y);
        power += x * x;
    }
    EXPECT_LT(noise, share * power);
}

TEST(TiedWeights, AProductGetsASeparateWeightAndReturnsIt) {
    Model model = model_of(small);
    const std::vector<TiedWeight> tied = separate_tied_weights(model.graph);
    ASSERT_EQ(tied.size(), 1u);
    EXPECT_EQ(operators(model), (std::multiset<std::string>{"Gather", "MatMul"}));
    const Graph& graph = model.graph;
    const Tensor &table = *graph.value(graph.find_value("t")).constant,
                 &weight = *graph.value(tied[0].weight).constant;
    EXPECT_EQ(weight.shape(), (Shape{32, 40}));
    EXPECT_EQ(weight.data<float>()[5 * 40 + 7], table.data<float>()[7 * 32 + 5]);
    std::vector<std::string> notes;
    restore_tied_weights(model.graph, tied, notes);
    EXPECT_TRUE(notes.empty());
    EXPECT_EQ(operators(model), (std::multiset<std::string>{"Gather", "Transpose", "MatMul"}));
    EXPECT_EQ(constants_of(model), 40u * 32u * 4u);
    infer_types(model);
}

TEST(TiedWeights, OtherReadersKeepTheTranspose) {
    for (const char* end : {"y = MatMul(e, u)\nz = Relu(u)\n", "y = MatMul(u, e)\nz = Relu(e)\n"}) {
        Model model = model_of("(e: f32[4,32]) -> (y, z)\nu = Transpose(t: f32[" +
                               std::string(end[11] == 'e' ? "40,32" : "4,32") + "])\n" + end);
        EXPECT_TRUE(separate_tied_weights(model.graph).empty()) << end;
    }
}

TEST(TiedWeights, AreQuantizedInModesWithIntegers) {
    struct Case {
        QuantizeOptions options;
        std::string op;
        double share;
    };
    QuantizeOptions weights, dynamic, ranges;
    weights.mode = QuantizeMode::weights;
    weights.weight_bits = 8;
    weights.block = 16;
    dynamic.mode = QuantizeMode::dynamic;
    ranges.mode = QuantizeMode::static_qdq;
    const SampleSourcePtr samples =
        generated_samples(std::make_shared<const Model>(Model(large())), 2, 1);
    for (const Case& c : {Case{weights, "MatMulNBits", 1e-3}, Case{dynamic, "MatMulInteger", 1e-2},
                          Case{ranges, "DequantizeLinear", 1e-2}}) {
        const QuantizeResult made = quantize_model(large(), c.options, samples.get());
        const auto found = operators(made.model);
        EXPECT_TRUE(found.contains(c.op)) << c.op;
        EXPECT_FALSE(found.contains("Transpose")) << c.op;
        EXPECT_TRUE(mentions(made.notes, "which it no longer shares")) << c.op;
        EXPECT_LT(constants_of(made.model), constants_of(large())) << c.op;
        expect_near(made.model, c.share);
    }
}

TEST(TiedWeights, AreAsLargeAsBeforeWhereTheProductStaysFloat) {
    QuantizeOptions options;
    options.mode = QuantizeMode::weights;
    options.keep_float = {"MatMul", "Gather"};
    const QuantizeResult made = quantize_model(large(), options);
    EXPECT_EQ(operators(made.model), (std::multiset<std::string>{"Gather", "Transpose", "MatMul"}));
    EXPECT_EQ(constants_of(made.model), constants_of(large()));
    EXPECT_FALSE(mentions(made.notes, "no longer shares"));
    options.keep_float = {"MatMul"};
    options.block = 16;
    const QuantizeResult table_alone = quantize_model(large(), options);
    EXPECT_TRUE(operators(table_alone.model).contains("GatherBlockQuantized"));
    EXPECT_TRUE(operators(table_alone.model).contains("Transpose"));
    expect_near(table_alone.model, 0.05);
}

TEST(TiedWeights, TheirProductsAreInThePlan) {
    QuantizeOptions options;
    options.mode = QuantizeMode::static_qdq;
    const QuantizePlan plan = plan_quantization(large(), options, {});
    const auto product = std::ranges::find(plan.nodes, "MatMul", &PlannedNode::op_type);
    ASSERT_NE(product, plan.nodes.end());
    EXPECT_TRUE(product->quantized);
}

}  // namespace
}  // namespace lapidary
