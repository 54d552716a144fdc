// SPDX-License-Identifier: Apache-2.0
// Plugins and engines in the window: the dialog, the choice on the Run page, colours and lanes of
// providers, Compare against ONNX Runtime.
#include <gtest/gtest.h>

#include <QListWidget>
#include <QTest>
#include <QTextBrowser>

#include <lapidary/inputs/samples.h>

#include "run/nodes/roofline_plot.h"
#include "run/timeline/timeline_layout.h"
#include "run/verdict_text.h"
#include "window/dialogs/plugin_details.h"
#include "workbench/text/recipe.h"

namespace lapidary::views {
namespace {

Span span(Profile& profile, EventKind kind, const char* name, const char* provider,
          std::int64_t begin, std::int64_t end) {
    Span made;
    made.kind = kind;
    made.label = profile.labels.add({.name = name, .op = name, .provider = provider});
    made.begin_ns = begin;
    made.end_ns = end;
    return made;
}

Profile splitProfile() {
    Profile profile;
    profile.runs = 1;
    profile.run_spans.push_back(span(profile, EventKind::run, "model_run", "CPU", 0, 100));
    profile.kernels.push_back(span(profile, EventKind::copy, "Copy", "cuda", 5, 10));
    profile.kernels.push_back(span(profile, EventKind::kernel, "MatMul", "cuda", 10, 60));
    profile.kernels.push_back(span(profile, EventKind::kernel, "Tan", "CPU", 20, 40));
    profile.kernels.push_back(span(profile, EventKind::copy, "Copy", "cuda", 60, 70));
    return profile;
}

TEST(DeviceLanes, WhatRunsOnADeviceHasATrackOfItsOwn) {
    const Profile profile = splitProfile();
    const Timeline timeline = makeTimeline(profile);
    ASSERT_EQ(timeline.tracks.size(), 2u);
    EXPECT_TRUE(timeline.tracks[0].provider.empty());
    EXPECT_EQ(timeline.tracks[1].provider, "cuda");
    ASSERT_EQ(timeline.tracks[1].lanes.size(), 1u);
    EXPECT_EQ(timeline.tracks[1].lanes[0].size(), 3u);  // two copies and a kernel
    // the run, and the kernel of the thread in it
    EXPECT_EQ(timeline.tracks[0].lanes.size(), 2u);
    EXPECT_EQ(timeline.tracks[0].lanes[1].size(), 1u);
}

TEST(DeviceLanes, StandBetweenTheThreadThatFeedsThemAndItsWorkers) {
    Profile profile = splitProfile();
    profile.ranges.push_back(span(profile, EventKind::range, "Tan", "CPU", 20, 40));
    profile.ranges.back().thread = 1;
    const Timeline timeline = makeTimeline(profile);
    ASSERT_EQ(timeline.tracks.size(), 3u);
    EXPECT_EQ(timeline.tracks[0].thread, 0);
    EXPECT_EQ(timeline.tracks[1].provider, "cuda");
    EXPECT_EQ(timeline.tracks[2].thread, 1);
}

TEST(PlacementVerdict, SaysSharesAndWhatCopiesCost) {
    auto run = std::make_shared<app::RunRecord>();
    auto profile = std::make_shared<Profile>(splitProfile());
    run->profile = profile;
    run->summary = summarize(*profile);
    run->placement.islands = {{"cuda", 1, 0, 0}};
    run->placement.nodes = {
        {NodeId(1), "m", "MatMul", "cuda", 0, false, {}},
        {NodeId(2), "t", "Tan", "CPU", 0, false, {{"cuda", "there is no kernel for it"}}}};
    RunDigest digest;
    digest.run = run;
    RooflinePoint product, tangent;
    product.node = NodeId(1);
    product.work.flop = 96;
    tangent.node = NodeId(2);
    tangent.work.flop = 4;
    digest.roofline = {product, tangent};
    const QString text = remarksOf(digest);
    EXPECT_TRUE(text.contains(
        QStringLiteral("1 of 2 nodes, 96 % of the arithmetic, on cuda; 2 copies cost")))
        << text.toStdString();
    run->placement = {};
    EXPECT_TRUE(remarksOf(digest).isEmpty());
    EXPECT_FALSE(verdictOf(digest).contains(QStringLiteral("copies")))
        << "the headline is where the time goes";
}

/// A product on a device and one on the processor, each under roofs of its own.
std::shared_ptr<RunDigest> digestOnDevice() {
    auto run = std::make_shared<app::RunRecord>();
    auto profile = std::make_shared<Profile>(splitProfile());
    run->profile = profile;
    run->summary = summarize(*profile);
    run->lowered = LoweredPrecision{{{"fp16", "cuda"}}, {{"logits", true, {}}}, {}};
    Comparison& logits = run->lowered->outputs[0].comparison;
    logits.elements = 10;
    logits.max_abs = 0.0031;
    logits.magnitude = 4.2;
    logits.sqnr_db = 62.34;
    auto digest = std::make_shared<RunDigest>();
    digest->run = run;
    digest->roofs = {
        {.threads = 2, .gflops = 100, .int8_gops = 0, .gb_per_s = 10},
        {{"cuda", 4000, {{"float32", 5e4, {}, true}, {"float16", 6e5, {DType::f16}, false}}, {}},
         {"other", 0, {}, "it cannot be measured"}}};
    RooflinePoint product, tangent;
    product.node = NodeId(1);
    product.name = product.op = "MatMul";
    product.provider = "cuda";
    product.arithmetic = "float16";
    product.roof_gops = 6e5, product.roof_gb_per_s = 4000;
    product.work.flop = 1e9, product.work.bytes = 1e6;
    product.flop_per_byte = 1000, product.gflops = 3e5, product.ms = 2, product.share_of_peak = 0.5;
    tangent.node = NodeId(2);
    tangent.name = tangent.op = "Tan";
    tangent.provider = "CPU";
    tangent.roof_gops = 100, tangent.roof_gb_per_s = 10;
    tangent.work.flop = 1e6, tangent.work.bytes = 1e6;
    tangent.flop_per_byte = 1, tangent.gflops = 5, tangent.ms = 1, tangent.share_of_peak = 0.5;
    digest->roofline = {product, tangent};
    return digest;
}

TEST(RoofsOfDevices, EachDotIsUnderThoseOfWhatRanIt) {
    RooflinePlot plot;
    plot.resize(700, 500);
    plot.setDigest(digestOnDevice());
    ASSERT_EQ(plot.dots().size(), 2u);
    ASSERT_EQ(plot.roofs().size(), 2u);
    EXPECT_EQ(plot.roofs()[0].label, QStringLiteral("float on the processor: 100 GFLOP/s"));
    EXPECT_EQ(plot.roofs()[0].gops, 100);
    EXPECT_EQ(plot.roofs()[1].label, QStringLiteral("float16 on cuda: 6e+05 GOP/s"));
    EXPECT_EQ(plot.roofs()[1].memoryLabel, QStringLiteral("memory of cuda: 4e+03 GB/s"));
    EXPECT_TRUE(plot.sentenceOf(0).contains(QStringLiteral("of the peak of cuda (float16)")))
        << plot.sentenceOf(0).toStdString();
    EXPECT_TRUE(plot.sentenceOf(1).contains(QStringLiteral("of this machine's peak")))
        << plot.sentenceOf(1).toStdString();
    EXPECT_TRUE(plot.note().contains(
        QStringLiteral("other are not drawn: its roofs are not known (it cannot be")))
        << plot.note().toStdString();
    EXPECT_FALSE(plot.grab().isNull());
}

TEST(RoofsOfDevices, TheVerdictNamesTheDeviceAndWhatItsPrecisionCosts) {
    const auto digest = digestOnDevice();
    const QString text = verdictOf(*digest);
    EXPECT_TRUE(text.contains(QStringLiteral("it reaches 50 % of the peak of cuda")))
        << text.toStdString();
    EXPECT_TRUE(
        text.endsWith(QStringLiteral("fp16 on cuda moves logits by at most 0.0031 of values up to "
                                     "4.2, 62.3 dB SQNR against float32 on the "
                                     "processor.")))
        << text.toStdString();
    const QString peak = describePeak(*digest->roofs);
    EXPECT_TRUE(peak.contains(QStringLiteral("GOP/s with float16"))) << peak.toStdString();
    EXPECT_FALSE(peak.contains(QStringLiteral("other"))) << peak.toStdString();
}

TEST(PluginDetails, SayWhatItBringsOrWhyNot) {
    app::PluginProbe bad{"/x/bad.so", {}, "it crashed while it was probed"};
    EXPECT_TRUE(
        pluginDetails(bad, QPalette()).contains(QStringLiteral("it crashed while it was probed")));
    app::PluginProbe good{"/x/good.so", PluginInfo{}, {}};
    good.info->name = "good<b>";
    good.info->provider = "pages";
    good.info->devices = {{"pages:0", "Pages", "", "", 1u << 30, ""},
                          {"pages:1", "Broken", "", "", 0, "it is broken"}};
    good.info->options = {{"refuse", "an operator", "", "An operator that is not taken"}};
    good.info->operators = {{"example", "Scale", 1, "y = 2 x"}};
    const QString html = pluginDetails(good, QPalette());
    for (const char* part :
         {"good&lt;b&gt;", "example::Scale", "it is broken", "An operator that is not taken"})
        EXPECT_TRUE(html.contains(QLatin1String(part))) << part;
    OnnxRuntimeInfo engine;
    engine.version = "1.32.0";
    engine.providers = {{"CPU", ""}, {"CUDA", "libcuda.so.1 is missing"}};
    EXPECT_TRUE(
        engineDetails(engine, QPalette()).contains(QStringLiteral("libcuda.so.1 is missing")));
}

TEST(RunsOnNames, VariantsSayWhatTheyRunOn) {
    EXPECT_EQ(app::nameOf(app::onnxRuntimeRecipe()), QStringLiteral("ONNX Runtime · All"));
    app::Recipe recipe;
    recipe.level = Level::extended;
    recipe.runs_on.emplace().providers.push_back({"cuda", {{"device", "1"}}});
    EXPECT_EQ(app::nameOf(recipe), QStringLiteral("Extended on cuda"));
    EXPECT_EQ(app::runsOnWords(*recipe.runs_on),
              (QStringList{QStringLiteral("--provider"), QStringLiteral("cuda:device=1")}));
    recipe.runs_on = app::RunsOn{};
    recipe.runs_on->compute = Compute::fp16;
    EXPECT_EQ(app::nameOf(recipe), QStringLiteral("Extended on CPU, weights in fp16"));
    EXPECT_EQ(app::runsOnWords(*recipe.runs_on),
              (QStringList{QStringLiteral("--compute"), QStringLiteral("fp16")}));
}

}  // namespace
}  // namespace lapidary::views
