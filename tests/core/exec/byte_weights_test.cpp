// SPDX-License-Identifier: Apache-2.0
// Sessions that hold weights of products in 8 bits.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include <lapidary/exec/compute.h>
#include <lapidary/exec/session.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/proof/compare.h>

#include "exec/plan/byte_weights.h"
#include "graph/verify.h"
#include "rewrite/quantized_weight.h"
#include "support/kernel_compare.h"

namespace lapidary {
namespace {

std::shared_ptr<Model> byte_model(const std::string& text) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 20;
    model->opset_imports["com.microsoft"] = 1;
    model->graph = parse_graph(text, {.opset = 20});
    return model;
}

SessionOptions int8_options() {
    SessionOptions options;
    options.resources.config[std::string(compute_key)] = "int8";
    return options;
}

/// A product and what follows it, of which `x` is the left operand and `w` the weight.
struct Form {
    std::string nodes;   // "%" stands for the left operand
    bool is_transposed;  // the rows of the weight are the columns of the product
};

const std::string header = "(x: f32[3,300], r: f32[3,400]) -> (y)\n";

/// The form in float32, of operands that were rounded to bytes.
ModelPtr rounded_form(const Form& form) {
    std::string nodes = form.nodes;
    nodes.replace(nodes.find('%'), 1, "h");
    const std::shared_ptr<Model> model = byte_model(
        header + "q, s, z = DynamicQuantizeLinear(x)\nh = DequantizeLinear(q, s, z)\n" + nodes);
    GraphEdit edit(model->graph);
    const ValueId w = model->graph.find_value("w");
    const Tensor rounded = dequantized(
        quantize_weight(*model->graph.value(w).constant,
                        {.values = {DType::i8, true, false}, .axis = form.is_transposed ? 0 : 1}));
    edit.set_constant(w, rounded);
    return model;
}

TEST(ByteWeights, AreDynamicQuantization) {
    const NamedValues inputs{{"x", test::noise({3, 300}, 1, 2, 0.5f)},
                             {"r", test::noise({3, 400}, 2)}};
    SessionOptions plain;
    plain.reference_kernels = true;
    for (const Form& form : {
             Form{"y = MatMul(%, w: f32[300,400])\n", false},
             Form{"a = MatMul(%, w: f32[300,400])\nb = Add(a, c: f32[400])\ny = Relu(b)\n", false},
             Form{"a = MatMul(%, w: f32[300,400])\nb = Add(a, c: f32[400])\nd = Add(b, r)\n"
                  "y = Sigmoid(d)\n",
                  false},
             Form{"a = Gemm(%, w: f32[400,300], c: f32[400]) {transB: 1, alpha: 0.5}\n"
                  "y = Add(a, r)\n",
                  true},
             Form{"y = com.microsoft::FusedMatMul(%, w: f32[300,400]) {alpha: 0.25}\n", false},
             Form{"y = com.microsoft::FusedGemm(%, w: f32[300,400], c: f32[400]) "
                  "{activation: \"LeakyRelu\"}\n",
                  false},
         }) {
        SCOPED_TRACE(form.nodes);
        const RuntimeValue expected =
            Session::compile(rounded_form(form), plain).run(inputs).outputs.at(0).second;
        std::string nodes = form.nodes;
        nodes.replace(nodes.find('%'), 1, "x");
        const ModelPtr model = byte_model(header + nodes);
        const RuntimeValue exact = Session::compile(model, plain).run(inputs).outputs.at(0).second;
        test::for_each_isa([&](Isa isa) {
            SCOPED_TRACE(name_of(isa));
            const RuntimeValue found =
                Session::compile(model, int8_options()).run(inputs).outputs.at(0).second;
            EXPECT_GT(compare(found, expected, same_result).sqnr_db, 100);
            const double loss = compare(found, exact, same_result).sqnr_db;
            EXPECT_GT(loss, 30);
            EXPECT_LT(loss, 70) << "it is rounded";
        });
    }
}

TEST(ByteWeights, OfAttention) {
    const std::string head =
        "(x: f32[2,5,256]) -> (y)\ny = com.microsoft::Attention(x, w: "
        "f32[256,768]";
    const ModelPtr model = byte_model(head + ", b: f32[768]) {num_heads: 8}\n");
    const NamedValues inputs{{"x", test::noise({2, 5, 256}, 1, 0.1f)}};
    const RuntimeValue exact = Session::compile(model).run(inputs).outputs.at(0).second;
    test::for_each_isa([&](Isa isa) {
        SCOPED_TRACE(name_of(isa));
        const RuntimeValue found =
            Session::compile(model, int8_options()).run(inputs).outputs.at(0).second;
        const double loss = compare(found, exact, same_result).sqnr_db;
        EXPECT_GT(loss, 25);
        EXPECT_LT(loss, 70) << "it is rounded";
    });
    const std::shared_ptr<Model> rounded = std::make_shared<Model>(*model);
    EXPECT_EQ(round_weights_to_bytes(*rounded, 2, {}), 1u);
    verify(*rounded);
    const std::shared_ptr<Model> bare = byte_model(head + ") {num_heads: 8}\n");
    EXPECT_EQ(round_weights_to_bytes(*bare, 2, {}), 0u) << "QAttention wants a bias";
}

TEST(ByteWeights, OfBodiesWhereverTheirWeightsAre) {
    const std::shared_ptr<Model> model = byte_model(
        "(c: bool[], x: f32[3,300]) -> (y, z)\nz = MatMul(x, w: f32[300,400])\n"
        "y = If(c) {then_branch: graph { () -> (a)  a = MatMul(x, w) }, "
        "else_branch: graph { () -> (b)\nt = MatMul(x, v: f32[300,400])\nb = Neg(t) }}\n");
    infer_types(*model);
    EXPECT_EQ(round_weights_to_bytes(*model, 2, {}), 3u);
    verify(*model);
    EXPECT_EQ(model->graph.find_value("w"), ValueId()) << "nothing reads it any more";
}

TEST(ByteWeights, ProductsOfOtherFormsStayFloat) {
    for (const char* text :
         {"(x: f32[300,3]) -> (y)\ny = Gemm(x, w: f32[300,400]) {transA: 1}\n",
          "(x: f32[3,300], c: f32[3,400]) -> (y)\ny = Gemm(x, w: f32[300,400], c)\n",
          "(x: f32[3,300]) -> (y)\ny = Gemm(x, w: f32[300,400], c: f32[400]) {beta: 0.5}\n",
          "(x: f32[2,3,300]) -> (y)\ny = MatMul(x, w: f32[2,300,400])\n",
          "(x: f32[3,40]) -> (y)\ny = MatMul(x, w: f32[40,40])\n"}) {
        const std::shared_ptr<Model> model = byte_model(text);
        EXPECT_EQ(round_weights_to_bytes(*model, 2, {}), 0u) << text;
        EXPECT_NE(model->graph.find_value("w"), ValueId()) << text;
    }
    const std::shared_ptr<Model> model =
        byte_model("(x: f32[3,300]) -> (y)\ny = MatMul(x, w: f32[300,400])\n");
    GraphEdit edit(model->graph);
    const ValueId w = model->graph.find_value("w");
    Tensor broken = model->graph.value(w).constant->clone();
    broken.mutable_data<float>()[5] = std::numeric_limits<float>::infinity();
    edit.set_constant(w, broken);
    EXPECT_EQ(round_weights_to_bytes(*model, 2, {}), 0u) << "a weight that is not finite";
}

TEST(ByteWeights, SessionsOfReferenceKernelsRoundNothing) {
    const ModelPtr model = byte_model("(x: f32[3,300]) -> (y)\ny = MatMul(x, w: f32[300,400])\n");
    const NamedValues inputs{{"x", test::noise({3, 300}, 1)}};
    SessionOptions plain;
    plain.reference_kernels = true;
    SessionOptions both = int8_options();
    both.reference_kernels = true;
    EXPECT_TRUE(
        same_contents(Session::compile(model, both).run(inputs).outputs.at(0).second.tensor(),
                      Session::compile(model, plain).run(inputs).outputs.at(0).second.tensor()));
}

}  // namespace
}  // namespace lapidary
