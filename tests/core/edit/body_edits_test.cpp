// SPDX-License-Identifier: Apache-2.0
// Lines of edit scripts that are applied to bodies of nodes and functions.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include <lapidary/base/error.h>
#include <lapidary/edit/apply_edits.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/ops/infer.h>

#include "support/test_data.h"

namespace lapidary {
namespace {

Model model_with_if() {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(
        "(c: bool[], x: f32[2,4]) -> (y)\n"
        "h = Abs(x) as \"absolute\"\n"
        "y = If(c) {then_branch: graph { () -> (p)  a = Relu(h) as \"inner\"  p = Exp(a) as "
        "\"last\" }, else_branch: graph { () -> (q)  q = Neg(h) as \"other\" }} as \"choice\"");
    infer_types(model);
    return model;
}

const Graph& body_of(const Model& model, std::string_view attribute) {
    for (const NodeId id : model.graph.nodes())
        for (const Attribute& known : model.graph.node(id).attributes)
            if (known.name == attribute) return *std::get<GraphPtr>(known.value);
    throw Error(ErrorCode::internal, "no such body");
}

std::string body_operators(const Graph& graph) {
    std::string text;
    for (const NodeId id : graph.nodes()) text += graph.node(id).op_type + " ";
    return text;
}

EditReport apply(Model& model, const std::string& script) {
    return apply_edits(model, parse_edit_script(script));
}

std::string body_refusal(const std::string& script) {
    Model model = model_with_if();
    const std::string before = print_graph(model.graph);
    try {
        apply(model, script);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_input) << script << ": " << error.what();
        EXPECT_EQ(print_graph(model.graph), before) << script;
        return error.what();
    }
    return {};
}

TEST(BodyEdits, ChangesTheNamedBodyAlone) {
    Model model = model_with_if();
    const EditReport report = apply(model,
                                    "in choice.then_branch delete inner\n"
                                    "in choice.else_branch insert Sqrt after other as root\n"
                                    "in choice.then_branch replace last with Sin\n");
    EXPECT_EQ(body_operators(body_of(model, "then_branch")), "Sin ");
    EXPECT_EQ(body_operators(body_of(model, "else_branch")), "Neg Sqrt ");
    EXPECT_EQ(body_operators(model.graph), "Abs If ");
    EXPECT_FALSE(report.keeps_results);
    EXPECT_EQ(report.lines[0].nodes_changed, 1u) << "the If";
    EXPECT_EQ(model.graph.history().size(), 3u);
    const TemporaryFolder folder;
    save_model(model, folder / "edited.onnx");
    const Model read = load_model(folder / "edited.onnx");
    EXPECT_EQ(body_operators(body_of(read, "else_branch")), "Neg Sqrt ");
}

TEST(BodyEdits, SetsRenamesAndReachesInnerBodies) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(
        "(c: bool[], x: f32[2,4]) -> (y)\n"
        "y = If(c) {then_branch: graph { () -> (p)  p = If(c) {then_branch: graph { () -> (r)  r = "
        "Softmax(x) {axis: 1} as \"deep\" }, else_branch: graph { () -> (s)  s = Neg(x) }} as "
        "\"second\" }, else_branch: graph { () -> (q)  q = Neg(x) }} as \"first\"");
    infer_types(model);
    apply(model,
          "in first.then_branch in second.then_branch set deep.axis = 0\n"
          "in first.then_branch in second.then_branch rename node deep -> deeper\n");
    const Graph& then_branch = body_of(model, "then_branch");
    const Graph* inner = nullptr;
    for (const Attribute& known : then_branch.node(then_branch.nodes()[0]).attributes)
        if (known.name == "then_branch") inner = std::get<GraphPtr>(known.value).get();
    ASSERT_TRUE(inner);
    const Node& deep = inner->node(inner->nodes()[0]);
    EXPECT_EQ(deep.name, "deeper");
    EXPECT_EQ(deep.int_attribute("axis", 1), 0);
}

