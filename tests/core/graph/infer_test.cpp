// SPDX-License-Identifier: Apache-2.0
// infer_types() as a whole: names, overrides, declarations, functions, repeated calls, bounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>

#include "graph/traversal.h"
#include "graph/verify.h"
#include "ops/dimensions/dim_algebra.h"
#include "support/time_budget.h"

namespace lapidary {
namespace {

Model model_of(std::string_view text, std::int64_t opset = 17) {
    Model model;
    model.opset_imports[""] = opset;
    GraphTextOptions options;
    options.opset = opset;
    model.graph = parse_graph(text, options);
    return model;
}

std::string type_of(const Model& model, std::string_view name) {
    const ValueId id = model.graph.find_value(name);
    return id ? to_string(model.graph.value(id).type) : "no such value";
}

void declare(Model& model, std::string_view name, Type type) {
    GraphEdit edit(model.graph);
    const ValueId id = model.graph.find_value(name);
    edit.set_type(id, std::move(type));
    edit.set_declared(id, true);
}

/// One encoder layer as PyTorch writes it: shapes taken apart and put together again at every
/// reshape.
std::string bert_layer(int layer, const std::string& x) {
    const std::string p = "l" + std::to_string(layer) + "_";
    std::string text;
    const auto line = [&](const std::string& s) { text += s + "\n"; };
    line(p + "shape = Shape(" + x + ")");
    line(p + "b = Gather(" + p + "shape, " + p + "i0: i64[]{0})");
    line(p + "s = Gather(" + p + "shape, " + p + "i1: i64[]{1})");
    line(p + "bu = Unsqueeze(" + p + "b, " + p + "ax: i64[1]{0})");
    line(p + "su = Unsqueeze(" + p + "s, " + p + "ax)");
    line(p + "split = Concat(" + p + "bu, " + p + "su, " + p + "heads: i64[1]{12}, " + p +
         "size: i64[1]{64}) {axis: 0}");
    line(p + "join = Concat(" + p + "bu, " + p + "su, " + p + "hidden: i64[1]{768}) {axis: 0}");
    for (const std::string part : {"q", "k", "v"}) {
        line(p + part + "0 = MatMul(" + x + ", " + p + part + "w: f32[768,768])");
        line(p + part + "1 = Add(" + p + part + "0, " + p + part + "b: f32[768])");
        line(p + part + "2 = Reshape(" + p + part + "1, " + p + "split)");
        line(p + part + "3 = Transpose(" + p + part + "2) {perm: [0," +
             (part == "k" ? "2,3,1" : "2,1,3") + "]}");
    }
    line(p + "scores = MatMul(" + p + "q3, " + p + "k3)");
    line(p + "scaled = Div(" + p + "scores, " + p + "eight: f32[]{8.0})");
    line(p + "masked = Add(" + p + "scaled, mask)");
    line(p + "weights = Softmax(" + p + "masked) {axis: -1}");
    line(p + "context = MatMul(" + p + "weights, " + p + "v3)");
    line(p + "ct = Transpose(" + p + "context) {perm: [0,2,1,3]}");
    line(p + "merged = Reshape(" + p + "ct, " + p + "join)");
    line(p + "out = MatMul(" + p + "merged, " + p + "ow: f32[768,768])");
    line(p + "res = Add(" + p + "out, " + x + ")");
    line(p + "n1 = LayerNormalization(" + p + "res, " + p + "g1: f32[768], " + p + "b1: f32[768])");
    line(p + "up = MatMul(" + p + "n1, " + p + "uw: f32[768,3072])");
    line(p + "div = Div(" + p + "up, " + p + "root: f32[]{1.414})");
    line(p + "erf = Erf(" + p + "div)");
    line(p + "one = Add(" + p + "erf, " + p + "c1: f32[]{1.0})");
    line(p + "mul = Mul(" + p + "up, " + p + "one)");
    line(p + "half = Mul(" + p + "mul, " + p + "ch: f32[]{0.5})");
    line(p + "down = MatMul(" + p + "half, " + p + "dw: f32[3072,768])");
    line(p + "res2 = Add(" + p + "down, " + p + "n1)");
    line(p + "y = LayerNormalization(" + p + "res2, " + p + "g2: f32[768], " + p + "b2: f32[768])");
    return text;
}

std::string bert(int layers) {
    std::string text =
        "(ids: i64[batch,sequence], attention: i64[batch,sequence]) -> (y)\n"
        "m1 = Unsqueeze(attention, ma: i64[2]{1, 2})\nm2 = Cast(m1) {to: 1}\nm3 = Sub(mone: "
        "f32[]{1.0}, m2)\n"
        "mask = Mul(m3, mmin: f32[]{-10000.0})\n"
        "words = Gather(table: f32[1000,768], ids)\n"
        "is = Shape(ids)\nlen = Gather(is, pi: i64[]{1})\nlu = Unsqueeze(len, pa: i64[1]{0})\n"
        "pos = Slice(positions: i64[1,512], p0: i64[1]{0}, lu, p1: i64[1]{1})\npe = Gather(ptable: "
        "f32[512,768], pos)\n"
        "e = Add(words, pe)\nx0 = LayerNormalization(e, g0: f32[768], b0: f32[768])\n";
    std::string x = "x0";
    for (int i = 0; i < layers; ++i) {
        text += bert_layer(i, x);
        x = "l" + std::to_string(i) + "_y";
    }
    return text + "y = Identity(" + x + ")\n";
}

TEST(InferTypes, BertHasNamedShapesEverywhere) {
    Model model = model_of(bert(3));
    infer_types(model);
    verify(model);
    EXPECT_TRUE(model.warnings.empty());
    std::size_t named = 0;
    for (ValueId id : model.graph.values()) {
        const Value& value = model.graph.value(id);
        ASSERT_TRUE(value.type.is_tensor() && value.type.shape) << value.name;
        for (const Dim& dim : *value.type.shape) {
            for (const std::string& name : names_in(dim)) {
                EXPECT_TRUE(name == "batch" || name == "sequence")
                    << value.name << " " << to_string(value.type);
                ++named;
            }
        }
    }
    EXPECT_GT(named, 100u);
    EXPECT_EQ(type_of(model, "l2_q3"), "f32[batch,12,sequence,64]");
    EXPECT_EQ(type_of(model, "l2_masked"), "f32[batch,12,sequence,sequence]");
    EXPECT_EQ(type_of(model, "pos"), "i64[1,min(512,sequence)]");
    EXPECT_EQ(type_of(model, "y"), "f32[batch,sequence,768]");
}

TEST(InferTypes, InputShapesMakeEverythingStatic) {
    Model model = model_of(bert(2));
    infer_types(model);
    Model run = model;
    infer_types(run, {{}, {{"ids", {2, 7}}, {"attention", {2, 7}}}});
    for (ValueId id : run.graph.values())
        EXPECT_TRUE(run.graph.value(id).type.is_static()) << run.graph.value(id).name;
    EXPECT_EQ(type_of(run, "l1_masked"), "f32[2,12,7,7]");
    EXPECT_EQ(type_of(model, "l1_masked"), "f32[batch,12,sequence,sequence]")
        << "the first model is untouched";
    EXPECT_TRUE(run.warnings.empty());
}

TEST(InferTypes, DimensionsByName) {
    Model model = model_of("(a: f32[batch,s], b: f32[batch,s]) -> (y)\ny = Concat(a, b) {axis: 1}");
    infer_types(model, {{{"batch", 4}}, {}});
    EXPECT_EQ(type_of(model, "y"), "f32[4,2*s]");
    Model other = model_of("(a: f32[batch,s], b: f32[batch,s]) -> (y)\ny = Concat(a, b) {axis: 1}");
    infer_types(other, {{}, {{"a", {3, 5}}}});
    EXPECT_EQ(type_of(other, "b"), "f32[3,5]")
        << "one input's sizes hold for the same names elsewhere";
    EXPECT_THROW(infer_types(other, {{}, {{"ghost", {3, 5}}}}), Error);
    EXPECT_THROW(infer_types(other, {{{"s", -1}}, {}}), Error);
}

TEST(InferTypes, ErrorsInGivenShapesNameTheNode) {
    Model model = model_of("(a: f32[n,4], b: f32[m,5]) -> (y)\ny = MatMul(a, b) as \"product\"");
    infer_types(model);
    try {
        infer_types(model, {{}, {{"a", {2, 4}}, {"b", {3, 5}}}});
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(
            std::string(error.what())
                .find("node \"product\" (MatMul): inner dimensions of [2,4] and [3,5] must agree"),
            std::string::npos)
            << error.what();
    }
}

TEST(InferTypes, DeclaredNamesFillWhatIsNotKnown) {
    Model model = model_of("(x: f32[n,4]) -> (y, z)\ny = NonZero(x)\nz = Relu(x)");
    declare(model, "y", Type::tensor(DType::i64, {2, Dim::symbolic("found")}));
    infer_types(model);
    EXPECT_EQ(type_of(model, "y"), "i64[2,found]");
    EXPECT_TRUE(model.warnings.empty());
}

// Declared shapes of results are not checked: sizes to which a file gives one name may differ.
TEST(InferTypes, DeclaredShapesProveNothing) {
    Model model = model_of(
        "(x: f32[n,4], s: i64[2], t: i64[m]) -> (y, z, a, b)\ny = NonZero(x)\nz = NonZero(x)\na = "
        "Reshape(x, s)\nb = "
        "Reshape(x, t)");
    declare(model, "y", Type::tensor(DType::i64, {2, Dim::symbolic("found")}));
    declare(model, "z", Type::tensor(DType::i64, {2, Dim::symbolic("found")}));
    declare(model, "a", Type::tensor(DType::f32, {4, Dim::symbolic("n")}));
    declare(model, "b", Type::tensor(DType::f32, {4, Dim::symbolic("n")}));
    for (int call = 0; call < 2; ++call) {
        infer_types(model);
        EXPECT_EQ(type_of(model, "y"), "i64[2,found]");
        EXPECT_EQ(type_of(model, "z"), "i64[2,nonzero_1]");
        EXPECT_EQ(type_of(model, "a"), "f32[reshape_0,reshape_1]");
        EXPECT_EQ(type_of(model, "b"), "f32[...]");
    }
}

TEST(InferTypes, InferredWinsOverAContradiction) {
    Model model = model_of("(x: f32[n,4]) -> (y)\ny = Relu(x)");
    declare(model, "y", Type::tensor(DType::f32, {Dim::symbolic("n"), 5}));
    infer_types(model);
    EXPECT_EQ(type_of(model, "y"), "f32[n,4]");
    ASSERT_EQ(model.warnings.size(), 1u);
    EXPECT_EQ(model.warnings[0].where, "main/value \"y\"");
    EXPECT_EQ(model.warnings[0].message, "declared as f32[n,5], inferred as f32[n,4]");
    infer_types(model);
    EXPECT_EQ(model.warnings.size(), 1u) << "a second call says nothing new";
}

TEST(InferTypes, TypesFromAnEarlierCallDoNotStick) {
    Model model = model_of("(x: f32[n,4]) -> (y)\nt = Tile(x, r: i64[2]{2, 1})\ny = Relu(t)");
    infer_types(model, {{}, {{"x", {3, 4}}}});
    EXPECT_EQ(type_of(model, "t"), "f32[6,4]");
    infer_types(model, {{}, {{"x", {5, 4}}}});
    EXPECT_EQ(type_of(model, "t"), "f32[10,4]");
    EXPECT_TRUE(model.warnings.empty());
}

TEST(InferTypes, InitializersOfOldFilesAreConstants) {
    for (const std::int64_t version : {3, 8}) {
        Model model = model_of("(x: f32[n,4], s: i64[2]) -> (y)\ny = Reshape(x, s)", 8);
        model.ir_version = version;
        GraphEdit(model.graph)
            .set_constant(model.graph.find_value("s"), Tensor::of<std::int64_t>({2}, {-1, 2}));
        infer_types(model);
        EXPECT_EQ(type_of(model, "y"), version == 3 ? "f32[2*n,2]" : "f32[reshape_0,reshape_1]");
    }
}

Function function_of(std::string name, std::string_view body) {
    Function function;
    function.domain = "local";
    function.name = std::move(name);
    function.opset_imports[""] = 17;
    function.body = std::make_shared<Graph>(parse_graph(body));
    return function;
}

TEST(InferTypes, FunctionsAreInferredAtEachCall) {
    Model model = model_of(
        "(a: f32[n,4], b: f32[m,4,5]) -> (y, z)\ny = local::Twice@1(a)\nz = local::Twice@1(b)");
    model.functions.push_back(
        function_of("Twice", "(x: f32[...]) -> (r)\nr = Concat(x, x) {axis: 0}"));
    infer_types(model);
    EXPECT_EQ(type_of(model, "y"), "f32[2*n,4]");
    EXPECT_EQ(type_of(model, "z"), "f32[2*m,4,5]");
    const Graph& body = *model.functions[0].body;
    EXPECT_EQ(to_string(body.value(body.find_value("r")).type), "f32[...]")
        << "what holds for both calls";
}

TEST(InferTypes, FunctionAttributesComeFromTheCallOrTheDefault) {
    Model model = model_of(
        "(a: f32[n,4]) -> (y, z)\ny = local::Turn@1(a) {order: [1,0]}\nz = local::Turn@1(a)");
    Function turn = function_of("Turn", "(x: f32[...]) -> (r)\nr = Transpose(x)");
    auto body = std::make_shared<Graph>(*turn.body);
    GraphEdit(*body).set_attribute(body->nodes()[0],
                                   {"perm", AttributeReference{"order", 7}, {}, {}});
    turn.body = body;
    turn.attribute_defaults = {{"order", std::vector<std::int64_t>{0, 1}, {}, {}}};
    model.functions.push_back(turn);
    infer_types(model);
    EXPECT_EQ(type_of(model, "y"), "f32[4,n]");
    EXPECT_EQ(type_of(model, "z"), "f32[n,4]");
}

TEST(InferTypes, ErrorsInFunctionsNameTheCall) {
    Model model = model_of("(a: f32[2,4]) -> (y)\ny = local::Square@1(a) as \"call\"");
    model.functions.push_back(
        function_of("Square", "(x: f32[...]) -> (r)\nr = MatMul(x, x) as \"inner\""));
    try {
        infer_types(model);
        FAIL();
    } catch (const Error& error) {
        EXPECT_TRUE(std::string(error.what())
                        .starts_with("node \"call\" (local::Square): node \"inner\" (MatMul): "))
            << error.what();
    }
}

TEST(InferTypes, FunctionsInACircleAreRefused) {
    Model model = model_of("(a: f32[2,4]) -> (y)\ny = local::A@1(a)");
    model.functions.push_back(function_of("A", "(x: f32[...]) -> (r)\nr = local::B@1(x)"));
    model.functions.push_back(function_of("B", "(x: f32[...]) -> (r)\nr = local::A@1(x)"));
    try {
        infer_types(model);
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("local::A -> local::B -> local::A"),
                  std::string::npos)
            << error.what();
    }
}

TEST(InferTypes, FunctionsThatGrowWithoutBoundAreRefused) {
    Model model = model_of("(a: f32[2,4]) -> (y)\ny = local::F0@1(a)");
    for (int i = 0; i < 30; ++i) {
        const std::string next = "local::F" + std::to_string(i + 1) + "@1";
        model.functions.push_back(
            function_of("F" + std::to_string(i),
                        "(x: f32[...]) -> (r)\nt = " + next + "(x)\nr = " + next + "(t)"));
    }
    model.functions.push_back(function_of("F30", "(x: f32[...]) -> (r)\nr = Relu(x)"));
    try {
        infer_types(model);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::limit_exceeded);
        EXPECT_NE(std::string(error.what()).find("1073741824 nodes"), std::string::npos)
            << error.what();
    }
}

