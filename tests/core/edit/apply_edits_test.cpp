// SPDX-License-Identifier: Apache-2.0
// What each verb of edit scripts does, and what it refuses.
#include <gtest/gtest.h>

#include <algorithm>

#include <lapidary/base/error.h>
#include <lapidary/edit/apply_edits.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/internal/text_file.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/ops/infer.h>

#include "support/test_data.h"

namespace lapidary {
namespace {

Model small_model() {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(
        "(x: f32[n,4], unused: f32[1]) -> (y, side)\n"
        "h = MatMul(x, w: f32[4,8]) as \"product\"\n"
        "r = Relu(h) as \"relu\"\n"
        "d = Dropout(r) as \"drop\"\n"
        "s = Softmax(d) {axis: 1} as \"soft\"\n"
        "y = Identity(s) as \"last\"\n"
        "side = Sigmoid(h) as \"sigmoid\"");
    infer_types(model);
    return model;
}

EditReport edit(Model& model, const std::string& script, bool strict = true) {
    EditOptions options;
    options.strict = strict;
    return apply_edits(model, parse_edit_script(script), options);
}

std::string operators(const Model& model) {
    std::string text;
    for (const NodeId id : model.graph.nodes()) text += model.graph.node(id).op_type + " ";
    return text;
}

std::string refusal(const std::string& script) {
    Model model = small_model();
    const std::string before = print_graph(model.graph);
    try {
        edit(model, script);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_input) << script << ": " << error.what();
        EXPECT_EQ(print_graph(model.graph), before) << script;
        return error.what();
    }
    return {};
}

TEST(ApplyEdits, DeletesAndBridges) {
    Model model = small_model();
    const EditReport report = edit(model, "delete op:Dropout\ndelete last");
    EXPECT_EQ(operators(model), "MatMul Relu Softmax Sigmoid ");
    EXPECT_TRUE(report.keeps_results);
    EXPECT_EQ(report.lines[0].nodes_removed, 1u);
    EXPECT_EQ(model.graph.value(model.graph.outputs()[0]).name, "y") << "the output keeps its name";
    EXPECT_EQ(model.graph.history().size(), 2u);
    EXPECT_EQ(model.graph.history()[0].pass, "edit");
    EXPECT_FALSE(edit(model, "delete relu").keeps_results);
}

TEST(ApplyEdits, CutsWhatCannotBeBridged) {
    EXPECT_NE(refusal("delete product").find("cannot be bridged"), std::string::npos);
    Model model = small_model();
    edit(model, "delete product cut");
    EXPECT_EQ(operators(model), "Relu Dropout Softmax Identity Sigmoid ");
    const ValueId h = model.graph.find_value("h");
    EXPECT_EQ(model.graph.value(h).kind, ValueKind::input);
    EXPECT_FALSE(model.graph.find_value("w")) << "its constant went too";
}

TEST(ApplyEdits, InsertsOnBeforeAndAfter) {
    Model model = small_model();
    const EditReport report = edit(model,
                                   "insert Clip(min=0, max=6) on h as clip\n"
                                   "insert Neg before soft\ninsert Abs after relu\n"
                                   "insert Cast(to=f64) on side");
    EXPECT_EQ(model.graph.node_count(), 10u);
    for (const char* op : {"Clip ", "Neg ", "Abs ", "Cast "})
        EXPECT_NE(operators(model).find(op), std::string::npos) << op;
    const Value& side = model.graph.value(model.graph.outputs()[1]);
    EXPECT_EQ(side.name, "side");
    EXPECT_EQ(to_string(side.type), "f64[n,8]");
    EXPECT_EQ(report.lines[0].values_added, 3u);
    EXPECT_FALSE(report.keeps_results);
}

TEST(ApplyEdits, ANodeWithoutANameGetsOne) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph("(x: f32[2]) -> (y)\nh = Relu(x)\ny = Neg(h) as \"last\"");
    const NodeId first = model.graph.nodes().front();
    const std::string number = "index:" + std::to_string(first.index);
    edit(model, "rename node " + number + " -> activation");
    EXPECT_EQ(model.graph.node(first).name, "activation");
    EXPECT_THROW(edit(model, "rename node " + number + " -> last"), Error) << "the name is taken";
    EXPECT_THROW(edit(model, "rename node index:99 -> other"), Error);
}

