// SPDX-License-Identifier: Apache-2.0
// Shapes beside the ends of lines: no other line runs through them, and none lies over another or
// over a card, in drawings of several columns too.
#include <gtest/gtest.h>

#include <algorithm>

#include <lapidary/inputs/samples.h>

#include "canvas/graph_scene.h"
#include "canvas/line_curve.h"
#include "views/graph_models.h"

namespace lapidary::views {
namespace {

constexpr double touching = 1;  // pixels of a label that a line may graze
constexpr int parts = 24;       // of a curve, straight between

SceneOptions in_columns() {
    SceneOptions options;
    options.title.ascii.fill(8);
    options.body.ascii.fill(6);
    options.aspect = 1.3;
    return options;
}

/// The line as a chain of short straight ones.
std::vector<QPointF> drawn(const GraphScene& scene, const SceneLine& line) {
    std::vector<QPointF> chain;
    const auto points = scene.pointsOf(line);
    for (std::size_t i = 1; i < points.size(); ++i)
        for (int k = 0; k <= parts; ++k)
            chain.push_back(onCurve({points[i - 1].x, points[i - 1].y}, {points[i].x, points[i].y},
                                    true, double(k) / parts));
    return chain;
}

bool passes(const std::vector<QPointF>& chain, const QRectF& place) {
    for (std::size_t i = 1; i < chain.size(); ++i) {
        const QRectF around = QRectF(chain[i - 1], chain[i]).normalized().adjusted(-1, -1, 1, 1);
        if (!around.intersects(place)) continue;
        for (int k = 0; k <= parts; ++k)
            if (place.contains(chain[i - 1] + (chain[i] - chain[i - 1]) * k / parts)) return true;
    }
    return false;
}

struct Labels {
    int written = 0, crossed = 0, overlapping = 0, overCards = 0, outside = 0;
};

Labels labelsOf(const GraphScene& scene) {
    std::vector<std::vector<QPointF>> chains;
    for (const SceneLine& line : scene.lines) chains.push_back(drawn(scene, line));
    Labels labels;
    for (std::size_t l = 0; l < scene.lines.size(); ++l) {
        const QRectF label = scene.labels[l].adjusted(touching, touching, -touching, -touching);
        if (label.isEmpty()) continue;
        ++labels.written;
        labels.overlapping += std::ranges::any_of(scene.labels, [&](const QRectF& other) {
            return &other != &scene.labels[l] && other.intersects(label);
        });
        labels.overCards += std::ranges::any_of(scene.boxes, [&](const SceneBox& box) {
            return !box.open && box.rect().intersects(label);
        });
        const OutlineIndex frame = scene.boxes[scene.lines[l].target].frame;
        const QRectF room =
            frame != noIndex ? scene.boxes[frame].rect()
                             : QRectF(-sceneBorder, 0, scene.width + 2 * sceneBorder, scene.height);
        labels.outside += label.left() < room.left() || label.right() > room.right();
        for (std::size_t other = 0; other < chains.size(); ++other)
            if (other != l && passes(chains[other], label)) {
                ++labels.crossed;
                break;
            }
    }
    return labels;
}

TEST(LineLabels, NoOtherLineRunsThroughOne) {
    for (const char* sample : {"unet", "resnet18", "shufflenet", "bert-tiny", "squeezenet"}) {
        const auto outline = std::make_shared<const GraphOutline>(
            std::make_shared<const Model>(build_sample(sample)));
        for (const GraphScenePtr& scene : buildFirstScenes(outline, in_columns())) {
            const Labels labels = labelsOf(*scene);
            const std::string what = sample + (", " + std::to_string(scene->boxes.size())) +
                                     " boxes, of " + std::to_string(labels.written);
            EXPECT_EQ(labels.crossed, 0) << what;
            EXPECT_EQ(labels.overlapping, 0) << what;
            EXPECT_EQ(labels.overCards, 0) << what;
            EXPECT_EQ(labels.outside, 0) << what << ": of the frame or the drawing";
            if (scene->boxes.size() > 10)
                EXPECT_GT(4 * labels.written, int(scene->lines.size()))
                    << sample << ": lines say what they carry";
        }
    }
}

TEST(LineLabels, AChainInColumnsKeepsThemAll) {
    const auto outline = std::make_shared<const GraphOutline>(chain_model(200));
    const GraphScenePtr scene = buildScene(outline, defaultOpenGroups(*outline), in_columns());
    const Labels labels = labelsOf(*scene);
    EXPECT_EQ(labels.written, int(scene->lines.size()));
    EXPECT_EQ(labels.crossed, 0);
}

}  // namespace
}  // namespace lapidary::views
