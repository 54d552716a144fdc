// SPDX-License-Identifier: Apache-2.0
// The provider of a plugin: devices, options, placement, and split runs over its protected memory.
#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <map>

#include <lapidary/base/error.h>
#include <lapidary/ops/infer.h>
#include <lapidary/proof/lowered_precision.h>
#include <lapidary/engines/plugins.h>
#include <lapidary/exec/session.h>

#include "plugin_host/plugin_library.h"
#include "plugin_host/plugin_provider.h"
#include "plugins/plugin_paths.h"
#include "support/pass_harness.h"

namespace lapidary::test {
namespace {

constexpr const char* mixed =
    "(x: f32[batch,4]) -> (y, z)\na = Add(x, x)\nb = Tan(a)\nc = Mul(b, a)\nz = Neg(c)\nd = Sub(z, "
    "b)\ny = Relu(d)";

class PluginProvider : public testing::Test {
protected:
    static void SetUpTestSuite() { open_plugin(plugin_file("device")); }
    static ModelPtr model() {
        Model made = model_of(mixed);
        infer_types(made);
        return std::make_shared<const Model>(std::move(made));
    }
    static SessionOptions on_pages(const std::map<std::string, std::string>& options = {}) {
        SessionOptions session;
        session.providers.push_back(open_provider("pages", options));
        session.session_passes.set = SessionPasses::Set::none;
        return session;
    }
    static std::string refusal_of(const std::string& name,
                                  const std::map<std::string, std::string>& options) {
        try {
            open_provider(name, options);
        } catch (const Error& error) { return error.what(); }
        return "it was opened";
    }
};

void expect_in(const std::string& part, const std::string& text) {
    EXPECT_NE(text.find(part), std::string::npos) << text << "\nhas no " << part;
}

TEST_F(PluginProvider, ReportsDevicesAndOptions) {
    const PluginInfo& info = open_plugin(plugin_file("device"));
    EXPECT_EQ(info.provider, "pages");
    ASSERT_EQ(info.devices.size(), 2u);
    EXPECT_EQ(info.devices[0].id, "pages:0");
    EXPECT_EQ(info.devices[1].unusable, "it is broken for the tests");
    ASSERT_EQ(info.options.size(), 3u);
    EXPECT_EQ(info.options[0].key, "refuse");
}

TEST_F(PluginProvider, WrongNamesDevicesAndOptionsAreRefused) {
    expect_in("there is no provider \"paper\" (the providers of plugins that are open are pages)",
              refusal_of("paper", {}));
    expect_in("device pages:1 cannot be used: it is broken for the tests",
              refusal_of("pages", {{"device", "1"}}));
    expect_in("option device: expected 0 (pages:0), 1 (pages:1), found \"7\"",
              refusal_of("pages", {{"device", "7"}}));
    expect_in("has no option \"colour\"; it has device, refuse, precision",
              refusal_of("pages", {{"colour", "red"}}));
    expect_in("option refuse: 'everything' leaves nothing",
              refusal_of("pages", {{"refuse", "everything"}}));
    EXPECT_EQ(refusal_of("PagesExecutionProvider", {{"device", "pages:0"}}), "it was opened");
}

TEST_F(PluginProvider, AKnownProviderThatIsMissingNamesTheWaysToIt) {
    for (const char* name : {"cuda", "CUDAExecutionProvider", "TensorRT", "dml", "coreml",
                             "MIGraphX", "openvino", "QNN"})
        for (const char* way :
             {"is not here", "--plugin FILE", "--engine onnxruntime --provider ", "Which provider"})
            expect_in(way, refusal_of(name, {}));
    expect_in("did you mean \"TensorRT\"?", refusal_of("TensorTR", {}));
    expect_in("there is no provider \"toaster\"", refusal_of("toaster", {}));
    EXPECT_EQ(refusal_of("toaster", {}).find("did you mean"), std::string::npos);
    expect_in("needs no --provider", refusal_of("CPUExecutionProvider", {}));
}

TEST_F(PluginProvider, SplitRunsGiveWhatTheCpuGives) {
    const ModelPtr m = model();
    SessionOptions alone_options;
    alone_options.session_passes.set = SessionPasses::Set::none;
    Session alone = Session::compile(m, alone_options), split = Session::compile(m, on_pages());
    for (std::int64_t batch : {3, 1, 200, 3}) {
        std::vector<float> values;
        for (std::int64_t i = 0; i < 4 * batch; ++i)
            values.push_back(static_cast<float>(i * 37 % 23 - 11) / 8);
        const NamedValues inputs{{"x", Tensor::of<float>({batch, 4}, values)}};
        const RunResult want = alone.run(inputs), got = split.run(inputs);
        for (std::size_t i = 0; i < want.outputs.size(); ++i)
            EXPECT_TRUE(
                same_contents(want.outputs[i].second.tensor(), got.outputs[i].second.tensor()))
                << batch;
    }
}

TEST_F(PluginProvider, AKernelThatMakesNoOutputFailsTheRun) {
    Session session = Session::compile(model(), on_pages({{"forget", "Mul"}}));
    try {
        session.run({{"x", Tensor::of<float>({1, 4}, {1, 2, 3, 4})}});
        FAIL() << "it ran";
    } catch (const Error& error) {
        expect_in("its kernel gave no output 0", error.what());
        EXPECT_EQ(error.code(), ErrorCode::process_ended);
    }
}

TEST_F(PluginProvider, PlacementReportsReasonsAndCopies) {
    const Session session = Session::compile(model(), on_pages({{"refuse", "Relu"}}));
    const PlacementReport& report = session.placement();
    std::map<std::string, std::string> homes, reasons;
    for (const NodePlacement& node : report.nodes) {
        homes[node.op] = node.provider;
        if (!node.reasons.empty()) reasons[node.op] = node.reasons[0].reason;
    }
    EXPECT_EQ(homes["Add"], "pages");
    EXPECT_EQ(homes["Sub"], "pages");
    EXPECT_EQ(homes["Tan"], "CPU");
    EXPECT_EQ(reasons["Tan"], "there is no kernel for it");
    EXPECT_EQ(reasons["Relu"], "the option refuse names it");
    EXPECT_FALSE(report.copies.empty());
}

TEST_F(PluginProvider, ForbiddenFallbackNamesTheFirstNode) {
    SessionOptions options = on_pages();
    options.fallback = Fallback::forbid;
    try {
        Session::compile(model(), options);
        FAIL() << "it compiled";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::not_supported);
        expect_in("pages: there is no kernel for it", error.what());
    }
}

TEST_F(PluginProvider, ProfilesShowWhereKernelsAndCopiesRan) {
    SessionOptions options = on_pages();
    options.enable_profiling = true;
    Session session = Session::compile(model(), options);
    RunOptions run;
    run.profile = true;
    const RunResult result =
        session.run({{"x", Tensor::of<float>({2, 4}, std::vector<float>(8, 0.5f))}}, run);
    ASSERT_TRUE(result.profile);
    std::size_t on_device = 0, copies = 0;
    for (const Span& span : result.profile->kernels) {
        const SpanText text = result.profile->text(span);
        on_device += text.kernel.starts_with("pages.paged_") && text.provider == "pages" ? 1 : 0;
        copies += span.kind == EventKind::copy ? 1 : 0;
    }
    EXPECT_EQ(on_device, 5u);
    EXPECT_EQ(copies, session.placement().copies.size());
    expect_in("Devices worked ", result.profile->note);
    expect_in(" ms a run by their spans, launches took the host ", result.profile->note);
    expect_in("pages: pages were turned", result.profile->note);
}

TEST_F(PluginProvider, PeaksAreThoseOfTheDevice) {
    const auto peaks = device_peaks({open_provider("pages")});
    ASSERT_EQ(peaks.size(), 1u);
    EXPECT_EQ(peaks[0].problem, "");
    EXPECT_EQ(peaks[0].provider, "pages");
    EXPECT_EQ(peaks[0].gb_per_s, 50);
    ASSERT_EQ(peaks[0].arithmetic.size(), 2u);
    ASSERT_TRUE(peaks[0].of_product(DType::f16) && peaks[0].of_product(DType::f32) &&
                peaks[0].of_others());
    EXPECT_EQ(peaks[0].of_product(DType::f16)->gops, 800);
    EXPECT_EQ(peaks[0].of_product(DType::f32)->name, "whole");
    EXPECT_EQ(peaks[0].of_product(DType::i8)->name, "whole")
        << "of others, where no rate is of the type";
    const auto wrong = device_peaks({open_provider("pages", {{"refuse", "Peaks"}})});
    ASSERT_EQ(wrong.size(), 1u);
    expect_in("provider \"pages\" reports peaks of which gb_per_s is 0", wrong[0].problem);
    EXPECT_TRUE(device_peaks({}).empty());
}

TEST_F(PluginProvider, ThatOfInterfaceTwoHasNone) {
    LpProvider old = *load_plugin_library(plugin_file("device")).provider;
    old.size = offsetof(LpProvider, peaks);
    const auto provider = open_plugin_provider(old, 0, {{"precision", "coarse"}});
    EXPECT_EQ(provider->lowered_precision(), "");
    EXPECT_EQ(device_peaks({provider})[0].problem, "the provider measures none");
}

TEST_F(PluginProvider, LoweredPrecisionIsMeasured) {
    const NamedValues inputs{{"x", Tensor::of<float>({2, 4}, std::vector<float>(8, 0.33f))}};
    const ModelPtr m = model();
    const auto lowered_on = [&](const SessionOptions& options) {
        Session session = Session::compile(m, options);
        return measure_lowered_precision(m, options, inputs, session.run(inputs).outputs);
    };
    EXPECT_FALSE(lowered_on(on_pages()));
    EXPECT_FALSE(lowered_on({}));
    const auto lowered = lowered_on(on_pages({{"precision", "coarse"}}));
    ASSERT_TRUE(lowered);
    ASSERT_EQ(lowered->by.size(), 1u);
    EXPECT_EQ(lowered->by[0].precision, "coarse");
    ASSERT_EQ(lowered->outputs.size(), 2u);
    ASSERT_TRUE(lowered->worst());
    const Comparison& worst = lowered->worst()->comparison;
    EXPECT_GT(worst.max_abs, 0.01);
    EXPECT_LT(worst.max_abs, 0.5);
    EXPECT_GT(worst.sqnr_db, 5);
    EXPECT_LT(worst.sqnr_db, 50);
    expect_in("coarse on pages moves '" + lowered->worst()->name + "' by at most 0.",
              text_of(*lowered));
    expect_in(" dB SQNR against float32 on the CPU", text_of(*lowered));
}

TEST(LoweredPrecisionText, SaysWhatFiguresCannot) {
    LoweredPrecision lowered{{{"fp16", "cuda"}}, {{"y", true, {}}}, {}};
    Comparison& y = lowered.outputs[0].comparison;
    y.matches = true;
    y.elements = 4;
    y.sqnr_db = std::numeric_limits<double>::infinity();
    EXPECT_EQ(text_of(lowered), "fp16 on cuda gives what float32 on the CPU gives");
    y.max_abs = std::numeric_limits<double>::infinity();
    EXPECT_EQ(text_of(lowered),
              "fp16 on cuda gives NaN or infinities in 'y' where float32 on the CPU gives others");
    lowered.outputs.push_back({"ids", false, {}});
    lowered.outputs[1].comparison.elements = 8;
    lowered.outputs[1].comparison.mismatches = 3;
    expect_in("; 3 of 8 elements of outputs that are no floats differ", text_of(lowered));
    lowered.outputs.erase(lowered.outputs.begin());
    EXPECT_EQ(text_of(lowered),
              "fp16 on cuda: 3 of 8 elements of outputs that are no floats differ");
    lowered.problem = "the CPU did not run the model: no memory";
    expect_in("is not known, as the CPU did not run the model: no memory", text_of(lowered));
}

TEST(LoweredPrecisionText, OfSeveralRunsTheWorstIsReported) {
    const auto reported = [](double sqnr_db, std::int64_t mismatches) {
        LoweredPrecision lowered{{{"fp16", "cuda"}}, {{"y", true, {}}, {"ids", false, {}}}, {}};
        lowered.outputs[0].comparison.elements = lowered.outputs[1].comparison.elements = 4;
        lowered.outputs[0].comparison.sqnr_db = sqnr_db;
        lowered.outputs[1].comparison.mismatches = mismatches;
        return lowered;
    };
    const LoweredPrecision worse =
        worse_of(worse_of(reported(60, 0), reported(50, 1)), reported(55, 2));
    ASSERT_EQ(worse.outputs.size(), 2u);
    EXPECT_EQ(worse.outputs[0].comparison.sqnr_db, 50);
    EXPECT_EQ(worse.outputs[1].comparison.mismatches, 2);
    LoweredPrecision odd = reported(70, 0);
    odd.outputs[0].comparison.elements = 0;
    odd.outputs[0].comparison.reason = "another shape";
    EXPECT_EQ(worse_of(reported(50, 0), odd).outputs[0].comparison.reason, "another shape");
    EXPECT_EQ(worse_of(odd, reported(50, 0)).outputs[0].comparison.reason, "another shape");
    odd.problem = "no memory";
    EXPECT_EQ(worse_of(reported(50, 0), odd).problem, "no memory");
    EXPECT_EQ(worse_of(odd, reported(50, 0)).problem, "no memory");
}

}  // namespace
}  // namespace lapidary::test