TEST(InferTypes, NestedLoopsStayLinear) {
    // Each level visits its body a bounded number of times; twice per level would be 2^28 visits.
    std::string text =
        "graph { (i: i64[], c: bool[], v: f32[...]) -> (k, w)\nk = Identity(c)\nw = Relu(v)\n}";
    for (int level = 0; level < 28; ++level) {
        text =
            "graph { (i: i64[], c: bool[], v: f32[...]) -> (k, w)\nk = Identity(c)\nw = Loop(m, _, "
            "v) {body: " +
            text + "}\n}";
    }
    Model model =
        model_of("(x: f32[n,4], m: i64[]) -> (y)\ny = Loop(m, _, x) {body: " + text + "}");
    const auto start = std::chrono::steady_clock::now();
    infer_types(model);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1) * wall_factor);
    verify(model);
}

TEST(InferTypes, LongChainsNeedNoStack) {
    std::string text = "(x0: f32[n]) -> (y)\n";
    constexpr int length = 20000;
    for (int i = 0; i < length; ++i)
        text += "x" + std::to_string(i + 1) + " = Relu(x" + std::to_string(i) + ")\n";
    Model model = model_of(text + "y = Relu(x" + std::to_string(length) + ")\n");
    infer_types(model);
    EXPECT_EQ(type_of(model, "y"), "f32[n]");
}