TEST(BodyEdits, RefusesWhatABodyCannotBe) {
    EXPECT_NE(body_refusal("in choice.then_branch delete inner cut").find("inputs"),
              std::string::npos);
    EXPECT_NE(body_refusal("in choice.then_branch opset 18").find("whole model"),
              std::string::npos);
    EXPECT_NE(body_refusal("in choice.middle delete inner").find("then_branch, else_branch"),
              std::string::npos);
    EXPECT_NE(body_refusal("in choice.then_branch delete nothing").find("nothing"),
              std::string::npos);
    EXPECT_NE(body_refusal("in choice.then_branch rename value a -> x").find("around the body"),
              std::string::npos);
    EXPECT_NE(body_refusal("in choice.then_branch rename value h -> k").find("rename it there"),
              std::string::npos);
    EXPECT_NE(body_refusal("in absolute.body delete inner").find("has no body"), std::string::npos);
    EXPECT_NE(body_refusal("in function f delete inner").find("no function"), std::string::npos);
    const std::string nothing = body_refusal("in choice.then_branch in");
    EXPECT_EQ(nothing.find("line 1"), nothing.rfind("line 1")) << nothing;
    // a function belongs to the whole model, which a body of it does not reach
    EXPECT_NE(body_refusal("in choice.then_branch in function f delete inner")
                  .find("functions belong to the whole model"),
              std::string::npos);
    // what the body becomes is checked through the whole model
    EXPECT_FALSE(body_refusal("in choice.then_branch replace last with MatMul").empty());
}

TEST(BodyEdits, ALineOfTheMainGraphSaysWhereTheNodeIs) {
    EXPECT_NE(body_refusal("delete inner").find("in choice.then_branch "), std::string::npos);
}

TEST(BodyEdits, ChangesAFunctionForAllItsCalls) {
    Model model;
    model.opset_imports = {{"", 17}, {"own", 1}};
    Function function;
    function.domain = "own";
    function.name = "twice";
    function.opset_imports = {{"", 17}};
    function.body = std::make_shared<const Graph>(
        parse_graph("(a: f32[...]) -> (b)\n t = Relu(a) as \"inside\"\n b = Add(t, t) as \"sum\""));
    model.functions.push_back(std::move(function));
    model.graph = parse_graph("(x: f32[2,4]) -> (y)\n h = own::twice(x)\n y = own::twice(h)");
    infer_types(model);
    Model expanded = model;
    apply(expanded, "in function twice expand inside");
    EXPECT_EQ(body_operators(*expanded.functions[0].body), "Max Add ");
    apply(model, "in function twice delete inside");
    EXPECT_EQ(body_operators(*model.functions[0].body), "Add ");
    EXPECT_THROW(apply(model, "in function twice in function twice delete sum"), Error);
}

TEST(BodyEdits, AttributesOfCallsAreNumbersOfTheirKind) {
    Model model;
    model.opset_imports = {{"", 17}, {"own", 1}};
    auto body = std::make_shared<Graph>(parse_graph(
        "(a: f32[...]) -> (b)\n t = Relu(a) as \"inside\"\n b = LeakyRelu(t) as \"leak\""));
    GraphEdit(*body).set_attribute(body->nodes()[1],
                                   {"alpha", AttributeReference{"slope", 1}, {}, {}});
    Function function;
    function.domain = "own";
    function.name = "leaky";
    function.opset_imports = {{"", 17}};
    function.attributes = {"slope"};
    function.body = body;
    model.functions.push_back(std::move(function));
    model.graph = parse_graph("(x: f32[2,4]) -> (y)\n y = own::leaky(x) {slope: 0.5} as \"call\"");
    infer_types(model);
    apply(model, "set call.slope = 2");
    EXPECT_EQ(model.graph.node(model.graph.nodes()[0]).float_attribute("slope", 0), 2.0F);
    try {
        apply(model, "in function leaky expand inside");
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("\"alpha\" from each call"), std::string::npos)
            << error.what();
    }
}

TEST(BodyEdits, NodesOfABodyAreExpanded) {
    Model model = model_with_if();
    apply(model, "in choice.then_branch expand inner");
    EXPECT_EQ(body_operators(body_of(model, "then_branch")), "Max Exp ");
}

}  // namespace
}  // namespace lapidary
