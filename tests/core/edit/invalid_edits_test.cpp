// SPDX-License-Identifier: Apache-2.0
// Edits that nothing valid comes of: what each is refused with, that it leaves the model as it was,
// and that what is written all the same is read by our own reader.
#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/edit/apply_edits.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/ops/infer.h>

#include "support/test_data.h"

namespace lapidary {
namespace {

Model model_to_break() {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(
        "(x: f32[n,4], ids: i64[2], flag: bool[], unused: f32[1])"
        " -> (y, side, count, branch, length)\n"
        "h = MatMul(x, w: f32[4,8]) as \"product\"\n"
        "r = Relu(h) as \"relu\"\n"
        "d = Dropout(r) as \"drop\"\n"
        "s = Softmax(d) {axis: 1} as \"soft\"\n"
        "y = Identity(s) as \"last\"\n"
        "side = Sigmoid(h) as \"sigmoid\"\n"
        "count = Shape(h) as \"shape\"\n"
        "branch = If(flag) {then_branch: graph { () -> (t)  t = Neg(r) },"
        " else_branch: graph { () -> (e)  e = Abs(side) }} as \"choice\"\n"
        "q = SequenceConstruct(h, r) as \"list\"\n"
        "length = SequenceLength(q) as \"len\"\n");
    infer_types(model);
    return model;
}

struct InvalidEdit {
    const char* line;
    const char* reason;  // is in the sentence
};

/// Lines that are refused whether or not an invalid model may be kept.
const InvalidEdit impossible[] = {
    // circles
    {"connect y -> product.A", "cycle of 5 nodes: node \"relu\""},
    {"connect r -> relu.X", "cycle of 1 nodes"},
    {"connect branch -> sigmoid.0", "node \"choice\" (If) -> node \"sigmoid\""},
    {"connect q -> relu.0", "cycle of 2 nodes"},
    // what nothing can stand for
    {"delete shape", "reads f32[n,8] and writes i64[2] as \"count\""},
    {"delete product", "cannot be bridged"},
    {"delete choice", "reads bool[] and writes f32[n,8]"},
    {"delete list", "writes seq(f32[n,8])"},
    {"delete op:*", "cannot be bridged"},
    {"remove input flag", "is read by node \"choice\""},
    {"remove output y, side, count, branch, length", "would have no output"},
    // names
    {"rename value h -> r", "a value is called \"r\" already"},
    {"rename output y -> side", "a value is called \"side\" already"},
    {"rename input x -> w", "a value is called \"w\" already"},
    {"rename node relu -> soft", "a node is called \"soft\" already"},
    {"rename node * -> same", "would both be called \"same\""},
    {"rename value h -> \"\"", "found an empty one"},
    {"rename node \"\" -> a", "no node is called \"\""},
    {"rename scope \"\" -> a", "within the scope"},
    {"insert Relu on h as relu", "a node is called \"relu\" already"},
    {"insert Relu on \"\"", "no value"},
    {"metadata \"\" = text", "key of an entry of the metadata is empty"},
    {"delete \"\xe7\x9b\xb8\xe5\x8a\xa0 \\\"1\\\"\"", "\xe7\x9b\xb8\xe5\x8a\xa0"},
    // sizes
    {"free x[1] as features", "the size 4 is fixed by the model"},
    {"free x[7] as other", "has no dimension 7"},
    {"free flag[0] as many", "has no dimension 0"},
    {"free x[0] as \"\"", "no name of a dimension"},
    {"dim 4 = 4", "no input has a dimension \"4\""},
    {"dim n = 99999999999999999999", "expected a size"},
    {"type input x = float[99999999999999999999,4]", "does not fit in 64 bits"},
    {"type input x = float[-1,4]", "is negative"},
    {"type input x = strange[n,4]", "no element type is called \"strange\""},
    {"type output y = float[3,3,3]", "declared f32[3,3,3], found f32[n,8]"},
    {"insert Reshape(shape=[4611686018427387904,4]) on h", "too large"},
    {"insert Expand(shape=[9223372036854775807]) on h", "too large"},
    // opsets
    {"opset 6", "the oldest is 7"},
    {"opset 7", "node \"list\" (SequenceConstruct): the operator came with opset 11"},
    {"opset 29", "the newest is 28"},
    {"opset 99999999999999999999", "expected an opset"},
    // two models
    {"split at w into a.onnx and b.onnx", "is an input or a constant"},
    {"split at s into a.onnx and b.onnx", "the second part reads \"h\""},
    {"split at q, side into a.onnx and b.onnx", "the second part reads \"r\""},
    {"split at h into a.onnx and a.onnx", "expected two files"},
    {"join same.onnx with y -> nothing", "no input \"nothing\""},
    {"join same.onnx with y -> ids", "their types are f32[n,8] and i64[2]"},
    {"join same.onnx with side -> x", "their types are f32[n,8] and f32[n,4]"},
    {"join absent.onnx", "absent.onnx"},
    {"replace relu with model same.onnx", "reads 1 and writes 1 values"},
    // attributes
    {"set soft.axis = [1]", "expected a whole number, found \"[1]\""},
    {"set soft.axis = 99999999999999999999", "expected a whole number"},
    {"set soft.axis = \"\"", "expected a whole number"},
    {"set soft.\"\" = 1", "has no attribute \"\""},
    {"set choice.then_branch = 3", "then_branch"},
    {"unset choice.then_branch", "needs the attribute \"then_branch\""},
    {"set drop.seed = inf", "expected a whole number"},
    {"insert Cast(to=[1,2]) on h", "expected an element type"},
    {"insert Cast(to=) on h", "expected NAME=VALUE"},
    // constants
    {"constant ids = 1.5", "type i64 does not have 1.5"},
    {"constant flag = 2", "type bool does not have 2"},
    {"constant unused = [1,2]", "has 2 numbers"},
    {"constant x = 1", "its sizes are not all known"},
    {"constant unused = 1e999", "no number"},
    {"input h", "computed by a node"},
    {"weight w transpose 0, 0", "no permutation"},
    {"weight w cast string", "cannot be converted"},
    {"cast model float32 -> int64", "not converted from or to i64"},
    // wrapping, branches, parts
    {"wrap x normalize [1,2,3,4] [0,0,0,0]", "nothing can be divided"},
    {"wrap y topk 99", "expected 1 to 8"},
    {"wrap length softmax", "expected a tensor of known rank"},
    {"wrap y side nms", "expected float of rank 3"},
    {"wrap y side nms overlap [0.5,0.9]", "is a list, expected one number"},
    {"delete !!relu", "expected one !"},
    {"split at r into \"\" and b.onnx", "expected the name of a file"},
    {"weight w cast string", "to type string"},
    {"resolve relu then", "is no If"},
    {"split gemm product", "is no Gemm"},
    {"expand product", "are not known"},
    {"extract from y to x", "has to be written by a node"},
};

/// Lines that can be done, but leave the model invalid.
const InvalidEdit invalid[] = {
    {"connect ids -> soft.0", "node \"soft\" (Softmax): input 0 (input) cannot be i64"},
    {"connect w -> choice.0", "node \"choice\" (If): input 0 (cond) cannot be f32"},
    {"type input x = float[n,5]", "inner dimensions of [n,5] and [4,8] must agree: 5 against 4"},
    {"type input x = int64[n,4]", "must have one type, found i64 and f32"},
    {"type input flag = float", "input 0 (cond) cannot be f32"},
    {"insert Reshape(shape=[-1,-1]) on h", "more than one -1"},
    {"insert Reshape(shape=[7]) on h", "axis 1 is out of range [-1, 0] for rank 1"},
    {"insert Relu on q", "input 0 (X) cannot be seq(f32)"},
    {"insert Relu on flag", "cannot be bool"},
    {"insert Unsqueeze(axes=[99]) on h", "axis 99 is out of range"},
    {"insert Transpose(perm=[0,0]) on h", "perm lists axis 0 twice"},
    {"insert If on flag", "the required attribute \"else_branch\" is missing"},
    {"insert Clip(min=[1,2,3]) on h", "min must be a single number, found shape [3]"},
    {"replace relu with Softmax(axis=5)", "axis 5 is out of range [-2, 1]"},
    {"replace soft with Reshape", "takes 2 inputs, found 1"},
    {"replace product with Add", "do not broadcast: 4 against 8"},
    {"set soft.axis = 9", "axis 9 is out of range"},
};

/// Lines that are no edits.
const InvalidEdit unreadable[] = {
    {"delete \"unclosed", "the quote before \"unclosed\" is not closed"},
    {"insert Relu(alpha=1 on h", "the bracket in"},
    {"type input x = float[n", "the bracket in"},
    {"delete relu relu", "expected: delete NODES [bridge|cut]"},
    {"delete", "expected: delete NODES"},
    {"deleet relu", "did you mean \"delete\"?"},
    {"resolve choice both", "expected: resolve NODES then|else"},
    {"model version = 3", "expected: model name|doc|producer|domain"},
    {"set relu = 3", "expected: set NODES.ATTRIBUTE = TEXT"},
};

class InvalidEdits : public testing::Test {
protected:
    InvalidEdits() { save_model(model_to_break(), folder_ / "same.onnx"); }

