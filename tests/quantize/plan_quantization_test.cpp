// SPDX-License-Identifier: Apache-2.0
// The decisions about each node, which programs for other tools use.
#include <lapidary/quantize/quantize_plan.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>

namespace lapidary {
namespace {

Model model_of(const std::string& text, std::int64_t opset) {
    Model model;
    model.opset_imports[""] = opset;
    model.graph = parse_graph(text, {.opset = opset});
    infer_types(model);
    return model;
}

const PlannedNode& node_of(const QuantizePlan& plan, const std::string& value) {
    const auto at = std::ranges::find(plan.nodes, value, &PlannedNode::value);
    if (at == plan.nodes.end())
        throw std::runtime_error("nothing is planned for the node that writes " + value);
    return *at;
}

constexpr const char* products =
    "(x: f32[n,64]) -> (y)\na = MatMul(x, w1: f32[64,48])\ng = Tanh(a)\ny = MatMul(g, w2: "
    "f32[48,10])";

TEST(QuantizePlan, IdentifiesNodesByTheValuesThatTheyWrite) {
    const Model model = model_of(products, 17);
    for (QuantizeMode mode : {QuantizeMode::dynamic, QuantizeMode::static_qdq}) {
        const QuantizePlan plan = plan_quantization(model, {.mode = mode, .keep_float = {"y"}});
        ASSERT_EQ(plan.nodes.size(), 3u) << name_of(mode);
        EXPECT_TRUE(node_of(plan, "a").quantized) << name_of(mode);
        EXPECT_EQ(node_of(plan, "a").op_type, "MatMul");
        EXPECT_FALSE(node_of(plan, "g").quantized);
        EXPECT_FALSE(node_of(plan, "g").asked_float) << "it was not kept float by request";
        EXPECT_FALSE(node_of(plan, "y").quantized);
        EXPECT_TRUE(node_of(plan, "y").asked_float);
        EXPECT_TRUE(node_of(plan, "y").reads_float);
    }
}

TEST(QuantizePlan, ModesOtherThanStaticFollowTheGivenDecisions) {
    const Model model = model_of(products, 17);
    const QuantizeOptions options{.mode = QuantizeMode::dynamic};
    std::vector<NodeDecision> decided = quantize_model(model, options).nodes;
    for (NodeDecision& decision : decided)
        if (decision.name == "a") decision.quantized = false;  // as a search may have found
    const QuantizePlan plan = plan_quantization(model, options, decided);
    EXPECT_FALSE(node_of(plan, "a").quantized);
    EXPECT_TRUE(node_of(plan, "y").quantized);
}

TEST(QuantizePlan, ReportsWeightsAloneAndTheOpset) {
    const Model model = model_of(products, 17);
    const QuantizePlan alone =
        plan_quantization(model, {.mode = QuantizeMode::static_qdq, .weights_alone = {"a"}});
    EXPECT_TRUE(node_of(alone, "a").weight_alone);
    EXPECT_FALSE(node_of(alone, "a").quantized);
    EXPECT_FALSE(node_of(alone, "y").weight_alone);
    EXPECT_LE(alone.least_opset, 17);
    const QuantizePlan packed =
        plan_quantization(model, {.mode = QuantizeMode::static_qdq, .weight = DType::i4});
    EXPECT_EQ(packed.least_opset, 21) << "4 bits are of opset 21";
}

}  // namespace
}  // namespace lapidary
