// SPDX-License-Identifier: Apache-2.0
// What passes for devices make of a graph runs wholly on the device and gives what the graph gave
// before.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include <lapidary/passes/device_passes.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/ops/infer.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/exec/placement.h>

#include "plugins/cuda/emulated_provider.h"
#include "support/pass_harness.h"

namespace lapidary::test {
namespace {

struct Case {
    const char* name;
    const char* graph;
    Level level;
    std::map<std::string, int> steps;  // on the device, by operator, in words
    Tolerance tolerance = exact_arithmetic;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

constexpr Tolerance of_halves{2e-3, 1e-3, true};

const Case cases[] = {
    {"PackedProjections",
     "(x: f32[2,5,24]) -> (q, k, v)\nqp = MatMul(x, qw: f32[24,16])\nq = Add(qp, qb: f32[16])\nkp "
     "= MatMul(x, kw: "
     "f32[24,8])\nk = Add(kp, kb: f32[8])\nvp = MatMul(x, vw: f32[24,8])\nv = Add(vp, vb: f32[8])",
     Level::extended,
     {{"MatMul + Add (fused)", 1}, {"Split", 1}}},
    {"EpilogueOfProduct",
     "(x: f32[7,40], r: f32[7,20]) -> (y)\na = MatMul(x, w: f32[40,20])\nb = Add(a, c: f32[20])\nd "
     "= Add(b, r)\n"
     "y = Relu(d)",
     Level::extended,
     {{"MatMul + Add + Add + Relu (fused)", 1}}},
    {"NormalizedProduct",
     "(x: f32[1,1,48], r: f32[1,1,48]) -> (y, s)\nn, _, _, s = "
     "com.microsoft::SkipLayerNormalization(x, r, g: f32[48], "
     "h: f32[48], d: f32[48])\nm = Reshape(n, t: i64[2]{-1,48})\np = Gemm(m, w: f32[48,72], c: "
     "f32[72])\ny = Relu(p)",
     Level::extended,
     {{"SkipLayerNormalization + MatMul + Add + Relu (fused)", 1}}},
    {"NormalizedProductOfHalves",
     "(x: f16[1,768], r: f16[1,768], u: f16[1,264]) -> (y, s)\nn, _, _, s = "
     "com.microsoft::SkipLayerNormalization(x, r, g: f16[768], h: f16[768])\np = MatMul(n, w: "
     "f16[768,264])\n"
     "q = Add(p, c: f16[264])\ny = Add(q, u)",
     Level::extended,
     {{"SkipLayerNormalization + MatMul + Add + Add (fused)", 1}},
     of_halves},
    {"EpilogueOfHalves",
     "(x: f16[7,40], r: f16[7,20]) -> (y)\na = MatMul(x, w: f16[40,20])\nb = Add(a, c: f16[20])\nd "
     "= Add(b, r)\n"
     "y = Relu(d)",
     Level::extended,
     {{"MatMul + Add + Add + Relu (fused)", 1}},
     of_halves},
    {"ActivationOfGemm",
     "(x: f32[7,40]) -> (y)\na = Gemm(x, w: f32[40,20], c: f32[20])\ny = LeakyRelu(a) {alpha: 0.2}",
     Level::extended,
     {{"com.microsoft::FusedGemm", 1}}},
    {"EpilogueOfConvolution",
     "(x: f32[1,16,9,9], r: f32[1,16,9,9]) -> (y)\na = Conv(x, w: f32[16,16,3,3], c: f32[16]) "
     "{pads: [1,1,1,1]}\n"
     "b = Add(a, r)\ny = Relu(b)",
     Level::all,
     {{"com.microsoft::FusedConv", 1}}},
    {"ConvolutionsOfHalves",
     "(x: f16[1,8,9,9]) -> (y)\na = Conv(x, w: f16[16,8,3,3], c: f16[16]) {pads: [1,1,1,1]}\nb = "
     "Relu(a)\n"
     "y = Conv(b, v: f16[8,16,1,1], d: f16[8])",
     Level::all,
     {{"com.microsoft::FusedConv", 1}, {"Conv", 1}},
     of_halves},
    // the mask of keys repeats over queries, that of places over batches; rows that no piece begins
    // at
    {"MasksOfADecoder",
     "(m: i64[2,1,1,9], v: bool[1,1,5,9]) -> (y)\nc = Cast(m) {to: 1}\ns = Sub(one: f32[]{1.0}, "
     "c)\n"
     "p = Mul(s, low: f32[]{-30.0})\nw = Where(v, zero: f32[]{0.0}, least: f32[]{-500.0})\ny = "
     "Add(w, p)",
     Level::extended,
     {{"Identity + Sub + Mul + 2 more (fused)", 1}}},
    {"MasksInPieces",
     "(m: i32[3,16], v: bool[3,1], x: f32[3,16]) -> (y)\nc = Cast(m) {to: 1}\nd = Cast(v) {to: "
     "1}\ns = Mul(c, x)\n"
     "y = Sub(s, d)",
     Level::extended,
     {{"Identity + Mul + Sub (fused)", 1}}},
    {"WhatTakesLongerThanToReadItStaysOutside",
     "(m: i64[2,1,9], x: f32[2,5,9]) -> (y)\nc = Cast(m) {to: 1}\ne = Exp(c)\nf = Add(e, one: "
     "f32[]{1.0})\n"
     "y = Mul(x, f)",
     Level::extended,
     {{"Identity + Exp (fused)", 1}, {"Add + Mul (fused)", 1}}},
    {"IdsOfInt64",
     "(i: i64[2,5], s: i64[2,5], p: i64[2,5]) -> (y, n)\na = Cast(i) {to: 6}\nb = Cast(s) {to: 6}\n"
     "c = Cast(p) {to: 6}\ny, n = com.microsoft::EmbedLayerNormalization(a, b, w: f32[2000,24], q: "
     "f32[2000,24], "
     "k: f32[2000,24], g: f32[24], h: f32[24], _, c)",
     Level::extended,
     {{"com.microsoft::EmbedLayerNormalization", 1}}},
};

class EmulatedPasses : public testing::TestWithParam<Case> {};

TEST_P(EmulatedPasses, GiveWhatTheGraphGaveBefore) {
    const Case& c = GetParam();
    Model made = model_of(c.graph);
    infer_types(made);
    const auto model = std::make_shared<const Model>(made);
    OptimizeOptions options;
    options.level = c.level;
    options.provider = device_passes;
    options.verify = true;
    Model optimized = optimize(made, options).model;
    infer_types(optimized);
    const auto after = std::make_shared<const Model>(std::move(optimized));
    const NamedValues inputs = generate_inputs(*model, {}, {.seed = 3});
    for (int order : {0, 1, 2}) {
        EXPECT_EQ(compare_with_reference(model, inputs, {.order = order}, c.tolerance), "")
            << "before, " << order;
        const NamedValues before =
            Session::compile(model, emulated_options({.order = order})).run(inputs).outputs;
        const EmulatedRun run{.order = order, .passes = SessionPasses::Set::all};
        EXPECT_EQ(compare_with(before, after, inputs, run, c.tolerance), "") << "after, " << order;
    }
    const Session session =
        Session::compile(after, emulated_options({.passes = SessionPasses::Set::all}));
    std::map<std::string, int> steps;
    for (const NodePlacement& node : session.placement().nodes) ++steps[node.op];
    EXPECT_EQ(steps, c.steps);
}

INSTANTIATE_TEST_SUITE_P(All, EmulatedPasses, testing::ValuesIn(cases),
                         [](const auto& info) { return info.param.name; });

/// How a graph that passes of devices changed runs when no device takes it; it gives what it gave
/// before.
std::vector<StepInfo> steps_on_the_processor(const char* graph, const Tolerance& tolerance) {
    Model made = model_of(graph);
    infer_types(made);
    const NamedValues inputs = generate_inputs(made, {}, {.seed = 3});
    const auto model = std::make_shared<const Model>(made);
    const NamedValues expected = Session::compile(model, reference_options()).run(inputs).outputs;
    apply_session_passes_for(device_passes, made, {});
    SessionOptions options;
    options.session_passes.set = SessionPasses::Set::none;
    Session session = Session::compile(std::make_shared<const Model>(made), options);
    for (const OutputComparison& output :
         compare_outputs(session.run(inputs).outputs, expected, tolerance))
        EXPECT_TRUE(output.comparison.matches) << output.comparison.reason;
    return session.plan().steps;
}

/// Fused by the passes of devices, then not worth its copies: the processor has a kernel for it
/// too.
TEST(DevicePasses, WhatADeviceDoesNotTakeRunsOnTheProcessor) {
    EXPECT_EQ(steps_on_the_processor(cases[2].graph, of_halves).size(), 1u);
}

/// Masks are floats to its kernels, too.
TEST(DevicePasses, TheProcessorReadsMasksAsDevicesDo) {
    std::size_t masks = 0;
    for (const Case& c : cases) {
        if (std::string_view(c.graph).find("= Cast(m)") == std::string_view::npos) continue;
        SCOPED_TRACE(c.name);
        ++masks;
        for (const StepInfo& step : steps_on_the_processor(c.graph, exact_arithmetic))
            EXPECT_NE(step.op, "Cast");
    }
    EXPECT_GT(masks, 0u);
}

TEST(DevicePasses, KernelsOfTheProcessorAloneAreNotAskedFor) {
    Model made = model_of(
        "(x: f32[1,16,9,9]) -> (y)\na = Conv(x, w: f32[32,16,3,3]) {pads: [1,1,1,1]}\nb = Relu(a)\n"
        "y = Conv(b, v: f32[32,32,3,3])");
    infer_types(made);
    OptimizeOptions options;
    options.level = Level::all;
    const auto skips = [&](const char* pass) {
        for (const PassRun& run : optimize(made, options).report.passes)
            if (run.pass == pass) return run.skipped;
        return std::string("there is no such pass");
    };
    EXPECT_EQ(skips("block_channels"), "");
    options.provider = device_passes;
    EXPECT_EQ(skips("block_channels"), "meant for the provider cpu, not device");
    EXPECT_EQ(skips("fuse_conv_activation"), "");
}

}  // namespace
}  // namespace lapidary::test