    EditScript script(const std::string& line) const {
        EditScript read = parse_edit_script(line);
        read.folder = folder_.path();
        return read;
    }
    /// The sentence by which the line is refused; empty: it was done.
    std::string refusal(const std::string& line, bool strict) const {
        Model model = model_to_break();
        const std::string before = print_graph(model.graph);
        try {
            apply_edits(model, script(line), {.strict = strict});
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::invalid_input) << line << ": " << error.what();
            EXPECT_EQ(print_graph(model.graph), before) << line << " changed the model";
            return error.what();
        }
        return {};
    }

    TemporaryFolder folder_;
};

TEST_F(InvalidEdits, AreRefusedWithTheReason) {
    for (const InvalidEdit& edit : impossible)
        for (const bool strict : {true, false}) {
            const std::string found = refusal(edit.line, strict);
            EXPECT_NE(found.find(edit.reason), std::string::npos) << edit.line << ": " << found;
            EXPECT_NE(found.find("line 1"), std::string::npos) << found;
        }
}

TEST_F(InvalidEdits, MayBeKeptWithTheReasonAtTheNode) {
    for (const InvalidEdit& edit : invalid) {
        const std::string found = refusal(edit.line, true);
        EXPECT_NE(found.find("leaves the model invalid"), std::string::npos) << edit.line;
        EXPECT_NE(found.find(edit.reason), std::string::npos) << edit.line << ": " << found;
        Model model = model_to_break();
        const EditReport report = apply_edits(model, script(edit.line), {.strict = false});
        ASSERT_FALSE(report.problems.empty()) << edit.line;
        const EditProblem& problem = report.problems.front();
        EXPECT_NE((problem.node + ": " + problem.reason).find(edit.reason), std::string::npos)
            << edit.line << ": " << problem.node << ": " << problem.reason;
        EXPECT_GE(problem.node_id, 0) << edit.line;
        EXPECT_EQ(report.lines[0].problems, report.problems) << edit.line;
        EXPECT_EQ(find_edit_problems(model), report.problems) << edit.line;
        // Who writes it without a look at the problems gets a file that the reader refuses.
        save_model(model, folder_ / "invalid.onnx");
        EXPECT_THROW(load_model(folder_ / "invalid.onnx"), Error) << edit.line;
    }
}

TEST_F(InvalidEdits, AreNoLines) {
    for (const InvalidEdit& edit : unreadable) {
        try {
            parse_edit_script(edit.line);
            ADD_FAILURE() << edit.line << " was read";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::invalid_input) << edit.line;
            EXPECT_NE(std::string(error.what()).find(edit.reason), std::string::npos)
                << edit.line << ": " << error.what();
        }
    }
    const std::string long_name(1 << 20, 'x');
    EXPECT_LT(refusal("delete " + long_name, true).size(), 2000u) << "the sentence stays short";
    EXPECT_LT(refusal("delete \"" + long_name + "\"", true).size(), 2000u);
    EXPECT_FALSE(refusal("delete " + std::string(100'000, '!') + "x", true).empty());
    EXPECT_ANY_THROW(parse_edit_script("delete " + std::string(100'000, '(')));
}

// An invalid state is a step on the way: later lines may mend it.
TEST_F(InvalidEdits, AreMendedByLaterLines) {
    Model model = model_to_break();
    const EditReport report = apply_edits(
        model,
        script("type input x = float[n,5]\nconstant unused = 1\ninsert Slice(starts=[0], "
               "ends=[4], axes=[1]) on x"),
        {.strict = false});
    EXPECT_FALSE(report.lines[0].problems.empty());
    EXPECT_TRUE(report.lines[1].problems.empty()) << "it added none";
    EXPECT_TRUE(report.problems.empty()) << report.problems.front().reason;
    save_model(model, folder_ / "mended.onnx");
    EXPECT_NO_THROW(load_model(folder_ / "mended.onnx"));
}

TEST_F(InvalidEdits, WhatLooksOddButIsValidIsReadAgain) {
    for (const char* line :
         {"delete shape cut", "delete choice cut", "delete list cut", "dim n = 0", "output q",
          "type input x = float[9223372036854775807,4]", "insert ConstantOfShape on count",
          "rename value h -> \"a \\\"b\\\"\\n\xe7\x9b\xb8\"", "rename node relu -> \"\\t\"",
          "free ids[0] as many", "resolve choice else\nremove input flag", "extract choice",
          "extract list", "split at h into a.onnx and b.onnx"}) {
        Model model = model_to_break();
        const EditReport report = apply_edits(model, script(line));
        save_model(model, folder_ / "odd.onnx");
        EXPECT_NO_THROW(load_model(folder_ / "odd.onnx")) << line;
        for (const EditPart& part : report.parts) {
            save_model(*part.model, folder_ / "part.onnx");
            EXPECT_NO_THROW(load_model(folder_ / "part.onnx")) << line;
        }
    }
}

}  // namespace
}  // namespace lapidary