TEST(InferTypes, CanBeCancelled) {
    std::string text = "(x0: f32[n]) -> (y)\n";
    for (int i = 0; i < 3000; ++i)
        text += "x" + std::to_string(i + 1) + " = Relu(x" + std::to_string(i) + ")\n";
    Model model = model_of(text + "y = Relu(x3000)\n");
    Progress progress;
    progress.cancel.cancel();
    try {
        infer_types(model, {}, progress);
        FAIL();
    } catch (const Error& error) { EXPECT_EQ(error.code(), ErrorCode::cancelled); }
}

TEST(InferTypes, HostileShapeVectorsAreBounded) {
    Model model = model_of(
        "() -> (y)\ns = ConstantOfShape(n: i64[1]{1000}) {value: i64[1]{1}}\ny = "
        "ConstantOfShape(s)");
    infer_types(model);
    EXPECT_EQ(type_of(model, "y"), "f32[...]") << "values of long tensors are not followed";
    Model direct = model_of("() -> (y)\ny = ConstantOfShape(n: i64[100])");
    EXPECT_THROW(infer_types(direct), Error) << "rank 100";
}

// ONNX infers the rounded-up size for all pieces but the last, which gets the rest, even where that
// is negative. Its checker would refuse a file that declares the sizes that the kernel gives to the
// pieces behind the last full one.
TEST(InferTypes, PiecesForWhichTooLittleIsLeftHaveNoKnownSize) {
    const auto pieces = [](const std::string& size) {
        Model model = model_of(
            "(x: f32[" + size + "]) -> (a, b, c, d)\na, b, c, d = Split(x) {num_outputs: 4}", 18);
        infer_types(model);
        std::string known;
        for (const char* name : {"a", "b", "c", "d"}) {
            const Dim& piece = model.graph.value(model.graph.find_value(name)).type.shape->at(0);
            known += piece.is_known() ? std::to_string(piece.value()) : "?";
        }
        return known;
    };
    EXPECT_EQ(pieces("8"), "2222");
    EXPECT_EQ(pieces("7"), "2221");
    EXPECT_EQ(pieces("5"), "22??");
    EXPECT_EQ(pieces("9"), "3330");
}

TEST(InferTypes, SubgraphsSeeCapturedValues) {
    Model model = model_of(
        "(x: f32[n,4], c: bool[]) -> (y)\ns = Shape(x)\nb = Gather(s, i: i64[1]{0})\n"
        "y = If(c) {then_branch: graph { () -> (t)\np = Concat(b, k: i64[1]{-1}) {axis: 0}\nt = "
        "Reshape(x, p)\n"
        "}, else_branch: graph { () -> (e)\ne = Neg(x)\n}}");
    infer_types(model);
    EXPECT_EQ(type_of(model, "y"), "f32[n,4]");
    std::set<std::string> inner;
    for_each_graph(model.graph, [&](const Graph& graph, const std::string& place) {
        if (place == "main") return;
        for (ValueId id : graph.values())
            inner.insert(graph.value(id).name + " " + to_string(graph.value(id).type));
    });
    EXPECT_TRUE(inner.contains("t f32[n,4]"));
    EXPECT_TRUE(inner.contains("x f32[n,4]"));
    verify(model);
}

}  // namespace
}  // namespace lapidary
