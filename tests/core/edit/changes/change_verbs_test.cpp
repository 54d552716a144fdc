// SPDX-License-Identifier: Apache-2.0
// Lines of edit scripts that change inputs, outputs, constants and whole models: what they do, and
// that lines which cannot be done are refused with the reason and leave the model as it was.
#include <limits>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/edit/apply_edits.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/tensor/tensor_file.h>

#include "graph/verify.h"
#include "support/pass_harness.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;
using test::model_of;

Model edited_by(Model model, const std::string& text, EditReport* report = nullptr,
                const fs::path& folder = {}) {
    EditScript script = parse_edit_script(text);
    script.folder = folder;
    EditReport made = apply_edits(model, script);
    if (report != nullptr) *report = std::move(made);
    verify(model);
    return model;
}

std::string port_text(const Model& model) {
    std::string text;
    for (const bool output : {false, true}) {
        if (output) text += "-> ";
        for (const ValueId id : output ? model.graph.outputs() : model.graph.inputs())
            text += model.graph.value(id).name + ": " + to_string(model.graph.value(id).type) + " ";
    }
    return text;
}

const char* const sample_graph = R"((x: f32[1,3,4,4], s: f32[3]) -> (y, p)
  h = HardSwish(x)
  f = Reshape(h, t: i64[2]{1, 48})
  y = Gemm(f, w: f32[5,48], b: f32[5]) {transB: 1} as "fc"
  p = Mul(s, k: f32[3]{1.0, 2.0, 3.0})
)";

TEST(ChangeVerbs, EveryFormDoesWhatItSays) {
    const Model model = model_of(sample_graph);
    const std::vector<std::pair<std::string, std::string>> lines{
        {"type input s = float[3]", "x: f32[1,3,4,4] s: f32[3] -> y: f32[1,5] p: f32[3] "},
        {"free x[0] as batch", "x: f32[batch,3,4,4] s: f32[3] -> y: f32[batch,5] p: f32[3] "},
        {"constant s = 0.5", "x: f32[1,3,4,4] -> y: f32[1,5] p: f32[3] "},
        {"constant s = [1,2,3]", "x: f32[1,3,4,4] -> y: f32[1,5] p: f32[3] "},
        {"input k bare", "x: f32[1,3,4,4] s: f32[3] k: f32[3] -> y: f32[1,5] p: f32[3] "},
        {"order inputs s, x", "s: f32[3] x: f32[1,3,4,4] -> y: f32[1,5] p: f32[3] "},
        {"order outputs p", "x: f32[1,3,4,4] s: f32[3] -> p: f32[3] y: f32[1,5] "},
        {"weight w transpose 1, 0", "x: f32[1,3,4,4] s: f32[3] -> y: f32[1,5] p: f32[3] "},
        {"weight w cast float16", "x: f32[1,3,4,4] s: f32[3] -> y: f32[1,5] p: f32[3] "},
        {"cast model float -> double", "x: f64[1,3,4,4] s: f64[3] -> y: f64[1,5] p: f64[3] "},
        {"split gemm fc", "x: f32[1,3,4,4] s: f32[3] -> y: f32[1,5] p: f32[3] "},
        {"expand op:HardSwish", "x: f32[1,3,4,4] s: f32[3] -> y: f32[1,5] p: f32[3] "},
        {"wrap x normalize [1,2,3] 4", "x: u8[1,3,4,4] s: f32[3] -> y: f32[1,5] p: f32[3] "},
        {"wrap x nhwc", "x: f32[1,4,4,3] s: f32[3] -> y: f32[1,5] p: f32[3] "},
        {"wrap x resize", "x: f32[1,3,height,width] s: f32[3] -> y: f32[1,5] p: f32[3] "},
        {"wrap y softmax", "x: f32[1,3,4,4] s: f32[3] -> y: f32[1,5] p: f32[3] "},
        {"wrap y topk 2",
         "x: f32[1,3,4,4] s: f32[3] -> y: f32[1,2] y_indices: i64[1,2] p: f32[3] "},
    };
    for (const auto& [line, ports] : lines) {
        EditReport report;
        EXPECT_EQ(port_text(edited_by(model, line, &report)), ports) << line;
        EXPECT_TRUE(report.problems.empty()) << line;
    }
}

TEST(ChangeVerbs, FunctionsAreExpandedWhereTheLineSays) {
    Model model = model_of("(x: f32[4]) -> (y)\n a = Neg(x)\n y = Neg(a)\n");
    Function twice;
    twice.domain = "local";
    twice.name = "Twice";
    twice.opset_imports[""] = 17;
    twice.body = std::make_shared<const Graph>(
        parse_graph("(x: f32[4]) -> (y)\n r = Relu(x)\n y = Add(r, r)\n"));
    model.functions.push_back(std::move(twice));
    model.opset_imports["local"] = 1;
    const Model calls = edited_by(model, "replace op:Neg with function Twice");
    const Model parts = edited_by(calls, "expand writes:y");
    EXPECT_EQ(parts.graph.node_count(), 3U);
    EXPECT_EQ(test::compare_runs(calls, parts, {}), "");
    EXPECT_THROW(edited_by(parts, "expand op:Add"), Error);
}

