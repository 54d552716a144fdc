// SPDX-License-Identifier: Apache-2.0
// No line of an edit script adds a second node of a name, which ONNX Runtime would refuse.
#include <gtest/gtest.h>

#include <memory>

#include <lapidary/base/error.h>
#include <lapidary/edit/apply_edits.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>

#include "support/pass_harness.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

using test::model_of;

/// Names of nodes in order; an unnamed node is "-".
std::string names_after(Model model, const std::string& script,
                        const std::filesystem::path& folder = {}) {
    EditScript lines = parse_edit_script(script);
    lines.folder = folder;
    apply_edits(model, lines);
    std::string text;
    for (const NodeId id : model.graph.nodes()) {
        const std::string& name = model.graph.node(id).name;
        text += (text.empty() ? "" : " ") + (name.empty() ? std::string("-") : name);
    }
    return text;
}

void expect_refused(Model model, const std::string& script, const std::string& reason) {
    try {
        apply_edits(model, parse_edit_script(script));
        ADD_FAILURE() << script << " was done";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_input) << script;
        EXPECT_NE(std::string(error.what()).find(reason), std::string::npos)
            << script << ": " << error.what();
    }
}

Model layered_model() {
    return model_of(R"((x: f32[2]) -> (y)
  a = Relu(x) as "layers.0.act"
  b = Neg(a) as "layers.2.act"
  c = Abs(b) as "last"
  y = Relu(c)
)");
}

TEST(NodeNamesOfEdits, NamesThatUsersGiveHaveToBeFree) {
    const Model model = layered_model();
    expect_refused(model, "rename node * -> a", "would both be called \"a\"");
    expect_refused(model, "rename node last -> layers.0.act", "has to be free");
    expect_refused(model, "rename scope layers.0 -> layers.2", "has to be free");
    expect_refused(model, "insert Identity on a as last", "has to be free");
    expect_refused(model, "insert Identity on a as n\ninsert Identity on b as n", "has to be free");
    EXPECT_EQ(names_after(model, "rename scope layers.0 -> layers.1\nrename node last -> first"),
              "layers.1.act layers.2.act first -");
    EXPECT_EQ(names_after(model, "rename node last -> last"), "layers.0.act layers.2.act last -");
    EXPECT_EQ(names_after(model, "rename node * -> m.*"), "m.layers.0.act m.layers.2.act m.last -")
        << "a node without a name stays without one";
}

TEST(NodeNamesOfEdits, NodesAreRenamedByWhatTheyAre) {
    const Model model = layered_model();
    EXPECT_EQ(names_after(model, "rename node op:Relu -> relu/*"),
              "relu/layers.0.act layers.2.act last -")
        << "a node without a name stays without one";
    EXPECT_EQ(names_after(model, "rename node scope:layers -> part.*"),
              "part.layers.0.act part.layers.2.act last -");
    EXPECT_EQ(names_after(model, "rename node writes:y -> end"),
              "layers.0.act layers.2.act last end");
    EXPECT_EQ(names_after(model, "rename node op:Abs -> \"*\""), "layers.0.act layers.2.act * -");
    EXPECT_EQ(names_after(model, "rename node las* -> \"a**\""), "layers.0.act layers.2.act a** -")
        << "what stands in quotes is no pattern";
    expect_refused(model, "rename node op:Relu -> same", "would both be called \"same\"");
    expect_refused(model, "rename node op:Rel -> a", "no node of the graph matches \"op:Rel\"");
    expect_refused(model, "rename node writes:y -> a/*", "has a name for the *");
    expect_refused(model, "rename node op:Abs -> *.*", "has more * than");
    expect_refused(model, "rename node \"op:Abs\" -> a", "no node is called \"op:Abs\"");
}

TEST(NodeNamesOfEdits, NamesOfInsertedNodesAreFresh) {
    EXPECT_EQ(names_after(layered_model(), "insert Neg on x\ninsert Neg on x\ninsert Neg on x"),
              "Neg_x_2 Neg_x_1 Neg_x layers.0.act layers.2.act last -");
}

TEST(NodeNamesOfEdits, ModelsWithTwoNodesOfANameStayEditable) {
    const Model model = model_of(R"((x: f32[2]) -> (y)
  a = Relu(x) as "block/same"
  b = Neg(a) as "block/same"
  y = Abs(b) as "last"
)");
    EXPECT_EQ(names_after(model, "insert Identity on a as new"), "block/same new block/same last");
    EXPECT_EQ(names_after(model, "rename scope block -> part"), "part/same part/same_1 last");
    EXPECT_EQ(names_after(model, "delete last"), "block/same block/same");
}

TEST(NodeNamesOfEdits, NodesOfBranchesModelsAndFunctionsDoNotShareNames) {
    Model model = model_of(R"((x: f32[2], c: bool[]) -> (y)
  a = Relu(x) as "n2/inner"
  r = If(c) {then_branch: graph { () -> (t)  s = Neg(a)  u = Abs(s)  t = Exp(u) as "inner" },
             else_branch: graph { () -> (e)  e = Abs(a) }} as "n2"
  y = Add(r, x) as "sum"
)");
    EXPECT_EQ(names_after(model, "resolve n2 then"), "n2/inner - - n2/inner_1 sum");

    const TemporaryFolder folder;
    save_model(model_of("(v: f32[2]) -> (w)\n t = Tanh(v)\n w = Abs(t)\n"), folder / "part.onnx");
    EXPECT_EQ(names_after(layered_model(), "replace op:Relu with model part.onnx", folder.path()),
              "- - layers.2.act last - -");

    Function function;
    function.domain = "local";
    function.name = "F";
    function.opset_imports = {{"", 17}};
    function.body = std::make_shared<Graph>(
        parse_graph("(v: f32[...]) -> (w)\n t = Tanh(v)\n s = Neg(t)\n w = Abs(s) as \"abs\"\n"));
    Model calls;
    calls.graph = parse_graph("(x: f32[2]) -> (y)\n a = local::F(x)\n y = local::F(a)\n");
    calls.opset_imports = {{"", 17}, {"local", 1}};
    calls.functions = {function};
    EXPECT_EQ(names_after(calls, "opset 21"), "- - F/abs - - F/abs_1");
}

TEST(NodeNamesOfEdits, APlaceThatFitsSeveralNodesIsRefusedWithTheNodes) {
    const Model model = layered_model();
    for (const char* line : {"insert Identity before op:Relu", "insert Identity after op:Relu",
                             "insert Identity before op:Relu.0"})
        expect_refused(model, line, "expected one node, \"op:Relu\" matches 2");
    expect_refused(model, "insert Identity before op:Conv", "no value of the graph matches");
}

}  // namespace
}  // namespace lapidary
