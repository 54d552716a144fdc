// SPDX-License-Identifier: GPL-3.0-or-later
// What every scene needs after its layout: the size of cards, and indices of positions.
#include <algorithm>

#include "canvas/graph_scene.h"

namespace lapidary::views {
namespace {

constexpr float cardMargin = 10, lineHeight = 15, titleHeight = 24;
constexpr float mostPieceArea = 40'000;
constexpr float narrowest = 72, widest = 230;

/// Cuts a line so that the rectangle around each piece is small or thin.
void cut(GraphScene& scene, OutlineIndex index, std::vector<QRectF>& bounds) {
    const SceneLine& line = scene.lines[index];
    const auto points = scene.pointsOf(line);
    for (std::size_t start = 0; start + 1 < points.size();) {
        LayoutPoint low = points[start], high = low;
        std::size_t end = start;
        while (end + 1 < points.size()) {
            const LayoutPoint p = points[end + 1];
            const LayoutPoint l{std::min(low.x, p.x), std::min(low.y, p.y)},
                h{std::max(high.x, p.x), std::max(high.y, p.y)};
            if (end > start && (h.x - l.x) * (h.y - l.y) > mostPieceArea) break;
            low = l;
            high = h;
            ++end;
        }
        scene.pieces.push_back({index, line.first + static_cast<std::uint32_t>(start),
                                static_cast<std::uint32_t>(end - start + 1),
                                end + 1 == points.size()});
        bounds.push_back(QRectF(low.x, low.y, high.x - low.x, high.y - low.y));
        start = end;
    }
}

}  // namespace

void measureBox(const GraphOutline& outline, const SceneOptions& options, SceneBox& box) {
    const bool group = box.group != noIndex;
    float width = options.title.of(group ? outline.groups()[box.group].label
                                         : outline.leaves()[box.leaf].title);
    int lines = 0;
    if (group) {
        width += 18;  // the sign that it opens
        lines = 1;
        width = std::max(width, options.body.of(outline.countText(box.group)));
    } else {
        const OutlineLeaf& leaf = outline.leaves()[box.leaf];
        for (const QString* line : {&leaf.name, &leaf.detail}) {
            if (line->isEmpty()) continue;
            ++lines;
            width = std::max(width, options.body.of(*line));
        }
    }
    box.width = std::clamp(width + 2 * cardMargin + 4, narrowest, widest);
    box.height = titleHeight + (lines > 0 ? 2 + static_cast<float>(lines) * lineHeight : 0);
}

void indexScene(GraphScene& scene) {
    std::vector<QRectF> bounds;
    for (const SceneBox& box : scene.boxes) bounds.push_back(box.rect());
    scene.boxGrid = SceneGrid(scene.width, scene.height, bounds);
    scene.linesOut.resize(scene.boxes.size());
    scene.linesIn.resize(scene.boxes.size());
    bounds.clear();
    for (OutlineIndex i = 0; i < scene.lines.size(); ++i) {
        scene.linesOut[scene.lines[i].source].push_back(i);
        scene.linesIn[scene.lines[i].target].push_back(i);
        cut(scene, i, bounds);
    }
    scene.pieceGrid = SceneGrid(scene.width, scene.height, bounds);
    scene.labels = placeLabels(scene);
}

}  // namespace lapidary::views
