// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include <lapidary/cost/cost_rollback.h>
#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/cost/roofline.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/exec/session.h>

#include "cost/node_sizes.h"
#include "support/pass_harness.h"
#include "support/time_budget.h"

namespace lapidary {
namespace {

NodeWork only_work(const std::string& text) {
    const Model model = test::model_of(text);
    const auto work = work_of(model.graph, model.graph.nodes().back());
    EXPECT_TRUE(work) << text;
    return work.value_or(NodeWork{});
}

TEST(WorkOf, Products) {
    const NodeWork matmul = only_work("(x: f32[4,8]) -> (y)\n y = MatMul(x, w: f32[8,16])");
    EXPECT_EQ(matmul.flop, 2.0 * 4 * 8 * 16);
    EXPECT_EQ(matmul.bytes, 4.0 * (4 * 8 + 8 * 16 + 4 * 16));
    EXPECT_FALSE(matmul.integer);
    EXPECT_EQ(only_work("(x: f32[2,3,4,8]) -> (y)\n y = MatMul(x, w: f32[8,16])").flop,
              2.0 * 2 * 3 * 4 * 8 * 16);
    EXPECT_EQ(only_work("(x: f32[8,4]) -> (y)\n y = Gemm(x, w: f32[8,16]) {transA: 1}").flop,
              2.0 * 4 * 8 * 16);
    const NodeWork integer =
        only_work("(x: u8[4,8], w: i8[8,16]) -> (y)\n y = MatMulInteger(x, w)");
    EXPECT_TRUE(integer.integer);
    EXPECT_EQ(integer.flop, 2.0 * 4 * 8 * 16);
    EXPECT_EQ(integer.bytes, 4.0 * 8 + 8 * 16 + 4 * 4 * 16);
    EXPECT_EQ(
        only_work(
            "(x: f32[5,4,8], w: f32[5,8,3]) -> (y)\n y = Einsum(x, w) {equation: \"bij,bjk->bik\"}")
            .flop,
        2.0 * 5 * 4 * 8 * 3);
}

TEST(WorkOf, Convolutions) {
    EXPECT_EQ(only_work("(x: f32[1,3,8,8]) -> (y)\n y = Conv(x, f: f32[4,3,3,3])").flop,
              2.0 * 27 * 4 * 36);
    EXPECT_EQ(only_work("(x: f32[1,4,8,8]) -> (y)\n y = Conv(x, f: f32[4,1,3,3]) {group: 4}").flop,
              2.0 * 9 * 4 * 36)
        << "depthwise";
    EXPECT_EQ(only_work("(x: f32[1,3,8,8]) -> (y)\n y = ConvTranspose(x, f: f32[3,5,2,2])").flop,
              2.0 * (3 * 64) * (5 * 4));
}

TEST(WorkOf, RecurrentAndAttention) {
    EXPECT_EQ(only_work("(x: f32[7,2,5]) -> (y)\n y, h, c = LSTM(x, w: f32[1,12,5], r: "
                        "f32[1,12,3]) {hidden_size: 3}")
                  .flop,
              2.0 * (12 * 5 + 12 * 3) * 7 * 2);
    // Q, K and V of 2 x 6 tokens and 8 features in 2 heads
    EXPECT_EQ(only_work("(q: f32[2,6,8], k: f32[2,10,8], v: f32[2,10,8]) -> (y)\n y = "
                        "com.microsoft::MultiHeadAttention(q, k, v) {num_heads: 2}")
                  .flop,
              4.0 * 2 * 6 * 10 * 8);
    EXPECT_EQ(only_work("(x: f32[2,6,8]) -> (y)\n y = com.microsoft::Attention(x, w: f32[8,24], b: "
                        "f32[24]) {num_heads: 2}")
                  .flop,
              2.0 * 12 * 8 * 24 + 4.0 * 2 * 6 * 6 * 8);
}

TEST(WorkOf, ElementsAndMovement) {
    const NodeWork add = only_work("(x: f32[4,8], z: f32[4,8]) -> (y)\n y = Add(x, z)");
    EXPECT_EQ(add.flop, 32);
    EXPECT_EQ(add.bytes, 3 * 4 * 32.0);
    EXPECT_GT(only_work("(x: f32[4,8]) -> (y)\n y = Exp(x)").flop, 32);
    const NodeWork transposed = only_work("(x: f32[4,8]) -> (y)\n y = Transpose(x)");
    EXPECT_EQ(transposed.flop, 0);
    EXPECT_EQ(transposed.bytes, 2 * 4 * 32.0);
    EXPECT_EQ(only_work("(x: f32[4,8]) -> (y)\n y = Reshape(x, s: i64[1]{32})").bytes, 0)
        << "a view";
    const NodeWork looked_up = only_work("(i: i64[5]) -> (y)\n y = Gather(t: f32[100000,8], i)");
    EXPECT_EQ(looked_up.bytes, 5 * 8 + 2 * 4.0 * 5 * 8) << "five rows, not the table";
    EXPECT_EQ(
        only_work(
            "(x: f32[1,2,8,8]) -> (y)\n y = MaxPool(x) {kernel_shape: [2, 2], strides: [2, 2]}")
            .flop,
        4.0 * 2 * 16);
    EXPECT_EQ(only_work("(x: f32[3,8]) -> (y)\n y = ReduceSum(x, a: i64[1]{1})").flop, 24);
}

TEST(WorkOf, IsUnknownWhereSizesOrOperatorAre) {
    const Model free = test::model_of("(x: f32[n,8]) -> (y)\n y = MatMul(x, w: f32[8,16])");
    const NodeId node = free.graph.nodes()[0];
    EXPECT_FALSE(work_of(free.graph, node));
    const auto recorded = work_of(free.graph, node, "f32[3,8] x f32[8,16] -> f32[3,16]");
    ASSERT_TRUE(recorded);
    EXPECT_EQ(recorded->flop, 2.0 * 3 * 8 * 16);
    EXPECT_FALSE(work_of(free.graph, node, "f32[3,8] -> f32[3,16]")) << "one input too few";
    EXPECT_FALSE(work_of(free.graph, node, "f32[3,8] x f32[8,-1] -> f32[3,16]"));
    EXPECT_FALSE(work_of(free.graph, node, "f32[3,8] x f32[8,16"));
    EXPECT_FALSE(work_of(free.graph, node, ""));
}

TEST(RecordedSizes, LeaveOmittedInputsOut) {
    const Model model = test::model_of(
        "(x: f32[1,3,8,8]) -> (y)\n y = Resize(x, _, _, s: i64[4]{1,3,16,16}) {mode: \"nearest\"}");
    const auto sizes = recorded_sizes(model.graph.node(model.graph.nodes()[0]),
                                      "f32[1,3,8,8] x i64[4] -> f32[1,3,16,16]");
    ASSERT_TRUE(sizes);
    EXPECT_FALSE(sizes->input(1));
    ASSERT_TRUE(sizes->input(3));
    EXPECT_EQ(sizes->input(3)->dtype, DType::i64);
    EXPECT_EQ(sizes->output(0)->elements(), 768);
    const auto scalar = recorded_sizes(
        test::model_of("(x: f32[]) -> (y)\n y = Neg(x)").graph.node(NodeId(0)), "f32[] -> f32[]");
    ASSERT_TRUE(scalar);
    EXPECT_EQ(scalar->input(0)->elements(), 1);
}

TEST(WorkOf, EveryNodeOfTheSamplesAtEveryLevel) {
    std::set<std::string> unknown;
    for (const char* sample : {"lenet", "lstm", "bert-tiny", "squeezenet"}) {
        for (const Level level : {Level::disabled, Level::all}) {
            Model model = optimize(build_sample(sample), {.level = level}).model;
            const auto shared = std::make_shared<const Model>(std::move(model));
            Session session =
                Session::compile(shared, {.resources = {.threads = 1}, .enable_profiling = true});
            RunOptions run;
            run.profile = true;
            const auto profile = session.run(generate_inputs(*shared), run).profile;
            for (const NodeTotal& total : summarize(*profile).nodes)
                if (total.node && !work_of(session.model().graph, total.node, total.shapes))
                    unknown.insert(session.model().graph.node(total.node).qualified_op() + " " +
                                   total.shapes);
        }
    }
    std::string list;
    for (const std::string& one : unknown) list += one + "\n";
    EXPECT_TRUE(unknown.empty()) << list;
}

TEST(Roofline, ComparesWithTheLowerRoof) {
    const Model model = test::model_of(R"((x: f32[512,512], z: f32[1000,1000]) -> (a, b, c, d)
        a = MatMul(x, w: f32[512,512])
        b = Add(z, z)
        c = Transpose(z)
        d = Reshape(z, s: i64[1]{1000000}))");
    const auto ids = model.graph.nodes();
    MachinePeak peak{.threads = 1, .gflops = 100, .int8_gops = 400, .gb_per_s = 10};
    std::vector<NodeTotal> totals(4);
    for (std::size_t i = 0; i < 4; ++i)
        totals[i].node = ids[i], totals[i].op = model.graph.node(ids[i]).op_type;
    totals[0].ms = 5;      // 2 * 512^3 in 5 ms: 53.7 GF/s of 100
    totals[1].ms = 2;      // 8 MB in 2 ms: 4 GB/s of 10
    totals[2].ms = 0.4;    // 8 MB in 0.4 ms: 20 GB/s, out of caches
    totals[3].ms = 0.001;  // a view
    const auto points = roofline(model.graph, totals, {peak, {}});
    ASSERT_EQ(points.size(), 3u);
    EXPECT_NEAR(points[0].gflops, 53.687, 1e-3);
    EXPECT_NEAR(points[0].share_of_peak, 0.53687, 1e-5);
    EXPECT_FALSE(points[0].memory_bound);
    EXPECT_NEAR(points[0].flop_per_byte, 2.0 * 512 * 512 * 512 / (3 * 4.0 * 512 * 512), 1e-9);
    EXPECT_TRUE(points[1].memory_bound);
    EXPECT_NEAR(points[1].share_of_peak, 0.4, 1e-9) << "z is read once, 8 MB in all";
    EXPECT_TRUE(points[2].from_cache);
    EXPECT_EQ(points[2].share_of_peak, 1);
    EXPECT_NEAR(share_of_peak(points, "MatMul").value(), 0.53687, 1e-5);
    EXPECT_NEAR(share_of_peak(points).value(),
                (5 * 0.53687 + 2 * points[1].share_of_peak + 0.4) / 7.4, 1e-4);
    EXPECT_FALSE(share_of_peak(points, "Conv"));
}

TEST(Roofline, NodesAreHeldAgainstWhatRanThem) {
    const Model model =
        test::model_of(R"((x: f32[512,512], h: f16[512,512], z: f32[1000,1000]) -> (a, b, c, d)
        a = MatMul(x, w: f32[512,512])
        b = MatMul(h, v: f16[512,512])
        c = Add(z, z)
        d = MatMul(x, w))");
    const auto ids = model.graph.nodes();
    const Roofs roofs{{.threads = 1, .gflops = 100, .int8_gops = 400, .gb_per_s = 10},
                      {{"fast",
                        1000,
                        {{"whole", 1e4, {}, true},
                         {"tf32", 4e4, {DType::f32}, false},
                         {"float16", 8e4, {DType::f16}, false}},
                        {}},
                       {"unknown", 0, {}, "it cannot be measured"}}};
    std::vector<NodeTotal> totals(4);
    for (std::size_t i = 0; i < 4; ++i) {
        totals[i].node = ids[i];
        totals[i].op = model.graph.node(ids[i]).op_type;
        totals[i].provider = i == 3 ? "CPU" : "fast";
        totals[i].ms = i == 3 ? 5 : 0.02;
    }
    const double flop = 2.0 * 512 * 512 * 512;
    auto points = roofline(model.graph, totals, roofs);
    ASSERT_EQ(points.size(), 4u);
    EXPECT_EQ(points[0].arithmetic, "tf32");
    EXPECT_EQ(points[0].roof_gops, 4e4);
    EXPECT_EQ(points[0].roof_gb_per_s, 1000);
    EXPECT_NEAR(points[0].share_of_peak, flop / 0.02 / 1e6 / 4e4, 1e-9);
    EXPECT_EQ(points[1].arithmetic, "float16");
    EXPECT_EQ(points[1].roof_gops, 8e4);
    EXPECT_EQ(points[2].arithmetic, "whole") << "no product";
    EXPECT_NEAR(points[2].share_of_peak, 8e6 / 0.02 / 1e6 / 1000, 1e-9);
    EXPECT_TRUE(points[2].memory_bound);
    EXPECT_EQ(points[3].provider, "CPU");
    EXPECT_EQ(points[3].arithmetic, "");
    EXPECT_EQ(points[3].roof_gops, 100);
    EXPECT_NEAR(points[3].share_of_peak, flop / 5 / 1e6 / 100, 1e-9);
    totals[0].provider = "unknown";
    totals[1].provider = "none of them";
    points = roofline(model.graph, totals, roofs);
    ASSERT_EQ(points.size(), 2u) << "what is held against nothing is left out";
    EXPECT_EQ(points[0].node, ids[2]);
}

TEST(MachinePeakTest, IsMeasuredOncePerThreadCountAndIsPlausible) {
    const MachinePeak one = machine_peak(1);
    EXPECT_EQ(one.threads, 1);
    EXPECT_GT(one.gflops, 0.5 / wall_factor);
    EXPECT_LT(one.gflops, 2000);
    EXPECT_GT(one.gb_per_s, 0.2 / wall_factor);
    EXPECT_LT(one.gb_per_s, 2000);
    const MachinePeak again = machine_peak(1);
    EXPECT_EQ(again.gflops, one.gflops);
    EXPECT_EQ(again.gb_per_s, one.gb_per_s);
    CancelToken cancelled;
    cancelled.cancel();
    EXPECT_THROW(machine_peak(3, cancelled), Error);
    EXPECT_LT(machine_peak(3).gflops, 3.6 * one.gflops)
        << "three threads on fewer cores count once";
}

}  // namespace
}  // namespace lapidary
