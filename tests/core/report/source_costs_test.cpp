// SPDX-License-Identifier: Apache-2.0
// Times of nodes by class and by line of the program that a model was exported from.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <lapidary/cost/source_costs.h>
#include <lapidary/graph/graph_edit.h>

namespace lapidary {
namespace {

/// Relu nodes in a row, each with metadata.
Graph noted_graph(const std::vector<StringPairs>& notes) {
    Graph graph;
    GraphEdit edit(graph);
    ValueId value = edit.add_input("x", {});
    for (const StringPairs& note : notes) {
        const ValueId out = edit.add_value("");
        edit.add_node({.op_type = "Relu",
                       .inputs = {value},
                       .outputs = {out},
                       .version = 14,
                       .metadata = note});
        value = out;
    }
    edit.add_output(value);
    edit.finish();
    return graph;
}

std::vector<NodeCost> costs_of(const Graph& graph, const std::vector<double>& ms) {
    std::vector<NodeCost> costs;
    std::size_t i = 0;
    for (const NodeId id : graph.nodes()) {
        NodeCost cost;
        cost.node = id;
        cost.ms = ms.at(i++);
        costs.push_back(cost);
    }
    return costs;
}

TEST(SourceCosts, AClassHasWhatIsInsideOfIt) {
    const std::string layers = ": m.Llama/layers.0: m.Attention/q: torch.nn.Linear/n: aten.linear";
    const Graph graph = noted_graph({{{"namespace", layers}},
                                     {{"namespace", ": m.Llama/layers.0: m.Attention/n: aten.x"}},
                                     {{"namespace", ": m.Llama/n: aten.y"}},
                                     {}});
    const std::vector<SourceCost> found =
        source_costs(graph, costs_of(graph, {4, 2, 1, 3}), SourceUnit::class_name, 10);
    ASSERT_EQ(found.size(), 4u);
    EXPECT_EQ(found[0].name, "Llama");
    EXPECT_EQ(found[0].ms, 7);
    EXPECT_EQ(found[0].own_ms, 1);
    EXPECT_EQ(found[0].nodes, 3u);
    EXPECT_EQ(found[1].name, "Attention");
    EXPECT_EQ(found[1].ms, 6);
    EXPECT_EQ(found[1].own_ms, 2);
    EXPECT_DOUBLE_EQ(found[1].share, 0.6);
    EXPECT_EQ(found[2].name, "Linear");
    EXPECT_EQ(found[2].own_ms, 4);
    EXPECT_EQ(found[3].name, "") << "what is not noted is last";
    EXPECT_EQ(found[3].ms, 3);
}

TEST(SourceCosts, LinesOfOneNodeHaveEqualParts) {
    const auto trace = [](const char* line) {
        return "File \"net.py\", line " + std::string(line) + ", in forward\n    return y\n";
    };
    const Graph graph = noted_graph({{{"pkg.torch.onnx.stack_trace", trace("12")}},
                                     {{"pkg.torch.onnx.stack_trace", trace("14")}},
                                     {{"pkg.torch.onnx.stack_trace", trace("12")}}});
    const std::vector<SourceCost> found =
        source_costs(graph, costs_of(graph, {4, 1, 2}), SourceUnit::line, 10);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].name, "net.py:12");
    EXPECT_EQ(found[0].code, "return y");
    EXPECT_EQ(found[0].ms, 6);
    EXPECT_EQ(found[0].nodes, 2u);
    EXPECT_EQ(found[1].ms, 1);
    EXPECT_TRUE(source_costs(graph, {}, SourceUnit::line, 10).empty());
}

TEST(SourceCosts, NodesThatAreNotInTheGraphHaveNoCost) {
    const Graph graph = noted_graph({{}});
    NodeTotal in, out;
    in.node = *graph.nodes().begin();
    in.ms = 2;
    EXPECT_EQ(node_costs(graph, {in, out}).size(), 1u);
}

}  // namespace
}  // namespace lapidary