// A name that begins with the operator would be a scope that no module has.
TEST(ApplyEdits, AnInsertedNodeStaysInTheScopeOfWhatItReads) {
    Model model;
    model.opset_imports[""] = 17;
    GraphEdit made(model.graph);
    made.set_default_version(17);
    const ValueId x = made.add_input("x", Type::tensor(DType::f32, {Dim(2)}));
    const ValueId inner = made.node("Relu", {x}, {}, "/block/relu", "/block/out");
    made.add_output(made.node("Neg", {inner}, {}, "neg", "y"));
    made.finish();
    infer_types(model);
    edit(model, "insert Abs after /block/relu\ninsert Abs on y");
    std::vector<std::string> names;
    for (const NodeId id : model.graph.nodes())
        if (model.graph.node(id).op_type == "Abs") names.push_back(model.graph.node(id).name);
    EXPECT_EQ(names, (std::vector<std::string>{"/block/Abs_out", "Abs_y"}));
}

TEST(ApplyEdits, ReplacesAndSetsAttributes) {
    Model model = small_model();
    edit(model, "replace relu with LeakyRelu(alpha=0.2)\nset soft.axis = 0\nunset soft.axis");
    EXPECT_EQ(operators(model), "MatMul LeakyRelu Dropout Softmax Identity Sigmoid ");
    const NodeId leaky = model.graph.nodes()[1];
    EXPECT_FLOAT_EQ(model.graph.node(leaky).float_attribute("alpha", 0), 0.2f);
    EXPECT_FALSE(model.graph.node(model.graph.nodes()[3]).has_attribute("axis"));
}

TEST(ApplyEdits, Renames) {
    Model model = small_model();
    edit(model,
         "rename input x -> image\nrename output y -> scores\nrename node s* -> my_s*\n"
         "rename value r -> \"odd name\"");
    EXPECT_TRUE(model.graph.find_value("image"));
    EXPECT_TRUE(model.graph.find_value("odd name"));
    EXPECT_EQ(model.graph.value(model.graph.outputs()[0]).name, "scores");
    EXPECT_EQ(model.graph.node(model.graph.nodes()[3]).name, "my_soft");
}

TEST(ApplyEdits, ChangesEdgesInputsAndOutputs) {
    Model model = small_model();
    edit(model,
         "connect h -> soft.input\noutput r\nremove input unused\nremove output side\n"
         "keep outputs r");
    EXPECT_EQ(operators(model), "MatMul Relu Dropout ") << "the Dropout led to no output before";
    EXPECT_EQ(model.graph.inputs().size(), 1u);
    EXPECT_EQ(model.graph.outputs().size(), 1u);
}

TEST(ApplyEdits, FixesDimensionsAndOpset) {
    Model model = small_model();
    const EditReport report = edit(model, "dim n = 3\nopset 21");
    EXPECT_EQ(to_string(model.graph.value(model.graph.outputs()[0]).type), "f32[3,8]");
    EXPECT_GE(report.lines[0].type_count, 5u);
    EXPECT_EQ(model.opset(), 21);
    edit(model, "extract relu");
    EXPECT_EQ(operators(model), "Relu ");
}

TEST(ApplyEdits, ReplacesByAModelAndKeepsWhatLiesBetween) {
    const TemporaryFolder folder;
    Model part;
    part.opset_imports[""] = 17;
    part.graph = parse_graph("(a: f32[n,8]) -> (b)\nt = Tanh(a) as \"tanh\"\nb = Abs(t)");
    save_model(part, folder / "part.onnx");
    Model model = small_model();
    EditScript script = parse_edit_script("replace relu with model part.onnx");
    script.folder = folder.path();
    apply_edits(model, script);
    EXPECT_EQ(model.graph.node_count(), 7u);
    EXPECT_TRUE(model.graph.find_value("r")) << "the output keeps its name";
    edit(model, "extract from h to d");
    EXPECT_EQ(model.graph.node_count(), 3u);
    ASSERT_EQ(model.graph.inputs().size(), 1u);
    EXPECT_EQ(model.graph.value(model.graph.inputs()[0]).name, "h");
    EXPECT_FALSE(refusal("extract from r to side").empty()) << "side needs x";
    EXPECT_FALSE(refusal("extract from y to h").empty());
    EXPECT_FALSE(refusal("replace relu with model nothing.onnx").empty());
    EXPECT_FALSE(refusal("replace relu with function nothing").empty());
}

