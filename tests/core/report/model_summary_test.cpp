// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lapidary/graph/graph_text.h>
#include <lapidary/report/model_summary.h>

namespace lapidary {
namespace {

Model model_of(const std::string& text) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(text);
    return model;
}

TEST(ModelSummary, CountsNodesAndWeightsOfSubgraphs) {
    const Model model = model_of(R"((x: f32[2], c: bool[]) -> (y)
        h = Mul(x, k: f32[2]{1.0, 2.0})
        t = Constant() {value: i64[3]{1, 2, 3}}
        y = If(c) {then_branch: graph { () -> (a)
            a = Mul(h, s: f64[4]{1.0, 1.0, 1.0, 1.0}) }, else_branch: graph { () -> (b)
            b = Identity(h) }})");
    const ModelSummary summary = summarize(model);
    EXPECT_EQ(summary.nodes, 5);
    EXPECT_EQ(summary.operators, (std::map<std::string, std::int64_t>{
                                     {"Mul", 2}, {"Constant", 1}, {"If", 1}, {"Identity", 1}}));
    EXPECT_EQ(summary.parameters, 9);
    EXPECT_EQ(summary.parameters_by_dtype,
              (std::map<std::string, std::int64_t>{{"f32", 2}, {"f64", 4}, {"i64", 3}}));
    EXPECT_EQ(summary.weight_bytes, 2 * 4 + 4 * 8u + 3 * 8);
    EXPECT_EQ(summary.constant_elements, 3);
    ASSERT_EQ(summary.inputs.size(), 2u);
    EXPECT_EQ(summary.inputs[0].first, "x");
    EXPECT_EQ(to_string(summary.inputs[0].second), "f32[2]");
    EXPECT_TRUE(summary.unsupported.empty());
}

TEST(ModelSummary, SaysWhyNodesCannotRun) {
    Model model = model_of(R"((x: f32[2]) -> (a, b, c)
        a = Frobnicate(x)
        b = com.nobody::Thing(x)
        c = Relu(x))");
    const ModelSummary summary = summarize(model);
    ASSERT_EQ(summary.unsupported.size(), 2u);
    EXPECT_EQ(summary.unsupported[0].op, "Frobnicate");
    EXPECT_NE(summary.unsupported[0].reason.find("unknown operator"), std::string::npos)
        << summary.unsupported[0].reason;
    EXPECT_EQ(summary.unsupported[1].op, "com.nobody::Thing");
    EXPECT_FALSE(summary.unsupported[1].reason.empty());

    Function function;  // a call to a function of the model is supported when its body is
    function.domain = "com.nobody";
    function.name = "Thing";
    function.opset_imports[""] = 17;
    function.body = std::make_shared<const Graph>(parse_graph("(p: f32[2]) -> (q)\n q = Relu(p)"));
    model.functions.push_back(function);
    EXPECT_EQ(summarize(model).unsupported.size(), 1u);
}

}  // namespace
}  // namespace lapidary
