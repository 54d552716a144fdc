// SPDX-License-Identifier: Apache-2.0
// Constants that the text of fixtures has no form for: small floats, many zeros, texts in
// attributes.
#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/passes/optimize.h>

#include "support/pass_harness.h"

namespace lapidary::test {
namespace {

/// The model of the text, in which zeros stand for the input called "zeros".
Model with_zeros(std::string_view text, std::int64_t opset) {
    Model model = model_of(text, opset);
    const ValueId input = model.graph.find_value("zeros");
    const Type type = model.graph.value(input).type;
    Shape shape;
    for (const Dim& d : *type.shape) shape.push_back(d.value());
    Tensor zeros(type.dtype, shape);
    std::memset(zeros.mutable_raw(), 0, zeros.byte_size());
    GraphEdit edit(model.graph, "test");
    const ValueId constant = edit.add_initializer("constant", std::move(zeros));
    const std::vector<Use> uses = model.graph.value(input).uses;
    for (const Use& use : uses) edit.set_input(use.node, use.input, constant);
    edit.finish();
    return model;
}

std::string only_miss(const char* pass, std::string_view text, std::int64_t opset) {
    OptimizeOptions options;
    options.level = Level::all;
    options.only_passes = {pass};
    const OptimizeResult result = optimize(with_zeros(text, opset), options);
    EXPECT_TRUE(result.report.rewrites.empty()) << text;
    return result.report.near_misses.size() == 1 ? result.report.near_misses[0].reason : "";
}

TEST(Optimize, SmallFloatsAreNoIntegers) {
    EXPECT_EQ(
        only_miss("eliminate_relu_before_quantize",
                  "(x: f32[4,3], zeros: f8e4m3fn[]) -> (y)\nr = Relu(x)\ny = QuantizeLinear(r, s: "
                  "f32[]{0.01}, zeros)",
                  19),
        "Relu has to stay: QuantizeLinear writes f8e4m3fn, needs integers of at most 16 bits");
    EXPECT_EQ(only_miss("merge_double_qdq",
                        "(x: f32[4,3], zeros: f8e4m3fn[]) -> (y)\na = QuantizeLinear(x, s: "
                        "f32[]{0.01}, zeros)\nb = "
                        "DequantizeLinear(a, s, zeros)\n"
                        "c = QuantizeLinear(b, s, zeros)\ny = DequantizeLinear(c, s, zeros)",
                        19),
              "the first QuantizeLinear writes f8e4m3fn, needs integers of at most 16 bits");
    EXPECT_EQ(only_miss("eliminate_quantize_dequantize",
                        "(x: f32[4,3], zeros: f8e4m3fn[]) -> (y)\na = QuantizeLinear(x, s: "
                        "f32[]{0.5}, zeros)\ny = "
                        "DequantizeLinear(a, s, zeros)",
                        19),
              "QuantizeLinear and DequantizeLinear differ in type, scale or zero point, or these "
              "are no constants of "
              "one element");
    EXPECT_EQ(only_miss("fuse_matmul_nbits",
                        "(x: f32[5,32], zeros: f4e2m1[32,2]) -> (y)\n"
                        "b = DequantizeLinear(zeros, t: f32[2,2]{0.5, 0.25, 0.5, 1.0}) {axis: 0, "
                        "block_size: 16}\ny = MatMul(x, b)",
                        23),
              "the weight is f4e2m1, needs integers");
}

Tensor texts(std::initializer_list<const char*> list) {
    Tensor t(DType::string, {static_cast<std::int64_t>(list.size())});
    std::ranges::copy(list, t.mutable_data<std::string>().begin());
    return t;
}

TEST(Optimize, LabelsOfOtherTextsAreNoDuplicates) {
    Model model = model_of("(x: string[2]) -> (a, b)\na = Identity(x)\nb = Identity(x)", 17);
    model.opset_imports["ai.onnx.ml"] = 4;
    GraphEdit edit(model.graph, "test");
    const std::vector<NodeId> nodes(model.graph.nodes().begin(), model.graph.nodes().end());
    for (std::size_t i = 0; i < 2; ++i) {
        NodeSpec spec;
        spec.op_type = "LabelEncoder";
        spec.domain = "ai.onnx.ml";
        spec.version = 4;
        spec.inputs = model.graph.node(nodes[i]).inputs;
        spec.outputs = edit.take_outputs(nodes[i]);
        spec.attributes = {{"keys_tensor", texts({"a", "b"}), {}, {}},
                           {"values_tensor", texts({"c", i == 0 ? "d" : "e"}), {}, {}}};
        edit.erase(nodes[i]);
        edit.add_node(std::move(spec));
    }
    edit.finish();
    OptimizeOptions options;
    options.only_passes = {"merge_duplicates"};
    EXPECT_TRUE(optimize(model, options).report.rewrites.empty());
}

// Shape inference reads 65,536 scales at most.
TEST(Optimize, ManyScalesMayBeZero) {
    EXPECT_EQ(only_miss("eliminate_relu_before_quantize",
                        "(x: f32[1,65537], zeros: f32[65537]) -> (y)\nr = Relu(x)\ny = "
                        "QuantizeLinear(r, zeros)",
                        17),
              "Relu has to stay: the scale is 0, no positive number");
}

}  // namespace
}  // namespace lapidary::test