TEST(ApplyEdits, RulesOfAFileAreAppliedWhereverTheyMatch) {
    const TemporaryFolder folder;
    save_text(folder / "my.rules",
              "rule leaky\nmatch\n  y = Relu(x)\nreplace\n  y = LeakyRelu(x, alpha=0.25)\n"
              "rule never\nmatch\n  y = Cos(x)\nreplace\n  y = Sin(x)\n");
    save_text(folder / "mistake.rules", "rule leaky\nmatch\n  y = Relu(x\n");
    Model model = small_model();
    const auto apply = [&](const char* line) {
        EditScript script = parse_edit_script(line);
        script.folder = folder.path();
        return apply_edits(model, script);
    };
    const EditReport report = apply("rules my.rules");
    EXPECT_NE(operators(model).find("LeakyRelu "), std::string::npos) << operators(model);
    EXPECT_EQ(model.graph.node_count(), 6u);
    EXPECT_EQ(report.lines[0].notes, (std::vector<std::string>{"Rule \"leaky\": 1 rewrite.",
                                                               "Rule \"never\": 0 rewrites."}));
    EXPECT_FALSE(report.keeps_results);
    EXPECT_EQ(to_string(model.graph.value(model.graph.find_value("r")).type), "f32[n,8]");
    const auto refused = [&](const char* line) -> std::string {
        try {
            apply(line);
        } catch (const Error& error) { return error.what(); }
        return {};
    };
    EXPECT_NE(refused("rules my.rules").find("applies to the model"), std::string::npos)
        << "the second time nothing matches";
    EXPECT_NE(refused("rules mistake.rules").find("mistake.rules:3:"), std::string::npos);
    EXPECT_FALSE(refused("rules absent.rules").empty());
}

TEST(ApplyEdits, TypesAreThoseOfInferenceOfTheWholeModel) {
    for (const char* script :
         {"delete drop", "delete product cut", "insert Transpose(perm=[1,0]) on h",
          "insert Shape on y", "insert Cast(to=f64) before relu",
          "insert ReduceSum(keepdims=0) on y", "replace soft with Softsign",
          "connect x -> sigmoid.0", "insert Reshape(shape=[-1,2]) on r",
          "insert Flatten(axis=0) before relu", "dim n = 5"}) {
        Model model = small_model();
        ASSERT_NO_THROW(edit(model, script)) << script;
        Model whole = model;
        infer_types(whole);
        for (const ValueId id : model.graph.values())
            EXPECT_EQ(to_string(model.graph.value(id).type), to_string(whole.graph.value(id).type))
                << script << ": " << model.graph.value(id).name;
    }
}

// Of a chain of sizes that are computed, where an edit infers as little as it can.
TEST(ApplyEdits, TypesBesideComputedSizesAreThoseOfTheWholeModelToo) {
    for (const char* script :
         {"insert Identity on a", "insert Relu before shape", "delete relu", "delete relu cut",
          "insert Cast(to=f16) on a", "insert Transpose(perm=[1,0]) on a", "delete reshape",
          "insert Identity on sizes", "insert Unsqueeze(axes=[0]) before shape",
          "rename value a -> b", "rename node * -> part/*", "metadata key = text"}) {
        Model model;
        model.opset_imports[""] = 17;
        model.graph = parse_graph(
            "(x: f32[n,4]) -> (y)\n"
            "a = Relu(x) as \"relu\"\n"
            "sizes = Shape(a) as \"shape\"\n"
            "half = Sigmoid(a) as \"half\"\n"
            "r = Reshape(half, sizes) as \"reshape\"\n"
            "y = Add(r, a) as \"sum\"");
        infer_types(model);
        try {
            edit(model, script);
        } catch (const Error&) { continue; }  // what does not fit is refused
        Model whole = model;
        infer_types(whole);
        for (const ValueId id : model.graph.values())
            EXPECT_EQ(to_string(model.graph.value(id).type), to_string(whole.graph.value(id).type))
                << script << ": " << model.graph.value(id).name;
    }
}

