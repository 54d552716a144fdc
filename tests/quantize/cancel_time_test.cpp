// SPDX-License-Identifier: Apache-2.0
// How much is still computed after a cancel, over many kinds of jobs. Measured in CPU time of this process, which other
// programs on the machine do not lengthen.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <functional>
#include <thread>

#include <lapidary/accuracy.h>
#include <lapidary/bisect.h>
#include <lapidary/error.h>
#include <lapidary/generate_inputs.h>
#include <lapidary/graph_text.h>
#include <lapidary/guard.h>
#include <lapidary/infer.h>
#include <lapidary/odd_inputs.h>
#include <lapidary/optimize.h>
#include <lapidary/quantize.h>
#include <lapidary/samples.h>
#include <lapidary/sensitivity.h>
#include <lapidary/session.h>

#include "support/time_budget.h"

namespace lapidary {
namespace {

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct CancelledJob {
    std::string name;
    std::function<void(const Progress&)> run;
    std::vector<double> cancelled_at;  // CPU seconds after its begin
};

/// CPU seconds from the cancel to the return; negative: it was done before.
double seconds_after_cancel(const CancelledJob& job, double at) {
    const Progress progress;
    std::atomic<double> cancelled{-1};
    std::atomic<bool> is_done{false};
    const double begin = cpu_seconds();
    std::thread canceller([&] {
        while (!is_done && cpu_seconds() < begin + at) std::this_thread::sleep_for(std::chrono::microseconds(500));
        if (is_done) return;
        cancelled = cpu_seconds();
        progress.cancel.cancel();
    });
    try {
        job.run(progress);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::cancelled) << job.name << ": " << error.what();
    }
    const double end = cpu_seconds();
    is_done = true;
    canceller.join();
    return cancelled < 0 ? -1 : end - cancelled;
}

void expect_prompt(const CancelledJob& job) {
    constexpr double most = 0.1;
    bool was_cancelled = false;
    for (const double at : job.cancelled_at) {
        const double took = seconds_after_cancel(job, at);
        was_cancelled = was_cancelled || took >= 0;
        EXPECT_LT(took, most) << job.name << ", cancelled after " << at << " s of CPU time";
    }
    EXPECT_TRUE(was_cancelled) << job.name << " is over before it can be cancelled: what it does is too small to tell";
}

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
    QuantizeOptions compensated = options_of(QuantizeMode::dynamic), blocks = options_of(QuantizeMode::weights),
                    in_static = options_of(QuantizeMode::static_qdq), equalized = in_static, smoothed = in_static;
    compensated.compensated_rounding = blocks.compensated_rounding = true;
    equalized.equalize = true;
    smoothed.smoothing_by_input = true;
    for (const CancelledJob& job :
         {quantizing("dynamic, compensated", compensated), quantizing("blocks, compensated", blocks),
          quantizing("static", in_static), quantizing("equalized", equalized), quantizing("smoothed", smoothed),
          quantizing("fp16", options_of(QuantizeMode::half))})
        expect_prompt(job);
}

TEST(CancelTime, OfSearchingAndRanking) {
    if (under_sanitizer) GTEST_SKIP() << "measures time";
    const auto samples = generated_samples(wide_products(), 6, 1);
    expect_prompt({"search",
                   [&](const Progress& progress) {
                       search_recipes(*wide_products(), options_of(QuantizeMode::static_qdq), samples, 0, progress);
                   },
                   {0.1, 0.4}});
    expect_prompt({"sensitivity",
                   [&](const Progress& progress) {
                       rank_sensitivity(*wide_products(), options_of(QuantizeMode::dynamic), samples, {}, progress);
                   },
                   {0.1, 0.4}});
}

TEST(CancelTime, OfInputsThatAreMade) {
    if (under_sanitizer) GTEST_SKIP() << "measures time";
    const auto model = std::make_shared<const Model>(model_of("(x: f32[1,20000000]) -> (y)\ny = Relu(x)"));
    const auto samples = generated_samples(model, 1, 1);
    expect_prompt({"generated sample",
                   [&](const Progress& progress) { samples->at(0, progress.cancel); },
                   {0.01, 0.2}});
    const NamedValues inputs{{"x", Tensor(DType::f32, {1, 20'000'000})}};
    expect_prompt({"odd inputs",
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
    expect_prompt({"optimize", [&](const Progress& progress) { optimize(model, optimizing, progress); }, {0.002}});
    expect_prompt({"guard", [&](const Progress& progress) { guard(model, optimized, guarding, progress); }, early});
    expect_prompt({"bisect", [&](const Progress& progress) { bisect(model, bisecting, progress); }, early});
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
    EXPECT_LT(many, 20 * few + 0.1) << few << " s for 1500";
}

}  // namespace
}  // namespace lapidary
