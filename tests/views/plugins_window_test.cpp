// SPDX-License-Identifier: Apache-2.0
// Plugins and engines in the window: the dialog, the choice on the Run page, colours and lanes of providers, Compare
// against ONNX Runtime.
#include <gtest/gtest.h>

#include <QListWidget>
#include <QTest>
#include <QTextBrowser>

#include <lapidary/samples.h>

#include "run/timeline_layout.h"
#include "run/verdict_text.h"
#include "window/plugin_details.h"
#include "workbench/recipe.h"

namespace lapidary::views {
namespace {

Span span(EventKind kind, const char* name, const char* provider, std::int64_t begin, std::int64_t end) {
    Span made;
    made.kind = kind;
    made.name = made.op = name;
    made.provider = provider;
    made.begin_ns = begin;
    made.end_ns = end;
    return made;
}

Profile splitProfile() {
    Profile profile;
    profile.runs = 1;
    profile.run_spans.push_back(span(EventKind::run, "model_run", "CPU", 0, 100));
    profile.kernels.push_back(span(EventKind::copy, "Copy", "cuda", 5, 10));
    profile.kernels.push_back(span(EventKind::kernel, "MatMul", "cuda", 10, 60));
    profile.kernels.push_back(span(EventKind::kernel, "Tan", "CPU", 20, 40));
    profile.kernels.push_back(span(EventKind::copy, "Copy", "cuda", 60, 70));
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
    EXPECT_EQ(timeline.tracks[0].lanes.size(), 2u);     // the run, and the kernel of the thread in it
    EXPECT_EQ(timeline.tracks[0].lanes[1].size(), 1u);
}

TEST(DeviceLanes, StandBetweenTheThreadThatFeedsThemAndItsWorkers) {
    Profile profile = splitProfile();
    profile.ranges.push_back(span(EventKind::range, "Tan", "CPU", 20, 40));
    profile.ranges.back().thread = 1;
    const Timeline timeline = makeTimeline(profile);
    ASSERT_EQ(timeline.tracks.size(), 3u);
    EXPECT_EQ(timeline.tracks[0].thread, 0);
    EXPECT_EQ(timeline.tracks[1].provider, "cuda");
    EXPECT_EQ(timeline.tracks[2].thread, 1);
}

TEST(PlacementVerdict, TellsSharesAndWhatCopiesCost) {
    auto run = std::make_shared<app::RunRecord>();
    auto profile = std::make_shared<Profile>(splitProfile());
    run->profile = profile;
    run->summary = summarize(*profile);
    run->placement.islands = {{"cuda", 1, 0, 0}};
    run->placement.nodes = {{NodeId(1), "m", "MatMul", "cuda", 0, false, {}},
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
    EXPECT_TRUE(text.contains(QStringLiteral("1 of 2 nodes, 96 % of the arithmetic, on cuda; 2 copies cost")))
        << text.toStdString();
    run->placement = {};
    EXPECT_TRUE(remarksOf(digest).isEmpty());
    EXPECT_FALSE(verdictOf(digest).contains(QStringLiteral("copies"))) << "the headline is where the time goes";
}

TEST(PluginDetails, TellWhatItBringsOrWhyNot) {
    app::PluginProbe bad{"/x/bad.so", {}, "it crashed while it was probed"};
    EXPECT_TRUE(pluginDetails(bad, QPalette()).contains(QStringLiteral("it crashed while it was probed")));
    app::PluginProbe good{"/x/good.so", PluginInfo{}, {}};
    good.info->name = "good<b>";
    good.info->provider = "pages";
    good.info->devices = {{"pages:0", "Pages", "", "", 1u << 30, ""}, {"pages:1", "Broken", "", "", 0, "it is broken"}};
    good.info->options = {{"refuse", "an operator", "", "An operator that is not taken"}};
    good.info->operators = {{"example", "Scale", 1, "y = 2 x"}};
    const QString html = pluginDetails(good, QPalette());
    for (const char* part : {"good&lt;b&gt;", "example::Scale", "it is broken", "An operator that is not taken"})
        EXPECT_TRUE(html.contains(QLatin1String(part))) << part;
    OnnxRuntimeInfo engine;
    engine.version = "1.32.0";
    engine.providers = {{"CPU", ""}, {"CUDA", "libcuda.so.1 is missing"}};
    EXPECT_TRUE(engineDetails(engine, QPalette()).contains(QStringLiteral("libcuda.so.1 is missing")));
}

TEST(RunsOnNames, VariantsSayWhatTheyRunOn) {
    EXPECT_EQ(app::nameOf(app::onnxRuntimeRecipe()), QStringLiteral("ONNX Runtime · All"));
    app::Recipe recipe;
    recipe.level = Level::extended;
    recipe.runs_on.emplace().providers.push_back({"cuda", {{"device", "1"}}});
    EXPECT_EQ(app::nameOf(recipe), QStringLiteral("Extended on cuda"));
    EXPECT_EQ(app::runsOnWords(*recipe.runs_on),
              (QStringList{QStringLiteral("--provider"), QStringLiteral("cuda:device=1")}));
}

}  // namespace
}  // namespace lapidary::views