TEST(ApplyEdits, ADryRunLeavesTheModel) {
    Model model = small_model();
    const std::string before = print_graph(model.graph);
    const EditReport report =
        apply_edits(model, parse_edit_script("delete drop"), {.dry_run = true});
    EXPECT_EQ(report.nodes_after, 5u);
    EXPECT_EQ(print_graph(model.graph), before);
}

TEST(ApplyEdits, AnInvalidStateIsKeptWithItsReason) {
    const std::string line = "connect unused -> product.B";
    EXPECT_NE(refusal(line).find("leaves the model invalid"), std::string::npos);
    Model model = small_model();
    const EditReport report = edit(model, line, false);
    ASSERT_FALSE(report.problems.empty());
    EXPECT_NE(report.problems[0].node.find("product"), std::string::npos);
    EXPECT_GE(report.problems[0].node_id, 0);
    EXPECT_FALSE(find_edit_problems(model).empty());
}

TEST(ApplyEdits, RefusesWithAReason) {
    for (const char* script : {"delete nothing",
                               "delete op:Conv",
                               "delete Relu*",
                               "delete scope:x",
                               "delete index:77",
                               "delete op:Relu & op:Softmax",
                               "delete product bridge",
                               "delete \"*\"",
                               "insert Nonsense on h",
                               "insert Relu on nothing",
                               "insert Cast(to=1.5) on h",
                               "insert Cast(to=99) on h",
                               "insert Cast on h",
                               "insert Cast(too=1) on h",
                               "insert Relu(alpha=1) on h",
                               "insert Relu on *",
                               "insert MatMul on h",
                               "insert Clip(min=zero) on h",
                               "insert nowhere::Op on h",
                               "insert Gelu on h",
                               "insert Relu before product.B.C",
                               "insert Relu before product.7",
                               "insert Relu after nothing",
                               "insert Transpose(perm=[0,5]) on h",
                               "insert Concat(axis=9) on h",
                               "replace relu with Softmax(axis=text)",
                               "replace relu with MatMul",
                               "replace nothing with Relu",
                               "replace relu with Rely",
                               "set soft.axis = 9",
                               "set soft.axis = text",
                               "set soft.axis = 1.5",
                               "set soft.axiss = 1",
                               "set soft.axis = [1,2]",
                               "set nothing.axis = 1",
                               "set relu.alpha = 1",
                               "unset soft.mode",
                               "unset relu.alpha",
                               "rename value nothing -> y",
                               "rename value x -> h",
                               "rename node nothing -> a",
                               "rename input y -> a",
                               "rename output x -> a",
                               "rename scope none -> a",
                               "rename value * -> same",
                               "connect nothing -> soft.0",
                               "connect h -> soft.mask",
                               "connect h -> soft.9",
                               "connect y -> relu.0",
                               "connect d -> soft.0",
                               "disconnect soft.0",
                               "disconnect soft.4",
                               "output y",
                               "output x",
                               "output nothing*",
                               "remove output nothing",
                               "remove output y, side",
                               "remove input x",
                               "remove input nothing",
                               "keep outputs nothing",
                               "dim m = 3",
                               "dim n = -1",
                               "dim n = many",
                               "opset 17",
                               "opset 99",
                               "opset x",
                               "extract nothing"}) {
        EXPECT_FALSE(refusal(script).empty()) << script << " was done";
    }
}

TEST(ApplyEdits, WhatIsDoneCanBeSavedAndRead) {
    const TemporaryFolder folder;
    const std::string file = (folder / "edited.onnx").string();
    for (const char* script :
         {"delete drop", "delete product cut", "delete last", "delete sigmoid cut",
          "insert Clip(min=0, max=6) on h", "insert Reshape(shape=[-1,2]) on y",
          "replace relu with Sigmoid", "output r", "keep outputs side", "dim n = 2", "opset 20",
          "insert com.microsoft::Gelu on h", "rename input x -> \"a b\"", "extract relu"}) {
        Model model = small_model();
        ASSERT_NO_THROW(edit(model, script)) << script;
        save_model(model, file);
        ASSERT_NO_THROW(load_model(file)) << script;
    }
}

}  // namespace
}  // namespace lapidary
