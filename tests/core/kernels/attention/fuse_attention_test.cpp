// SPDX-License-Identifier: Apache-2.0
// Attention spelled out in matrix products: which spellings run in one kernel, and that results
// stay those of the reference kernels.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <lapidary/graph/graph_text.h>
#include <lapidary/exec/session.h>

#include "support/kernel_compare.h"

namespace lapidary {
namespace {

/// Compiles the graph, compares with the reference kernels on two threads and returns the steps.
std::vector<std::string> run(const std::string& text, bool hides_a_query = false) {
    SCOPED_TRACE(text);
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 20;
    model->opset_imports["com.microsoft"] = 1;
    model->graph = parse_graph(
        "(q: f32[2,3,5,8], k: f32[2,3,7,8], v: f32[2,3,7,6], sq: f32[2,5,3,8], sk: f32[2,7,3,8], "
        "sv: f32[2,7,3,6], q3: "
        "f32[4,5,8], k3: f32[4,7,8], "
        "v3: f32[4,7,6], m: f32[5,7], mb: f32[2,1,1,7], mq: f32[2,3,5,1], m3: f32[4,1,7], wide: "
        "f32[2,2,3,5,7]) -> "
        "(y)\n" +
            text,
        {.opset = 20});
    NamedValues inputs;
    std::uint32_t seed = 1;
    for (ValueId id : model->graph.inputs()) {
        const Value& v = model->graph.value(id);
        const auto shape = v.type.static_shape();
        inputs.emplace_back(v.name, test::noise(Shape(shape), seed++));
    }
    if (hides_a_query)
        for (auto& [name, value] : inputs)
            if (name == "m")
                for (std::size_t i = 0; i < 7; ++i)
                    value.tensor().mutable_data<float>()[i] =
                        -std::numeric_limits<float>::infinity();
    SessionOptions plain;
    plain.reference_kernels = true;
    const Tensor wanted = Session::compile(model, plain).run(inputs).outputs.at(0).second.tensor();
    Session session = Session::compile(model);
    const Tensor got = session.run(inputs).outputs.at(0).second.tensor();
    EXPECT_EQ(got.shape(), wanted.shape());
    for (std::size_t i = 0; i < static_cast<std::size_t>(std::min(got.size(), wanted.size()));
         ++i) {
        if (std::isnan(wanted.data<float>()[i])) EXPECT_TRUE(std::isnan(got.data<float>()[i])) << i;
        else EXPECT_NEAR(got.data<float>()[i], wanted.data<float>()[i], 1e-5f) << i;
    }
    std::vector<std::string> ops;
    for (const StepInfo& s : session.plan().steps) ops.push_back(s.op);
    return ops;
}

using Ops = std::vector<std::string>;
const Ops fused{"lapidary::DotProductAttention"};
const std::string t = "t = Transpose(k) {perm: [0, 1, 3, 2]}\ns = MatMul(q, t)\n";
const std::string end = "p = Softmax(z) {axis: -1}\ny = MatMul(p, v)";

TEST(FuseAttention, ScalesAndMasks) {
    EXPECT_EQ(run(t + "p = Softmax(s) {axis: 3}\ny = MatMul(p, v)"), fused);
    EXPECT_EQ(run(t + "z = Mul(s, c: f32[]{0.3})\n" + end), fused);
    EXPECT_EQ(run(t + "z = Mul(c: f32[1]{0.3}, s)\n" + end), fused);
    EXPECT_EQ(run(t + "z = Div(s, c: f32[]{2.5})\n" + end), fused);
    for (const char* mask : {"m", "mb", "mq"}) {
        EXPECT_EQ(run(t + "d = Div(s, c: f32[]{2.5})\nz = Add(d, " + mask + ")\n" + end), fused);
        EXPECT_EQ(run(t + "z = Add(" + mask + ", s)\n" + end), fused);
    }
    EXPECT_EQ(run(t + "z = Add(s, m)\n" + end, true), fused);
    EXPECT_EQ(run("t = Transpose(k3) {perm: [0, 2, 1]}\ns = MatMul(q3, t)\nz = Add(s, m3)\np = "
                  "Softmax(z) {axis: "
                  "-1}\ny = MatMul(p, v3)"),
              (Ops{"Transpose", fused[0]}));
    EXPECT_EQ(
        run("s = com.microsoft::FusedMatMul(q, k) {transB: 1, alpha: 0.25}\nz = Add(s, m)\n" + end),
        fused);
}

TEST(FuseAttention, TakesInTransposes) {
    const std::string heads =
        "q1 = Transpose(sq) {perm: [0, 2, 1, 3]}\nk1 = Transpose(sk) {perm: [0, 2, 3, 1]}\nv1 = "
        "Transpose(sv) {perm: "
        "[0, 2, 1, 3]}\n";
    EXPECT_EQ(run(heads + "s = MatMul(q1, k1)\nz = Add(s, m)\np = Softmax(z)\no = MatMul(p, v1)\ny "
                          "= Transpose(o) "
                          "{perm: [0, 2, 1, 3]}"),
              fused);
    EXPECT_EQ(run("k0 = Transpose(sk) {perm: [0, 2, 1, 3]}\nk1 = Transpose(k0) {perm: [0, 1, 3, "
                  "2]}\ns = MatMul(q, "
                  "k1)\np = Softmax(s)\ny = MatMul(p, v)"),
              fused);
    EXPECT_EQ(run("k1 = Transpose(sk) {perm: [0, 2, 1, 3]}\ns = com.microsoft::FusedMatMul(q, k1) "
                  "{transB: 1}\np = "
                  "Softmax(s)\no = MatMul(p, v)\ny = Transpose(o) {perm: [0, 2, 3, 1]}"),
              (Ops{fused[0], "Transpose"}));
}

TEST(FuseAttention, LeavesOtherSpellings) {
    const auto is_kept = [](const Ops& ops) {
        return std::find(ops.begin(), ops.end(), fused[0]) == ops.end();
    };
    EXPECT_TRUE(is_kept(run(t + "p = Softmax(s) {axis: 2}\ny = MatMul(p, v)")));
    // the weights are read elsewhere
    EXPECT_TRUE(
        is_kept(run(t + "p = Softmax(s)\no = MatMul(p, v)\na = ReduceSum(p)\ny = Add(o, a)")));
    // the mask adds an axis
    EXPECT_TRUE(is_kept(run(t + "z = Add(s, wide)\np = Softmax(z)\ny = MatMul(p, v)")));
    // scaled row by row
    EXPECT_TRUE(is_kept(run(t + "z = Mul(s, mq)\n" + end)));
    EXPECT_TRUE(
        is_kept(run("t = Transpose(k3) {perm: [0, 2, 1]}\nf = Unsqueeze(q3, a: i64[1]{1})\ns = "
                    "MatMul(f, t)\np = "
                    "Softmax(s)\ng = Unsqueeze(v3, a)\ny = MatMul(p, g)")));
}

}  // namespace
}  // namespace lapidary
