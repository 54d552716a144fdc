// SPDX-License-Identifier: Apache-2.0
// Kernels with working memory of their own allocate and lock nothing from the second run on; the
// samples have none of them.
#include <gtest/gtest.h>

#include <algorithm>

#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/exec/session.h>

#include "interposed.h"

namespace lapidary::test {
namespace {

void expect_steady(const std::string& text, const std::string& kernel) {
    SCOPED_TRACE(text);
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 20;
    model->opset_imports["com.microsoft"] = 1;
    model->graph = parse_graph(text, {.opset = 20});
    for (const int threads : {1, 2}) {
        SessionOptions options;
        options.resources.threads = threads;
        Session session = Session::compile(model, options);
        const PlanInfo plan = session.plan();
        ASSERT_TRUE(
            std::ranges::any_of(plan.steps, [&](const StepInfo& s) { return s.kernel == kernel; }))
            << kernel << " was not chosen";
        const NamedValues inputs = generate_inputs(*model);
        const RunOptions run_options;
        RunResult result;
        for (int i = 0; i < 3; ++i) session.run(inputs, run_options, result);
        Counted fewest{~std::size_t{0}, 0, ~std::size_t{0}};
        // workers that went to sleep are called anew now and then
        for (int i = 0; i < (threads == 1 ? 1 : 10); ++i) {
            begin_counting();
            session.run(inputs, run_options, result);
            const Counted counted = end_counting();
            fewest.allocations = std::min(fewest.allocations, counted.allocations);
            fewest.locks = std::min(fewest.locks, counted.locks);
        }
        EXPECT_EQ(fewest.allocations, 0u) << kernel << ", " << threads << " threads";
        EXPECT_EQ(fewest.locks, 0u) << kernel << ", " << threads << " threads";
    }
}

TEST(SteadyKernels, AllocateAndLockNothing) {
    if (!can_count()) GTEST_SKIP() << "the sanitizer has the allocator";
    expect_steady("(x: f32[4,9000]) -> (v, i)\nv, i = TopK(x, k: i64[1]{40})", "axis.top_k");
    expect_steady("(x: f32[1,90000]) -> (v, i)\nv, i = TopK(x, k: i64[1]{40})", "axis.top_k");
    expect_steady("(x: f32[300,80]) -> (v, i)\nv, i = TopK(x, k: i64[1]{3}) {axis: 0}",
                  "axis.top_k");
    expect_steady("(x: f32[1,21,64,64]) -> (y)\ny = ArgMax(x) {axis: 1}", "axis.arg_max");
    expect_steady(
        "(x: f32[1,3,40,50]) -> (y)\ny = Resize(x, _, s: f32[4]{1, 1, 2, 2}) {mode: \"cubic\"}",
        "pool.resize_filter");
    expect_steady("(x: f32[64,900], i: i64[64,90]) -> (y)\ny = GatherElements(x, i) {axis: 1}",
                  "movement.gather_elements");
    expect_steady("(x: f32[64,900]) -> (y)\ny = Trilu(x)", "movement.trilu");
    expect_steady("(x: f32[1,4,20,30], g: f32[1,25,35,2]) -> (y)\ny = GridSample(x, g)",
                  "pool.grid_sample");
    expect_steady("(x: f32[64,900]) -> (y)\ny = CumSum(x, a: i64[]{1})", "axis.cum_sum");
    expect_steady("(x: f32[300,900]) -> (y)\ny = CumSum(x, a: i64[]{0})", "axis.cum_sum");
    expect_steady("(x: f32[64,900]) -> (y)\ny = LpNormalization(x) {axis: 0}",
                  "axis.lp_normalization");
    expect_steady("(x: f32[64,900]) -> (y)\ny = Hardmax(x)", "axis.hardmax");
    expect_steady("(x: f32[64,900]) -> (y)\ny = IsNaN(x)", "elementwise.float_test");
    expect_steady("(x: f32[1,8,60,50]) -> (y)\ny = MeanVarianceNormalization(x)",
                  "normalization.mean_variance");
    expect_steady(
        "(x: f32[1,1,1,2]) -> (y)\ny = MaxUnpool(x, i: i64[1,1,1,2]{0, 3}) {kernel_shape: [1,2], "
        "strides: [1,2]}",
        "pool.max_unpool");
    expect_steady(
        "(x: f32[1,144,900]) -> (y)\ny = Col2Im(x, s: i64[2]{30, 30}, b: i64[2]{3, 3}) {pads: "
        "[1,1,1,1]}",
        "convolution.column_image");
    for (const char* rows : {"1", "5", "70"}) {
        const std::string product =
            std::string("(x: f32[") + rows +
            ",256]) -> (y)\ny = com.microsoft::MatMulNBits(x, w: u8[300,8,16], s: f32[300,8]) "
            "{K: 256, N: 300, block_size: 32";
        expect_steady(product + "}", "product.matmul_nbits");
        expect_steady(product + ", accuracy_level: 4}", "product.matmul_nbits_int8");
    }
    expect_steady(
        "(x: u8[2,32,48]) -> (y)\ny = com.microsoft::QAttention(x, w: i8[48,144], b: f32[144], s: "
        "f32[]{0.01}, t: "
        "f32[]{0.02}, _, p: u8[]{128}, q: i8[]{0}) {num_heads: 4}",
        "attention.projected_integer");
    expect_steady(
        "(x: f32[9,3,20]) -> (y)\ny = com.microsoft::DynamicQuantizeLSTM(x, w: i8[2,20,128], r: "
        "i8[2,32,128], b: "
        "f32[2,256], _, _, _, _, s: f32[2], z: i8[2]{0, 0}, t: f32[2], u: i8[2]{0, 0}) "
        "{hidden_size: 32, direction: \"bidirectional\"}",
        "recurrent.quantized_lstm");
    expect_steady("(x: u8[1,8,40,40]) -> (y)\ny = MaxPool(x) {kernel_shape: [3,3], strides: [2,2]}",
                  "integer.max_pool");
    expect_steady(
        "(x: u8[1,8,40,40]) -> (y)\ny = com.microsoft::QLinearAveragePool(x, s: f32[]{0.1}, z: "
        "u8[]{9}, t: f32[]{0.2}, "
        "u: u8[]{7}) {kernel_shape: [3,3], pads: [1,1,1,1]}",
        "integer.qlinear_average_pool");
    expect_steady(
        "(a: u8[1,60,60,24], b: u8[1,60,60,40]) -> (y)\ny = com.microsoft::QLinearConcat(s: "
        "f32[]{0.1}, z: u8[]{9}, a, "
        "t: f32[]{0.2}, u: u8[]{7}, b, s, z) {axis: 3}",
        "integer.qlinear_concat");
    for (const char* mode : {"nearest", "linear"})
        expect_steady(
            std::string(
                "(x: u8[1,8,40,50]) -> (y)\ny = Resize(x, _, s: f32[4]{1, 1, 2, 2}) {mode: \"") +
                mode + "\"}",
            "pool.resize_bytes");
    expect_steady(
        "(x: f32[1,16,20,20]) -> (y)\nq, s, z = DynamicQuantizeLinear(x)\na = ConvInteger(q, w: "
        "i8[24,16,3,3], z, o: "
        "i8[]{0}) {pads: [1,1,1,1]}\nb = Cast(a) {to: 1}\n"
        "t = Mul(s, v: f32[]{0.02})\nc = Mul(b, t)\nd = Add(c, e: f32[24,1,1])\ny = Relu(d)",
        "integer.conv_integer_to_float");
}

}  // namespace
}  // namespace lapidary::test
