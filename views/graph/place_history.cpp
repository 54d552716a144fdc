// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/place_history.h"

#include <limits>
#include <utility>

namespace lapidary::views {
namespace {

/// Whether both show the same part of the same drawing; what is selected does not matter.
bool looksLike(const GraphPlace& a, const GraphPlace& b) {
    return a.open == b.open && a.scale == b.scale && a.leaf == b.leaf && a.group == b.group &&
           (a.at - b.at).manhattanLength() < 1;
}

std::optional<GraphPlace> step(std::vector<GraphPlace>& from, std::vector<GraphPlace>& to,
                               GraphPlace now) {
    // A place that looks like this one is no step.
    while (!from.empty() && looksLike(from.back(), now)) from.pop_back();
    if (from.empty()) return std::nullopt;
    to.push_back(std::move(now));
    GraphPlace next = std::move(from.back());
    from.pop_back();
    return next;
}

}  // namespace

GraphPlace placeOf(const GraphCanvas& canvas) {
    const GraphScene& scene = *canvas.scene();
    GraphPlace place{scene.open, canvas.selection(), canvas.scale()};
    const QRectF seen = canvas.visibleArea();
    std::vector<std::uint32_t> near;
    scene.boxGrid.find(seen, near);
    double least = std::numeric_limits<double>::max();
    for (const std::uint32_t index : near) {
        const SceneBox& box = scene.boxes[index];
        if (box.open) continue;
        const double distance = (box.rect().center() - seen.center()).manhattanLength();
        if (distance >= least) continue;
        least = distance;
        place.leaf = box.leaf;
        place.group = box.leaf == noIndex ? box.group : noIndex;
        place.at = canvas.fromScene(box.rect().topLeft());
    }
    return place;
}

void showPlace(GraphCanvas& canvas, const GraphPlace& place) {
    const GraphScene& scene = *canvas.scene();
    const OutlineIndex box = place.leaf != noIndex    ? scene.boxOfLeaf[place.leaf]
                             : place.group != noIndex ? scene.boxOfGroup[place.group]
                                                      : noIndex;
    if (box == noIndex) return;
    canvas.showView(place.scale, scene.boxes[box].rect().topLeft() - place.at / place.scale);
}

void PlaceHistory::leave(GraphPlace place) {
    ahead_.clear();
    if (!behind_.empty() && looksLike(behind_.back(), place)) behind_.pop_back();
    behind_.push_back(std::move(place));
    if (behind_.size() > most) behind_.erase(behind_.begin());
}

std::optional<GraphPlace> PlaceHistory::back(GraphPlace now) {
    return step(behind_, ahead_, std::move(now));
}

std::optional<GraphPlace> PlaceHistory::forward(GraphPlace now) {
    return step(ahead_, behind_, std::move(now));
}

void PlaceHistory::clear() {
    behind_.clear();
    ahead_.clear();
}

}  // namespace lapidary::views
