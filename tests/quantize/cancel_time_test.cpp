// SPDX-License-Identifier: Apache-2.0
// How much quantizing, optimizing and comparing still compute after a cancel.
#include <gtest/gtest.h>

#include <lapidary/proof/bisect.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/proof/guard.h>
#include <lapidary/ops/infer.h>
#include <lapidary/inputs/odd_inputs.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/quantize/quantize.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/quantize/sensitivity.h>
#include <lapidary/exec/session.h>

#include "support/cancel_time.h"
#include "support/time_budget.h"

namespace lapidary {
namespace {

Model model_of(const std::string& text) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(text, {.opset = 17});
    infer_types(model);
    return model;
}

/// Two products, large enough that each step of quantizing them takes long.
ModelPtr wide_products() {
    static const ModelPtr model = std::make_shared<const Model>(
        model_of("(x: f32[1,64,1280]) -> (y)\na = MatMul(x, w: f32[1280,1280])\nb = Relu(a)\n"
                 "y = MatMul(b, v: f32[1280,1280])"));
    return model;
}

QuantizeOptions options_of(QuantizeMode mode) {
    QuantizeOptions options;
    options.mode = mode;
    options.calibration.threads = 1;
    return options;
}

CancelledJob quantizing(const std::string& name, const QuantizeOptions& options) {
    return {name,
            [options](const Progress& progress) {
                const auto samples = generated_samples(wide_products(), 10, 1);
                quantize_model(*wide_products(), options, samples.get(), progress);
            },
            {0.02, 0.1, 0.25, 0.5, 1}};
}

TEST(CancelTime, OfQuantizingInEachMode) {
    if (under_sanitizer) GTEST_SKIP() << "measures time";
    QuantizeOptions compensated = options_of(QuantizeMode::dynamic),
                    blocks = options_of(QuantizeMode::weights),
                    in_static = options_of(QuantizeMode::static_qdq), equalized = in_static,
                    smoothed = in_static;
    compensated.compensated_rounding = blocks.compensated_rounding = true;
    equalized.equalize = true;
    smoothed.smoothing_by_input = true;
    for (const CancelledJob& job :
         {quantizing("dynamic, compensated", compensated),
          quantizing("blocks, compensated", blocks), quantizing("static", in_static),
          quantizing("equalized", equalized), quantizing("smoothed", smoothed),
          quantizing("fp16", options_of(QuantizeMode::half))})
        expect_prompt(job);
}

TEST(CancelTime, OfSearchingAndRanking) {
    if (under_sanitizer) GTEST_SKIP() << "measures time";
    const auto samples = generated_samples(wide_products(), 6, 1);
    expect_prompt({"search",
                   [&](const Progress& progress) {
                       search_recipes(*wide_products(), options_of(QuantizeMode::static_qdq),
                                      samples, 0, progress);
                   },
                   {0.1, 0.4}});
    expect_prompt({"sensitivity",
                   [&](const Progress& progress) {
                       rank_sensitivity(*wide_products(), options_of(QuantizeMode::dynamic),
                                        samples, {}, progress);
                   },
                   {0.1, 0.4}});
}

TEST(CancelTime, OfInputsThatAreMade) {
    if (under_sanitizer) GTEST_SKIP() << "measures time";
    const auto model =
        std::make_shared<const Model>(model_of("(x: f32[1,20000000]) -> (y)\ny = Relu(x)"));
    const auto samples = generated_samples(model, 1, 1);
    expect_prompt({"generated sample",
                   [&](const Progress& progress) { samples->at(0, progress.cancel); },
                   {0.01, 0.2}});
    const NamedValues inputs{{"x", Tensor(DType::f32, {1, 20'000'000})}};
    expect_prompt(
        {"odd inputs",
         [&](const Progress& progress) { odd_inputs(*model, inputs, 0, progress.cancel); },
         {0.01, 0.05}});
}

TEST(CancelTime, OfOptimizingAndComparing) {
    if (under_sanitizer) GTEST_SKIP() << "measures time";
    const Model model = build_sample("squeezenet");
    OptimizeOptions optimizing;
    optimizing.level = Level::all;
    const Model optimized = optimize(model, optimizing).model;
    GuardOptions guarding;
    guarding.threads = 1;
    BisectOptions bisecting;
    bisecting.optimize = optimizing;
    bisecting.guard = guarding;
    bisecting.exhaustive = true;
    const std::vector<double> early{0.005, 0.05, 0.15};
    expect_prompt({"optimize",
                   [&](const Progress& progress) { optimize(model, optimizing, progress); },
                   {0.002}});
    expect_prompt({"guard",
                   [&](const Progress& progress) { guard(model, optimized, guarding, progress); },
                   early});
    expect_prompt(
        {"bisect", [&](const Progress& progress) { bisect(model, bisecting, progress); }, early});
}

/// Sums that many inputs of two elements.
Model sum_of_inputs(std::size_t count) {
    std::string inputs, names;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string name = "x" + std::to_string(i);
        inputs += (i ? ", " : "") + name + ": f32[2]";
        names += (i ? ", " : "") + name;
    }
    return model_of("(" + inputs + ") -> (y)\ny = Sum(" + names + ")");
}

TEST(CancelTime, TheGuardOfManyInputsGrowsWithTheirNumberAlone) {
    const auto seconds_for = [](std::size_t count) {
        const Model model = sum_of_inputs(count);
        GuardOptions options;
        options.threads = 1;
        const double begin = cpu_seconds();
        EXPECT_TRUE(guard(model, model, options).matches);
        return cpu_seconds() - begin;
    };
    // Eight times as many: eight times as long, or 64 where each input is looked for among all.
    const double few = seconds_for(1500), many = seconds_for(12000);
    EXPECT_LT(many, 20 * few + 0.1 * wall_factor) << few << " s for 1500";
}

}  // namespace
}  // namespace lapidary