// A function imports opsets of its own, but in a file all nodes beside functions are of one opset.
TEST(ChangeVerbs, NodesThatAreNotValidInTheModelsOpsetAreRefused) {
    // Whether its scales shrink decides what the node is in later opsets: it cannot be converted.
    Model calls = model_of("(x: f32[1,1,2,2], s: f32[4]) -> (y)\n y = local::Grown(x, s)\n");
    Function grown;
    grown.domain = "local";
    grown.name = "Grown";
    grown.opset_imports[""] = 10;
    grown.body = std::make_shared<const Graph>(
        parse_graph("(x: f32[1,1,2,2], s: f32[4]) -> (y)\n y = Resize(x, s)\n", {.opset = 10}));
    calls.functions.push_back(std::move(grown));
    try {
        edited_by(calls, "expand writes:y");
        FAIL() << "a Resize without scales in the model's opset was taken";
    } catch (const Error& error) {
        EXPECT_NE(error.message().find("the form of opset 10"), std::string::npos)
            << error.message();
        EXPECT_NE(error.message().find("one of scales and sizes must be given"), std::string::npos)
            << error.message();
    }
    const EditReport kept =
        apply_edits(calls, parse_edit_script("expand writes:y"), {.strict = false});
    ASSERT_EQ(kept.problems.size(), 1U);
    const NodeId resize = calls.graph.nodes().front();
    EXPECT_EQ(kept.problems.front().node, calls.graph.node(resize).describe());
    EXPECT_EQ(find_edit_problems(calls).size(), 1U);
}

TEST(ChangeVerbs, ExpandedNodesLeaveNoUnusedConstants) {
    const Model model = model_of("(x: f32[4]) -> (y)\n y = Gelu(x)\n", 20);
    const Model parts = edited_by(model, "expand op:Gelu");
    for (const ValueId id : parts.graph.values())
        EXPECT_FALSE(parts.graph.value(id).is_constant() && parts.graph.value(id).is_unused())
            << parts.graph.value(id).name;
}

TEST(ChangeVerbs, DescriptionsAreSet) {
    const Model model = edited_by(model_of(sample_graph),
                                  "metadata author = \"A. Person\"\nmodel doc = second\n"
                                  "model name = net\nmodel producer = hand\nmodel domain = org");
    EXPECT_EQ(model.metadata, (StringPairs{{"author", "A. Person"}}));
    EXPECT_EQ(model.doc + model.graph.name() + model.producer_name + model.domain,
              "secondnethandorg");
    EXPECT_TRUE(edited_by(model, "metadata author removed").metadata.empty());
}

TEST(ChangeVerbs, FilesAreReadFromTheFolderOfTheScript) {
    const fs::path folder = fs::path(testing::TempDir()) / "lapidary_change_verbs";
    fs::create_directories(folder);
    save_npy(folder / "k.npy", Tensor::of<float>({3}, {7, 8, 9}));
    save_npy(folder / "wrong.npy", Tensor::of<float>({4}, {7, 8, 9, 10}));
    const Model model = model_of(sample_graph);
    const Model weighted = edited_by(model, "weight k = k.npy", nullptr, folder);
    EXPECT_EQ(to_doubles(*weighted.graph.value(weighted.graph.find_value("k")).constant),
              (std::vector<double>{7, 8, 9}));
    edited_by(model, "constant s = k.npy", nullptr, folder);
    EXPECT_THROW(edited_by(model, "weight k = wrong.npy", nullptr, folder), Error);
    // of an archive: the array of the constant's name, or the only one
    save_npz(folder / "one.npz", {{"any", Tensor::of<float>({3}, {7, 8, 9})}});
    save_npz(folder / "two.npz",
             {{"a", Tensor::of<float>({3}, {1, 2, 3})}, {"k", Tensor::of<float>({3}, {7, 8, 9})}});
    save_npz(folder / "none.npz",
             {{"a", Tensor::of<float>({3}, {1, 2, 3})}, {"b", Tensor::of<float>({3}, {7, 8, 9})}});
    for (const char* line : {"weight k = one.npz", "weight k = two.npz"}) {
        const Model archived = edited_by(model, line, nullptr, folder);
        EXPECT_EQ(to_doubles(*archived.graph.value(archived.graph.find_value("k")).constant),
                  (std::vector<double>{7, 8, 9}))
            << line;
    }
    EXPECT_THROW(edited_by(model, "weight k = none.npz", nullptr, folder), Error);
    EXPECT_THROW(edited_by(model, "constant s = wrong.npy", nullptr, folder), Error);
    EXPECT_THROW(edited_by(model, "weight k = absent.npy", nullptr, folder), Error);

    EditReport report;
    const Model first = edited_by(model, "split at f, p into a.onnx and b.onnx", &report, folder);
    ASSERT_EQ(report.parts.size(), 2U);
    EXPECT_EQ(report.parts[1].file, folder / "b.onnx");
    save_model(*report.parts[1].model, folder / "b.onnx");
    const Model joined = edited_by(first, "join b.onnx with f -> f", nullptr, folder);
    EXPECT_EQ(test::compare_runs(edited_by(model, "order outputs p"), joined, {}), "");
    fs::remove_all(folder);
}

