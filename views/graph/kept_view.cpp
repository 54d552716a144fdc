// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/kept_view.h"

#include <algorithm>

namespace lapidary::views {
namespace {

constexpr std::size_t most_kept_places = 200;

QString labelPath(const GraphOutline& outline, OutlineIndex group) {
    QString path;
    for (; group != noIndex; group = outline.groups()[group].parent)
        path = outline.groups()[group].label + u'\n' + path;
    return path;
}

}  // namespace

KeptView keepView(const GraphCanvas& canvas) {
    KeptView kept;
    const GraphScenePtr& scene = canvas.scene();
    if (!scene) return kept;
    kept.scale = canvas.scale();
    kept.flatter = scene->options.flatter;
    kept.hasKeyboard = canvas.hasFocus();
    for (OutlineIndex group = 0; group < scene->open.size(); ++group)
        if (scene->open[group]) kept.open.insert(labelPath(*scene->outline, group));
    const QRectF visible = canvas.visibleArea();
    std::vector<std::uint32_t> found;
    scene->boxGrid.find(visible, found);
    std::erase_if(found, [&](std::uint32_t box) {
        const OutlineIndex leaf = scene->boxes[box].leaf;
        return leaf == noIndex || scene->outline->leaves()[leaf].place != 0 ||
               scene->outline->leaves()[leaf].kind != OutlineLeaf::Kind::Node;
    });
    std::ranges::sort(found, {}, [&](std::uint32_t box) {
        return (scene->boxes[box].rect().center() - visible.center()).manhattanLength();
    });
    if (found.size() > most_kept_places) found.resize(most_kept_places);
    for (const std::uint32_t box : found)
        kept.places.push_back({scene->outline->leaves()[scene->boxes[box].leaf].node,
                               canvas.fromScene(scene->boxes[box].rect().topLeft())});
    return kept;
}

OpenGroups openAgain(const GraphOutline& outline, const KeptView& kept) {
    OpenGroups open(outline.groups().size());
    for (OutlineIndex group = 0; group < open.size(); ++group)
        open[group] = group == 0 || kept.open.contains(labelPath(outline, group));
    return open;
}

void restoreView(GraphCanvas& canvas, const KeptView& kept) {
    const GraphScenePtr& scene = canvas.scene();
    if (!scene || !kept.isKept()) return;
    for (const KeptView::Place& place : kept.places) {
        const OutlineIndex leaf = scene->outline->leafOf(0, place.node);
        const OutlineIndex box = leaf == noIndex ? noIndex : scene->boxOfLeaf[leaf];
        if (box == noIndex || scene->boxes[box].leaf != leaf) continue;
        canvas.showView(kept.scale, scene->boxes[box].rect().topLeft() - place.at / kept.scale);
        return;
    }
}

}  // namespace lapidary::views
