// SPDX-License-Identifier: Apache-2.0
// Changes of inputs, outputs, constants and dimensions: what the model is afterwards, that results
// stay where they should, and that what does not fit is refused with the reason.
#include <gtest/gtest.h>

#include <functional>

#include <lapidary/base/error.h>
#include <lapidary/exec/session.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/ops/infer.h>

#include "edit/changes/free_dimension.h"
#include "edit/changes/port_changes.h"
#include "edit/changes/weight_changes.h"
#include "graph/verify.h"
#include "support/pass_harness.h"

namespace lapidary {
namespace {

using test::compare_runs;
using test::model_of;

/// Edits a copy as one rewrite, infers its types and checks its invariants.
Model changed(const Model& model, const std::function<void(GraphEdit&)>& change) {
    Model copy = model;
    GraphEdit edit(copy.graph, "edit");
    change(edit);
    edit.record("changed");
    infer_types(copy);
    verify(copy);
    return copy;
}

/// The message of the error that a change of this model throws; empty: it throws none.
std::string refusal(const Model& model, const std::function<void(GraphEdit&)>& change) {
    try {
        changed(model, change);
    } catch (const Error& error) {
        EXPECT_NE(error.code(), ErrorCode::internal) << error.what();
        return error.message();
    }
    return {};
}

void expect_refused(const Model& model, const std::string& part,
                    const std::function<void(GraphEdit&)>& change) {
    EXPECT_NE(refusal(model, change).find(part), std::string::npos)
        << refusal(model, change) << "\nexpected: " << part;
}

std::string type_of_value(const Model& model, std::string_view name) {
    return to_string(model.graph.value(model.graph.find_value(name)).type);
}

std::vector<std::string> names_of(const Graph& graph, std::span<const ValueId> values) {
    std::vector<std::string> names;
    for (const ValueId id : values) names.push_back(graph.value(id).name);
    return names;
}

std::size_t count_of(const Graph& graph, std::string_view op) {
    std::size_t count = 0;
    for (const NodeId id : graph.nodes()) count += graph.node(id).op_type == op ? 1 : 0;
    return count;
}

const char* const gemm = R"((x: f32[2,3], s: f32[4]) -> (y, z)
  y = Gemm(x, w: f32[4,3], b: f32[4]) {transB: 1}
  z = Add(y, s)
)";

TEST(PortChanges, TypesAreReadAndWrongOnesAreNamed) {
    EXPECT_EQ(to_string(read_port_type("float[N,3,224,?]")), "f32[N,3,224,?]");
    EXPECT_EQ(to_string(read_port_type(" f16 [ 1, batch ] ")), "f16[1,batch]");
    EXPECT_EQ(read_port_type("int64[]").shape->size(), 0U);
    EXPECT_FALSE(read_port_type("bool").has_shape());
    EXPECT_EQ(to_string(read_port_type("float64[2]")), "f64[2]");
    EXPECT_EQ(to_string(read_port_type("float32[2]")), "f32[2]");
    for (const char* text : {"", "floot[1]", "float[1", "float[1,,2]", "float[-3]", "float[,]",
                             "float[99999999999999999999]", "float[1,]"})
        EXPECT_THROW(read_port_type(text), Error) << text;
}

TEST(PortChanges, AnInputTakesAnotherTypeAndInferenceFollows) {
    const Model model = model_of("(x: f32[2,3]) -> (y)\n y = Relu(x)\n");
    Model copy = model;
    GraphEdit edit(copy.graph, "edit");
    change_port_type(edit, "x", false, read_port_type("float16[2,3]"));
    edit.finish();
    EXPECT_EQ(type_of_value(copy, "x"), "f16[2,3]");
}

TEST(PortChanges, WhatAnOutputCannotBeIsRefused) {
    const Model model = model_of(gemm);
    const auto output = [](const char* type) {
        return [type](GraphEdit& edit) { change_port_type(edit, "z", true, read_port_type(type)); };
    };
    EXPECT_EQ(refusal(model, output("float[2,4]")), "");
    EXPECT_EQ(refusal(model, output("float")), "");
    expect_refused(model, "declared f16[2,4], found f32[2,4]", output("float16[2,4]"));
    expect_refused(model, "dimension 1 differs", output("float[2,5]"));
    expect_refused(model, "found f32[2,4]", output("float[2,4,1]"));
    expect_refused(model, "no output \"w\"; there are \"y\", \"z\"", [](GraphEdit& edit) {
        change_port_type(edit, "w", true, read_port_type("float[2]"));
    });
}

TEST(PortChanges, AnInputBecomesAConstantAndBack) {
    const Model model = model_of(gemm);
    const Tensor value = Tensor::of<float>({4}, {1, 2, 3, 4});
    const Model fixed =
        changed(model, [&](GraphEdit& edit) { make_input_constant(edit, "s", value); });
    EXPECT_EQ(names_of(fixed.graph, fixed.graph.inputs()), std::vector<std::string>{"x"});
    EXPECT_TRUE(fixed.graph.value(fixed.graph.find_value("s")).is_constant());
    const Model open =
        changed(fixed, [](GraphEdit& edit) { make_constant_input(edit, "s", true); });
    EXPECT_EQ(names_of(open.graph, open.graph.inputs()), (std::vector<std::string>{"x", "s"}));
    EXPECT_TRUE(same_contents(*open.graph.value(open.graph.find_value("s")).constant, value));
    EXPECT_EQ(compare_runs(fixed, open, {}), "");
    const Model bare =
        changed(fixed, [](GraphEdit& edit) { make_constant_input(edit, "s", false); });
    EXPECT_FALSE(bare.graph.value(bare.graph.find_value("s")).constant);
}

TEST(PortChanges, ConstantsThatDoNotFitAreRefused) {
    const Model model = model_of(gemm);
    expect_refused(model, "found f32[5]", [](GraphEdit& edit) {
        make_input_constant(edit, "s", Tensor::of<float>({5}, {1, 2, 3, 4, 5}));
    });
    expect_refused(model, "found i64[4]", [](GraphEdit& edit) {
        make_input_constant(edit, "s", Tensor::of<std::int64_t>({4}, {1, 2, 3, 4}));
    });
    expect_refused(model, "no input \"w\"",
                   [](GraphEdit& edit) { make_input_constant(edit, "w", Tensor::scalar(1.0F)); });
    expect_refused(model, "no constant \"v\"",
                   [](GraphEdit& edit) { make_constant_input(edit, "v", true); });
    expect_refused(model, "computed by a node",
                   [](GraphEdit& edit) { make_constant_input(edit, "y", true); });
    expect_refused(model, "an input",
                   [](GraphEdit& edit) { make_constant_input(edit, "x", true); });
}

TEST(PortChanges, PortsAreReordered) {
    const Model model = model_of(R"((a: f32[2], b: f32[2], c: f32[2], k: bool[]) -> (y, z)
  y = Sub(a, b)
  z = If(k) {then_branch: graph { () -> (t)  t = Sub(c, a) },
             else_branch: graph { () -> (e)  e = Sub(a, c) }}
)");
    const Model moved = changed(model, [](GraphEdit& edit) {
        reorder_ports(edit, {"c", "a"}, false);
        reorder_ports(edit, {"z"}, true);
    });
    EXPECT_EQ(names_of(moved.graph, moved.graph.inputs()),
              (std::vector<std::string>{"c", "a", "b", "k"}));
    EXPECT_EQ(names_of(moved.graph, moved.graph.outputs()), (std::vector<std::string>{"z", "y"}));
    expect_refused(model, "named twice", [](GraphEdit& edit) {
        reorder_ports(edit, {"c", "c"}, false);
    });
    expect_refused(model, "no output \"a\"",
                   [](GraphEdit& edit) { reorder_ports(edit, {"a"}, true); });
}

TEST(WeightChanges, OnlyTheSameTypeReplacesAWeight) {
    const Model model = model_of(gemm);
    const Tensor ones = Tensor::of<float>({4}, {1, 1, 1, 1});
    const Model other = changed(model, [&](GraphEdit& edit) { replace_weight(edit, "b", ones); });
    EXPECT_TRUE(same_contents(*other.graph.value(other.graph.find_value("b")).constant, ones));
    expect_refused(model, "is f32[4], expected f32[4,3]",
                   [&](GraphEdit& edit) { replace_weight(edit, "w", ones); });
    expect_refused(model, "a node computes it",
                   [&](GraphEdit& edit) { replace_weight(edit, "y", ones); });
    expect_refused(model, "no value \"q\"",
                   [&](GraphEdit& edit) { replace_weight(edit, "q", ones); });
}

TEST(WeightChanges, TransposedWeightsGiveTheSameResults) {
    const Model model = model_of(R"((x: f32[2,3]) -> (y, z)
  y = Gemm(x, w: f32[4,3]) {transB: 1}
  z = Concat(w, w) {axis: 0}
)");
    const Model other = changed(model, [](GraphEdit& edit) {
        transpose_weight(edit, "w", {1, 0}, true, 17);
    });
    EXPECT_EQ(type_of_value(other, "w"), "f32[3,4]");
    EXPECT_EQ(count_of(other.graph, "Transpose"), 1U);  // of Concat; Gemm got another transB
    EXPECT_EQ(compare_runs(model, other, {}), "");
    const Model bare = model_of("(x: f32[2,3]) -> (y)\n y = MatMul(x, w: f32[3,3])\n");
    const Model plain = changed(bare, [](GraphEdit& edit) {
        transpose_weight(edit, "w", {1, 0}, false, 17);
    });
    EXPECT_EQ(count_of(plain.graph, "Transpose"), 0U);
    EXPECT_NE(compare_runs(bare, plain, {}), "");
    expect_refused(model, "no permutation", [](GraphEdit& edit) {
        transpose_weight(edit, "w", {0, 0}, true, 17);
    });
    expect_refused(model, "no permutation", [](GraphEdit& edit) {
        transpose_weight(edit, "w", {0, 1, 2}, true, 17);
    });
}

TEST(WeightChanges, AWeightInAnotherTypeGetsACast) {
    const Model model = model_of("(x: f32[2]) -> (y)\n y = Mul(x, w: f32[2]{0.5, 70000.0})\n");
    std::size_t infinite = 0;
    const Model half =
        changed(model, [&](GraphEdit& edit) { infinite = cast_weight(edit, "w", DType::f16, 17); });
    EXPECT_EQ(type_of_value(half, "w"), "f16[2]");
    EXPECT_EQ(count_of(half.graph, "Cast"), 1U);
    EXPECT_EQ(infinite, 1U);
    const Model wide =
        changed(model, [](GraphEdit& edit) { cast_weight(edit, "w", DType::f64, 17); });
    EXPECT_EQ(compare_runs(model, wide, {}), "");
    expect_refused(model, "which type i8 does not have",
                   [](GraphEdit& edit) { cast_weight(edit, "w", DType::i8, 17); });
    expect_refused(model, "already is f32",
                   [](GraphEdit& edit) { cast_weight(edit, "w", DType::f32, 17); });
    expect_refused(model, "cannot be converted",
                   [](GraphEdit& edit) { cast_weight(edit, "w", DType::string, 17); });
}

TEST(WeightChanges, AModelOfDoublesBecomesOneOfFloats) {
    Model model = model_of(R"((x: f32[2], c: bool[]) -> (y)
  d = Cast(x) {to: 11}
  e = Mul(d, w: f64[2]{0.5, 2.0})
  k = Constant() {value: f64[2]{1.0, 3.0}}
  f = If(c) {then_branch: graph { () -> (t)  t = Add(e, k) },
             else_branch: graph { () -> (u)  u = Mul(e, v: f64[2]{4.0, 5.0}) }}
  y = Cast(f) {to: 1}
)");
    const Model before = model;
    EXPECT_EQ(cast_whole_model(model, DType::f64, DType::f32), 3U);
    infer_types(model);
    verify(model);
    for (const ValueId id : model.graph.values())
        EXPECT_NE(model.graph.value(id).type.dtype, DType::f64) << model.graph.value(id).name;
    EXPECT_EQ(compare_runs(before, model, {}), "");
    EXPECT_THROW(cast_whole_model(model, DType::i64, DType::f32), Error);
    EXPECT_THROW(cast_whole_model(model, DType::f32, DType::f32), Error);
}

TEST(FreeDimension, ABatchBakedIntoReshapesIsFreed) {
    Model model = model_of(R"((x: f32[1,2,3]) -> (y, z)
  a = Reshape(x, s: i64[2]{1, 6})
  y = Relu(a)
  b = Reshape(x, t: i64[2]{2, 3})
  z = Reshape(b, u: i64[3]{1, 2, 3})
)");
    const Model before = model;
    const std::vector<std::string> mended = free_dimension(model, "x", 0, "batch");
    verify(model);
    EXPECT_EQ(type_of_value(model, "y"), "f32[batch,6]");
    EXPECT_EQ(type_of_value(model, "z"), "f32[batch,2,3]");
    EXPECT_EQ(mended.size(), 3U);
    EXPECT_EQ(compare_runs(before, model, {}), "");
}

TEST(FreeDimension, ASizeThatIsSeenInTheTargetIsFreed) {
    Model model = model_of(R"((x: f32[5,2,3]) -> (y)
  y = Reshape(x, t: i64[2]{10, 3})
)");
    const Model before = model;
    free_dimension(model, "x", -3, "n");
    EXPECT_EQ(type_of_value(model, "y"), "f32[2*n,3]");
    EXPECT_EQ(compare_runs(before, model, {}, 1, {{"n", 5}}), "");
}

TEST(FreeDimension, ASizeThatAWeightFixesIsRefusedWithTheNode) {
    Model product = model_of("(x: f32[2,3]) -> (y)\n y = Gemm(x, w: f32[3,4]) as \"fc\"\n");
    Model picture = model_of("(x: f32[1,3,8,8]) -> (y)\n y = Conv(x, w: f32[4,3,1,1]) as \"c\"\n");
    Model added = model_of("(x: f32[2,3]) -> (y)\n y = Add(x, w: f32[2,3]) as \"a\"\n");
    const auto said = [](Model& model, std::int64_t axis) -> std::string {
        try {
            free_dimension(model, "x", axis, "n");
        } catch (const Error& error) { return error.message(); }
        return {};
    };
    for (const auto& [model, axis, node] :
         {std::tuple<Model*, std::int64_t, std::string>{&product, 1, "fc"},
          {&picture, 1, "c"},
          {&added, 0, "a"},
          {&added, 1, "a"}}) {
        const std::string before = type_of_value(*model, "x");
        EXPECT_NE(said(*model, axis).find(quote(node)), std::string::npos) << said(*model, axis);
        EXPECT_EQ(type_of_value(*model, "x"), before);
    }
    EXPECT_EQ(said(product, 0), "");
    EXPECT_EQ(said(picture, 2), "");
    EXPECT_EQ(type_of_value(picture, "y"), "f32[1,4,n,8]");
}

TEST(FreeDimension, InputsThatShareASizeAreFreedOneByOne) {
    Model model = model_of("(x: f32[4,3], z: f32[4,3]) -> (y)\n y = Add(x, z)\n");
    free_dimension(model, "x", 0, "n");
    free_dimension(model, "z", 0, "n");
    EXPECT_EQ(type_of_value(model, "y"), "f32[n,3]");
}

TEST(FreeDimension, ASizeThatHasToBeEvenIsFree) {
    Model model = model_of(R"((x: f32[1,1,4,6]) -> (y)
  half = MaxPool(x) {kernel_shape: [2, 2], strides: [2, 2]}
  whole = ConvTranspose(half, w: f32[1,1,2,2]) {strides: [2, 2]}
  y = Add(whole, x)
)");
    EXPECT_NO_THROW(free_dimension(model, "x", 2, "n"));
}

TEST(FreeDimension, WhatCannotBeDerivedIsRefusedAndNothingChanges) {
    Model model = model_of(R"((x: f32[4,4]) -> (y)
  y = Reshape(x, t: i64[3]{4, 2, 2})
)");
    Model ambiguous = model_of(R"((x: f32[2,8]) -> (y)
  t = Transpose(x) {perm: [1, 0]}
  y = Reshape(t, s: i64[4]{2, 2, 2, 2})
)");
    EXPECT_THROW(free_dimension(ambiguous, "x", 0, "n"), Error);
    EXPECT_EQ(type_of_value(ambiguous, "x"), "f32[2,8]");
    EXPECT_THROW(free_dimension(model, "x", 2, "n"), Error);
    EXPECT_THROW(free_dimension(model, "x", -3, "n"), Error);
    EXPECT_THROW(free_dimension(model, "x", 0, "7"), Error);
    EXPECT_THROW(free_dimension(model, "q", 0, "n"), Error);
    free_dimension(model, "x", 0, "n");
    EXPECT_EQ(type_of_value(model, "y"), "f32[n,2,2]");
}

}  // namespace
}  // namespace lapidary
