// SPDX-License-Identifier: Apache-2.0
// Files whose names have no scopes: repeated blocks of their models are folded too.
#include <gtest/gtest.h>

#include <algorithm>

#include <lapidary/passes/optimize.h>
#include <lapidary/inputs/samples.h>

#include "canvas/graph_scene.h"
#include "views/graph_models.h"

namespace lapidary::views {
namespace {

/// The model with meaningless names: "n17", "t203".
ModelPtr without_names(Model model) {
    GraphEdit edit(model.graph);
    int number = 0;
    for (const NodeId id :
         std::vector<NodeId>(model.graph.nodes().begin(), model.graph.nodes().end())) {
        edit.rename(id, "n" + std::to_string(number));
        for (const ValueId value : model.graph.node(id).outputs)
            if (value && model.graph.value(value).output_uses == 0)
                edit.rename(value, "t" + std::to_string(number++));
        ++number;
    }
    edit.finish();
    return std::make_shared<const Model>(std::move(model));
}

struct Fold {
    QString label;
    std::vector<std::uint32_t> nodes;  // of each block
};

/// The groups "N × block" of an outline, with what is in them.
std::vector<Fold> foldsOf(const GraphOutline& outline) {
    std::vector<Fold> folds;
    for (const OutlineGroup& group : outline.groups()) {
        if (!group.label.endsWith(QStringLiteral(" × block"))) continue;
        Fold fold{group.label, {}};
        for (const OutlineIndex inner : group.groups)
            fold.nodes.push_back(outline.groups()[inner].nodes);
        folds.push_back(std::move(fold));
    }
    return folds;
}

GraphOutlinePtr outlineOf(const char* sample, Level level = Level::disabled) {
    OptimizeOptions options;
    options.level = level;
    Model model = build_sample(sample);
    return std::make_shared<const GraphOutline>(without_names(
        level == Level::disabled ? std::move(model) : optimize(std::move(model), options).model));
}

/// Number of nodes in the scope of the original names, which the block must have too.
std::uint32_t nodesOfScope(const char* sample, const QString& label) {
    const GraphOutline outline(std::make_shared<const Model>(build_sample(sample)));
    const auto found = std::ranges::find(outline.groups(), label, &OutlineGroup::label);
    return found == outline.groups().end() ? 0 : found->nodes;
}

TEST(RepeatsWithoutScopes, TransformersAreFoldedIntoTheirLayers) {
    struct Case {
        const char* sample;
        Level level;
        std::size_t blocks;
    };
    // optimized, the first layer of GPT-2 begins with a norm of its own, the others with that of
    // the sum before
    for (const Case& c :
         {Case{"bert-base", Level::disabled, 12}, Case{"bert-base", Level::extended, 12},
          Case{"gpt2-small", Level::disabled, 12}, Case{"gpt2-small", Level::extended, 11}}) {
        const std::string what = c.sample + std::string(" at ") + std::string(name_of(c.level));
        const auto outline = outlineOf(c.sample, c.level);
        const auto folds = foldsOf(*outline);
        ASSERT_EQ(folds.size(), 1u) << what;
        EXPECT_EQ(folds[0].label, QStringLiteral("%1 × block").arg(c.blocks)) << what;
        ASSERT_EQ(folds[0].nodes.size(), c.blocks) << what;
        for (const std::uint32_t nodes : folds[0].nodes)
            EXPECT_EQ(nodes, folds[0].nodes[0]) << what;
        EXPECT_GT(c.blocks * folds[0].nodes[0], outline->groups()[0].nodes * 3 / 4)
            << what << ": most of the model";
    }
}

TEST(RepeatsWithoutScopes, ALayerHasTheNodesOfItsScope) {
    EXPECT_EQ(foldsOf(*outlineOf("bert-base"))[0].nodes[3],
              nodesOfScope("bert-base", QStringLiteral("layer.3")));
}

TEST(RepeatsWithoutScopes, ResidualNetsAreFoldedIntoTheirStages) {
    const auto outline = outlineOf("resnet50");
    std::vector<std::string> labels;
    for (const Fold& fold : foldsOf(*outline)) labels.push_back(fold.label.toStdString());
    std::ranges::sort(labels);
    EXPECT_EQ(labels,
              (std::vector<std::string>{"2 × block", "2 × block", "3 × block", "5 × block"}))
        << "the first block of each stage has a convolution on the side";
}

TEST(RepeatsWithoutScopes, WhatRepeatsNothingIsNotFolded) {
    for (const char* sample : {"unet", "lenet", "mlp"})
        EXPECT_TRUE(foldsOf(*outlineOf(sample)).empty()) << sample;
    EXPECT_TRUE(foldsOf(GraphOutline(chain_model(10'000))).empty())
        << "single operators are no blocks";
    const auto plain = std::make_shared<const Model>(build_sample("bert-base"));
    EXPECT_TRUE(foldsOf(GraphOutline(plain, {}, GraphOutline::Scopes::Ignore)).empty())
        << "folding is off";
}

TEST(RepeatsWithoutScopes, EveryNodeStandsInOneGroupAndTheDrawingOpens) {
    const auto outline = outlineOf("gpt2-small");
    std::vector<int> times(outline->leaves().size(), 0);
    for (OutlineIndex g = 0; g < outline->groups().size(); ++g) {
        for (const OutlineIndex leaf : outline->groups()[g].leaves) {
            ++times[leaf];
            EXPECT_EQ(outline->leaves()[leaf].group, g);
        }
        if (g > 0) EXPECT_LT(outline->groups()[g].parent, g) << "parents first";
    }
    EXPECT_EQ(std::ranges::count(times, 1), std::ssize(times));
    SceneOptions options;
    options.title.ascii.fill(8);
    options.body.ascii.fill(6);
    for (const bool open : {false, true}) {
        const GraphScenePtr scene = buildScene(outline, allGroups(*outline, open), options);
        for (const SceneLine& line : scene->lines)
            EXPECT_FALSE(line.backward) << "data flows one way";
    }
}

TEST(RepeatsWithoutScopes, AreTheSameEachTime) {
    const auto once = outlineOf("resnet50"), again = outlineOf("resnet50");
    ASSERT_EQ(once->groups().size(), again->groups().size());
    for (std::size_t g = 0; g < once->groups().size(); ++g) {
        EXPECT_EQ(once->groups()[g].label, again->groups()[g].label);
        EXPECT_EQ(once->groups()[g].leaves, again->groups()[g].leaves);
    }
}

TEST(RepeatsWithScopes, AreCounted) {
    const GraphOutline outline(std::make_shared<const Model>(build_sample("bert-base")));
    bool reported = false;
    for (OutlineIndex g = 0; g < outline.groups().size(); ++g)
        reported = reported || outline.countText(g).startsWith(QStringLiteral("12 × layer · "));
    EXPECT_TRUE(reported);
}

TEST(RepeatsWithScopes, DoNotSayTheirOwnNameTwice) {
    const GraphOutline outline(ort_cnn_model(17));
    std::size_t counted = 0;
    for (OutlineIndex g = 0; g < outline.groups().size(); ++g) {
        const OutlineGroup& group = outline.groups()[g];
        if (group.repeats.isEmpty()) continue;
        counted += group.repeats.endsWith(QStringLiteral(" × block"));
        EXPECT_FALSE(group.repeats.contains(group.label.section(u' ', 0, 0)))
            << group.repeats.toStdString();
    }
    EXPECT_GT(counted, 0u) << "\"features\" of \"features.0\" to \"features.16\"";
}

}  // namespace
}  // namespace lapidary::views
