// SPDX-License-Identifier: Apache-2.0
// What follows a product in one kernel: which chains are taken, and that the results stay those of
// the reference kernels.
#include <gtest/gtest.h>

#include <lapidary/graph/graph_text.h>
#include <lapidary/exec/session.h>

namespace lapidary {
namespace {

struct Outcome {
    std::vector<std::string> ops;  // of the steps
};

/// Compiles the graph (x is f32[2,6,40], z is f32[2,6,20]), compares with the reference kernels and
/// returns the steps.
Outcome run(const std::string& text, float tolerance = 2e-5f) {
    SCOPED_TRACE(text);
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 20;
    model->opset_imports["com.microsoft"] = 1;
    model->graph = parse_graph("(x: f32[2,6,40], m: f32[12,40], z: f32[2,6,20]) -> (y)\n" + text,
                               {.opset = 20});
    const auto tensor = [](Shape shape, float step) {
        Tensor t(DType::f32, std::move(shape));
        float v = -1;
        for (float& e : t.mutable_data<float>()) e = v = v > 1 ? v - 2 : v + step;
        return t;
    };
    const NamedValues inputs{{"x", tensor({2, 6, 40}, 0.37f)},
                             {"m", tensor({12, 40}, 0.71f)},
                             {"z", tensor({2, 6, 20}, 0.53f)}};
    SessionOptions plain;
    plain.reference_kernels = true;
    const Tensor wanted = Session::compile(model, plain).run(inputs).outputs.at(0).second.tensor();
    Session session = Session::compile(model);
    const Tensor got = session.run(inputs).outputs.at(0).second.tensor();
    EXPECT_EQ(got.shape(), wanted.shape());
    for (std::size_t i = 0; i < static_cast<std::size_t>(std::min(got.size(), wanted.size())); ++i)
        EXPECT_NEAR(got.data<float>()[i], wanted.data<float>()[i], tolerance) << i;
    Outcome outcome;
    for (const StepInfo& s : session.plan().steps) outcome.ops.push_back(s.op);
    return outcome;
}

using Ops = std::vector<std::string>;
const std::string product = "lapidary::Product", product_alone = "MatMul";

TEST(FuseProduct, BiasAndActivation) {
    EXPECT_EQ(run("a = MatMul(x, w: f32[40,20])\ny = com.microsoft::BiasGelu(a, b: f32[20])").ops,
              Ops{product});
    EXPECT_EQ(run("a = MatMul(x, w: f32[40,20])\nb = Add(c: f32[1,1,20], a)\ny = Sigmoid(b)").ops,
              Ops{product});
    EXPECT_EQ(run("a = MatMul(x, w: f32[40,20])\nb = Add(a, c: f32[20])\nd = Relu(b)\ny = Relu(d)")
                  .ops.size(),
              2u);
    EXPECT_EQ(run("a = MatMul(x, w: f32[40,20])\ny = com.microsoft::FastGelu(a, b: f32[20])").ops,
              Ops{product});
    EXPECT_EQ(run("a = MatMul(x, w: f32[40,20])\ny = com.microsoft::QuickGelu(a) {alpha: 1.5}").ops,
              Ops{product});
    for (const char* op : {"Tanh(a)", "Softplus(a)", "HardSwish(a)", "LeakyRelu(a) {alpha: 0.3}",
                           "Elu(a) {alpha: 0.7}", "HardSigmoid(a) {alpha: 0.3, beta: 0.4}",
                           "Gelu(a)", "Gelu(a) {approximate: \"tanh\"}"})
        EXPECT_EQ(run("a = MatMul(x, w: f32[40,20])\ny = " + std::string(op)).ops, Ops{product});
}

TEST(FuseProduct, Residual) {
    EXPECT_EQ(
        run("a = MatMul(x, w: f32[40,20])\nb = Add(a, c: f32[20])\nd = Add(z, b)\ny = Relu(d)").ops,
        Ops{product});
    EXPECT_EQ(run("s = Neg(z)\na = MatMul(x, w: f32[40,20])\ny = Add(a, s)").ops,
              (Ops{"Neg", product}));
    // a residual that is computed from the product itself, or after it, in the order of the nodes
    EXPECT_EQ(run("a = MatMul(x, w: f32[40,20])\ns = Neg(z)\ny = Add(a, s)").ops,
              (Ops{"Neg", product}));
    EXPECT_EQ(run("a = MatMul(x, w: f32[40,20])\ns = Neg(a)\ny = Add(a, s)").ops,
              (Ops{product_alone, "lapidary::ElementwiseChain"}));
    EXPECT_EQ(run("a = MatMul(x, w: f32[40,20])\ny = Add(a, a)").ops.size(), 2u);
    // not of the same shape
    EXPECT_EQ(run("a = MatMul(x, w: f32[40,20])\ns = ReduceMax(z) {keepdims: 1}\ny = Add(a, s)")
                  .ops.size(),
              3u);
}

TEST(FuseProduct, Gemm) {
    EXPECT_EQ(run("a = Gemm(m, w: f32[20,40], c: f32[20]) {transB: 1, alpha: 0.5}\ny = "
                  "com.microsoft::FastGelu(a)")
                  .ops,
              Ops{product});
    EXPECT_EQ(run("a = Gemm(m, w: f32[40,20])\nb = Add(a, c: f32[20])\ny = Relu(b)").ops,
              Ops{product});
    EXPECT_EQ(run("a = Gemm(m, w: f32[40,20], c: f32[20]) {beta: 2.0}\ny = Relu(a)").ops.size(),
              2u);
    EXPECT_EQ(run("a = Gemm(m, w: f32[40,20], c: f32[12,1])\ny = Relu(a)").ops.size(), 2u);
    EXPECT_EQ(run("a = com.microsoft::FusedMatMul(x, w: f32[20,40]) {transB: 1, alpha: 3.0}\nb = "
                  "Add(a, c: f32[20])\ny "
                  "= Add(b, z)")
                  .ops,
              Ops{product});
}

TEST(FuseProduct, ViewsStay) {
    EXPECT_EQ(
        run("a = Gemm(m, w: f32[40,20], c: f32[20])\nb = Reshape(a, s: i64[3]{2, 6, 20})\ny = "
            "com.microsoft::FastGelu(b)")
            .ops,
        (Ops{product, "Reshape"}));
    EXPECT_EQ(run("a = MatMul(m, w: f32[40,20])\nb = Reshape(a, s: i64[3]{2, 6, 20})\nd = Add(b, "
                  "c: f32[20])\ne = "
                  "Unsqueeze(d, u: i64[1]{0})\ny = Relu(e)")
                  .ops,
              (Ops{product, "Reshape", "Unsqueeze"}));
    EXPECT_EQ(run("a = MatMul(m, w: f32[40,20])\nd = Add(a, c: f32[20])\ny = Reshape(d, s: "
                  "i64[3]{2, 6, 20})")
                  .ops,
              (Ops{product, "Reshape"}));
    // the columns are no longer the last axis
    EXPECT_EQ(run("a = MatMul(m, w: f32[40,20])\nb = Reshape(a, s: i64[3]{2, 12, 10})\ny = Add(b, "
                  "c: f32[10])")
                  .ops.size(),
              3u);
    EXPECT_EQ(
        run("a = MatMul(m, w: f32[40,20])\nb = Reshape(a, s: i64[3]{2, 6, 20})\ny = Add(b, z)")
            .ops.size(),
        3u);
}

TEST(FuseProduct, LeavesValuesThatAreReadElsewhere) {
    EXPECT_EQ(run("a = MatMul(x, w: f32[40,20])\nb = Relu(a)\ny = Mul(a, b)").ops,
              (Ops{product_alone, "lapidary::ElementwiseChain"}));
    EXPECT_EQ(run("w = Transpose(m) {perm: [1, 0]}\na = MatMul(x, w)\ny = Relu(a)").ops.size(), 3u);
}

TEST(FuseProduct, SubgraphsPackTheConstantsOfTheGraphAround) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 20;
    model->graph = parse_graph(
        "(c: bool[], x: f32[2,3]) -> (y, z)\n"
        "z = MatMul(x, w: f32[3,2]{1, 2, 3, 4, 5, 6})\n"
        "y = If(c) {then_branch: graph { () -> (a)  p = MatMul(x, w)  a = Relu(p) }, else_branch: "
        "graph { () -> (b)  q "
        "= Neg(x)  b = MatMul(q, w) }}",
        {.opset = 20});
    Session session = Session::compile(model);
    const Tensor x = Tensor::of<float>({2, 3}, {1, 0, 0, 0, -1, 1});
    for (bool choice : {true, false}) {
        const RunResult r = session.run({{"c", Tensor::scalar(choice)}, {"x", x}});
        const auto y = r.outputs.at(0).second.tensor().data<float>();
        EXPECT_EQ(std::vector<float>(y.begin(), y.end()),
                  choice ? (std::vector<float>{1, 2, 2, 2}) : (std::vector<float>{-1, -2, -2, -2}));
    }
}

}  // namespace
}  // namespace lapidary