TEST(ChangeVerbs, NumbersOfConstantsFitTheTypeOfTheInput) {
    const Model model = model_of(R"((c: bool[2], f: f32[], h: f16[], i: i8[]) -> (y, g, k, j)
  y = Not(c)
  g = Neg(f)
  k = Neg(h)
  j = Neg(i)
)");
    const std::vector<std::pair<std::string, std::vector<double>>> fitting{
        {"c = true", {1, 1}},
        {"c = [false, 1]", {0, 1}},
        {"c = 0", {0, 0}},
        {"f = 1e30", {1e30F}},
        {"h = 65504", {65504}},
        {"i = -128", {-128}},
        {"f = inf", {std::numeric_limits<double>::infinity()}}};
    for (const auto& [text, values] : fitting) {
        const Model made = edited_by(model, "constant " + text);
        const Value& value = made.graph.value(made.graph.find_value(text.substr(0, 1)));
        ASSERT_TRUE(value.is_constant()) << text;
        EXPECT_EQ(to_doubles(*value.constant), values) << text;
    }
    for (const char* text : {"c = 5", "c = NaN", "c = 0.5", "f = 1e300", "f = true", "h = 70000",
                             "i = nan", "i = 128"})
        EXPECT_THROW(edited_by(model, std::string("constant ") + text), Error) << text;
}

TEST(ChangeVerbs, LinesThatCannotBeDoneAreRefused) {
    const Model model = model_of(sample_graph);
    const std::string before = print_graph(model.graph);
    for (const char* line : {"type input q = float[3]",
                             "type output s = float[3]",
                             "type input s = flaot[3]",
                             "type input s = float[3",
                             "type input s = float[-1]",
                             "type input s = float[4]",
                             "type output y = float16[1,5]",
                             "type output y = float[1,6]",
                             "type output y = float[1,5,1]",
                             "type input s = int64[3]",
                             "free x as n",
                             "free x[4] as n",
                             "free x[-5] as n",
                             "free x[0] as 7",
                             "free q[0] as n",
                             "free x[0,1] as n",
                             "free x[a] as n",
                             "constant s = [1,2]",
                             "constant s = 1,",
                             "constant s = text",
                             "constant q = 1",
                             "constant y = 1",
                             "constant s = absent.npy",
                             "input x",
                             "input y",
                             "input q",
                             "input h bare",
                             "order inputs q",
                             "order inputs x, x",
                             "order outputs x",
                             "weight q = w.npy",
                             "weight x = w.npy",
                             "weight w = w.bin",
                             "weight w transpose 0, 0",
                             "weight w transpose 0, 2",
                             "weight w transpose 0",
                             "weight w transpose 0, 1, 2",
                             "weight w transpose a, b",
                             "weight y transpose 1, 0",
                             "weight w cast float",
                             "weight w cast string",
                             "weight w cast nothing",
                             "cast model float -> float",
                             "cast model float -> int64",
                             "cast model int64 -> float",
                             "split at q into a.onnx and b.onnx",
                             "split at x into a.onnx and b.onnx",
                             "split at y, p into a.onnx and b.onnx",
                             "split gemm op:HardSwish",
                             "split gemm q",
                             "join absent.onnx",
                             "wrap q softmax",
                             "wrap x softmax",
                             "wrap y topk 0",
                             "wrap y topk 6",
                             "wrap y topk a",
                             "wrap x normalize [1,2] 1",
                             "wrap x normalize [1,2,3] 0",
                             "wrap x normalize 0 1 axis 4",
                             "wrap s nhwc",
                             "wrap s resize",
                             "wrap y p nms",
                             "resolve fc then",
                             "resolve q else",
                             "expand fc",
                             "metadata q removed"})
        try {
            Model copy = model;
            apply_edits(copy, parse_edit_script(line));
            ADD_FAILURE() << line << ": was done";
        } catch (const Error& error) {
            EXPECT_NE(error.code(), ErrorCode::internal) << line << ": " << error.what();
            EXPECT_FALSE(error.message().empty()) << line;
        }
    EXPECT_EQ(print_graph(model.graph), before);
}

}  // namespace
}  // namespace lapidary
