// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/node_source.h>

namespace lapidary {
namespace {

constexpr const char* trace = R"(File "/home/me/net.py", line 31, in forward
    x = self.block(x)
File "/home/me/layers.py", line 12, in forward
    return self.fc(x)
File "/opt/lib/python3.11/site-packages/torch/nn/modules/linear.py", line 125, in forward
    return F.linear(input, self.weight, self.bias)
)";

StringPairs torch_metadata(const std::string& layer, const std::string& stack_trace) {
    return {{"namespace", ": net.Net/" + layer + ": net.Block/linear: aten.linear.default"},
            {"pkg.torch.onnx.class_hierarchy",
             "['net.Net', 'net.Block', 'torch.nn.modules.linear.Linear', 'aten.linear.default']"},
            {"pkg.torch.onnx.name_scopes", "['', '" + layer + "', \"" + layer + ".fc\", 'linear']"},
            {"pkg.torch.onnx.stack_trace", stack_trace}};
}

TEST(NodeSource, ReadsWhatPyTorchNotes) {
    Node node;
    node.name = "node_linear";
    node.metadata = torch_metadata("block", trace);
    const NodeSource source = source_of(node);
    const std::vector<SourceModule> modules{
        {"", "Net"}, {"block", "Block"}, {"block.fc", "Linear"}};
    EXPECT_EQ(source.modules, modules);
    EXPECT_EQ(source.module_text(), "block.fc (Linear)");
    ASSERT_EQ(source.lines.size(), 1u);
    EXPECT_EQ(source.line_text(), "/home/me/layers.py:12");
    EXPECT_EQ(source.lines[0].function, "forward");
    EXPECT_EQ(source.lines[0].code, "return self.fc(x)");
}

TEST(NodeSource, ReadsNamespacesAlone) {
    Node node;
    node.metadata = {{"namespace", ": net.Net/fc: torch.nn.modules.linear.Linear/n: aten.add"}};
    EXPECT_EQ(source_of(node).module_text(), "fc (Linear)");
    node.metadata = {{"namespace", "encoder/layer"}};
    EXPECT_EQ(source_of(node).module_text(), "encoder.layer");
    EXPECT_TRUE(source_of(node).lines.empty());
}

TEST(NodeSource, ReadsScopesOfNames) {
    const auto module = [](const std::string& name) {
        Node node;
        node.name = name;
        return source_of(node).module_text();
    };
    EXPECT_EQ(module("/encoder/layer/query/MatMul"), "encoder.layer.query");
    EXPECT_EQ(module("/layer1/layer1.0/conv1/Conv"), "layer1.0.conv1");
    EXPECT_EQ(module("StatefulPartitionedCall/model/dense/MatMul"), "model.dense");
    EXPECT_EQ(module("Conv_3"), "");
    EXPECT_EQ(module(""), "");
    EXPECT_EQ(module("///"), "");
}

TEST(NodeSource, ReadsTracesOfTorchScript) {
    Node node;
    node.doc =
        "/usr/lib/python3/dist-packages/torch/nn/modules/conv.py(456): forward\n"
        "/home/me/net(2).py(14): forward\n/home/me/export.py(3): <module>\n";
    const NodeSource source = source_of(node);
    ASSERT_EQ(source.lines.size(), 1u);
    EXPECT_EQ(source.lines[0].file, "/home/me/net(2).py");
    EXPECT_EQ(source.lines[0].line, 14);
}

TEST(NodeSource, TakesTheInnermostFrameWhereAllAreOfTheFramework) {
    EXPECT_EQ(line_of_stack_trace("File \"/x/site-packages/torch/a.py\", line 1, in f\n    a()\n"
                                  "File \"/x/site-packages/torch/b.py\", line 2, in g\n")
                  .text(),
              "/x/site-packages/torch/b.py:2");
    // A library that is no framework is what users look at.
    EXPECT_EQ(
        line_of_stack_trace("File \"C:\\x\\site-packages\\transformers\\m.py\", line 7, in f\n"
                            "File \"C:\\x\\site-packages\\torch\\b.py\", line 2, in g\n")
            .line,
        7);
    for (const char* none : {"", "\n\n", "text", "File \"", "File \"a\", line x, in f", "(3): f",
                             "a(x): f", "File \"a\", line 99999999999999999999, in f"})
        EXPECT_EQ(line_of_stack_trace(none).line, 0) << none;
}

TEST(NodeSource, DamagedMetadataSayNothing) {
    Node node;
    node.metadata = {{"pkg.torch.onnx.name_scopes", "['a', 'b"},
                     {"pkg.torch.onnx.class_hierarchy", "['\\"},
                     {"namespace", ": "},
                     {" #2", "x"}};
    EXPECT_TRUE(source_of(node).lines.empty());
    EXPECT_TRUE(source_of(node).modules.empty());
}

/// x -> Neg -> Abs -> y, each with metadata.
Graph two_nodes() {
    Graph graph;
    GraphEdit edit(graph, "test");
    edit.set_default_version(17);
    const ValueId x = edit.add_input("x", Type::tensor(DType::f32, SymbolicShape()));
    const ValueId h = edit.add_value("h"), y = edit.add_value("y");
    edit.add_node({.op_type = "Neg",
                   .inputs = {x},
                   .outputs = {h},
                   .name = "neg",
                   .metadata = torch_metadata("a", "File \"a.py\", line 1, in f\n")});
    edit.add_node({.op_type = "Abs",
                   .inputs = {h},
                   .outputs = {y},
                   .name = "abs",
                   .metadata = torch_metadata("b", "File \"b.py\", line 2, in f\n")});
    edit.add_output(y);
    edit.record("made");
    return graph;
}

TEST(NodeSource, MergedNodesHaveTheSourcesOfAll) {
    Graph graph = two_nodes();
    GraphEdit edit(graph, "test");
    const NodeId neg = graph.nodes()[0], abs = graph.nodes()[1];
    const ValueId x = graph.inputs()[0], y = graph.outputs()[0];
    edit.take_outputs(abs);
    edit.erase(abs);
    edit.erase(neg);
    const NodeId merged = edit.add_node({.op_type = "Both", .inputs = {x}, .outputs = {y}});
    edit.record("merged");
    NodeSource source = source_of(graph.node(merged));
    EXPECT_EQ(source.line_text(), "a.py:1, b.py:2");
    EXPECT_EQ(source.module_text(), "Net") << "what both have in common";
    // Merged once more with a node of the same line: nothing twice.
    edit.take_outputs(merged);
    edit.erase(merged);
    const NodeId again = edit.add_node({.op_type = "Again", .inputs = {x}, .outputs = {y}});
    edit.record("merged again");
    EXPECT_EQ(source_of(graph.node(again)).line_text(), "a.py:1, b.py:2");
    EXPECT_EQ(graph.node(again).metadata.size(), 8u);
}

TEST(NodeSource, OneOfSeveralNewNodesKeepsWhatItsNameHad) {
    Graph graph = two_nodes();
    GraphEdit edit(graph, "test");
    edit.set_default_version(17);
    const NodeId neg = graph.nodes()[0], abs = graph.nodes()[1];
    const ValueId x = graph.inputs()[0], y = graph.outputs()[0];
    edit.take_outputs(abs);
    edit.erase(abs);
    edit.erase(neg);
    const ValueId h = edit.node("Abs", {x}, {}, "abs");
    const NodeId second =
        edit.add_node({.op_type = "Neg", .inputs = {h}, .outputs = {y}, .name = "new"});
    edit.record("swapped");
    EXPECT_EQ(source_of(graph.node(graph.value(h).producer)).line_text(), "b.py:2");
    EXPECT_EQ(source_of(graph.node(second)).line_text(), "a.py:1, b.py:2");
}

TEST(NodeSource, ManyMergedNodesKeepABoundedNumber) {
    Graph graph;
    GraphEdit edit(graph, "test");
    const ValueId x = edit.add_input("x", Type::tensor(DType::f32, SymbolicShape()));
    ValueId at = x;
    std::vector<NodeId> chain;
    for (int i = 0; i < 40; ++i) {
        const ValueId next = edit.add_value("");
        chain.push_back(edit.add_node(
            {.op_type = "Neg",
             .inputs = {at},
             .outputs = {next},
             .version = 17,
             .metadata = {{"pkg.torch.onnx.stack_trace",
                           "File \"a.py\", line " + std::to_string(i + 1) + ", in f\n"}}}));
        at = next;
    }
    edit.add_output(at);
    edit.record("made");
    edit.take_outputs(chain.back());
    for (auto id = chain.rbegin(); id != chain.rend(); ++id) edit.erase(*id);
    const NodeId merged =
        edit.add_node({.op_type = "Neg", .inputs = {x}, .outputs = {at}, .version = 17});
    edit.record("merged");
    const NodeSource source = source_of(graph.node(merged));
    EXPECT_EQ(source.lines.size(), 8u);
    EXPECT_EQ(source.line_text(), "a.py:1, a.py:2, a.py:3 and 5 more");
}

TEST(NodeSource, PathsOfNamesWithThousandsOfScopesAreBounded) {
    std::string name;
    for (int i = 0; i < 50'000; ++i) name += "block/";
    for (const bool in_metadata : {false, true}) {
        Node node;
        if (in_metadata) node.metadata = {{"namespace", name}};
        else node.name = name + "MatMul";
        const std::vector<SourceModule> modules = source_of(node).modules;
        ASSERT_EQ(modules.size(), most_source_modules);
        EXPECT_LE(modules.back().path.size(), longest_source_path);
        EXPECT_EQ(modules[1].path, "block.block");
    }
    Node node;
    node.name = "outer/" + std::string(1'000'000, 'a') + "/inner/Add";
    ASSERT_EQ(source_of(node).modules.size(), 1u);
    EXPECT_EQ(source_of(node).modules[0].path, "outer");
}

}  // namespace
}  // namespace lapidary
