// SPDX-License-Identifier: GPL-3.0-or-later
// Queries of a scene, and the choice of groups that are open at first.
#include "canvas/graph_scene.h"

#include <algorithm>

namespace lapidary::views {

float TextWidths::of(QStringView text) const {
    float width = 0;
    for (QChar c : text) width += c.unicode() < 128 ? ascii[c.unicode()] : other;
    return width;
}

namespace {

// boxes of a drawing that may fit when its groups are lower
constexpr std::size_t most_tried_flat = 80;

std::size_t boxesIn(const GraphOutline& outline, const OutlineGroup& group) {
    std::size_t count = group.groups.size();
    for (OutlineIndex leaf : group.leaves) count += !outline.leaves()[leaf].constant;
    return count;
}

}  // namespace

OpenGroups allGroups(const GraphOutline& outline, bool open) {
    OpenGroups groups(outline.groups().size(), open);
    groups[0] = true;
    return groups;
}

std::size_t countVisible(const GraphOutline& outline, const OpenGroups& open) {
    const auto& groups = outline.groups();
    std::vector<bool> reached(groups.size(), false);
    reached[0] = true;
    std::size_t count = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (!reached[i] || !open[i]) continue;
        count += boxesIn(outline, groups[i]);
        for (OutlineIndex child : groups[i].groups) reached[child] = true;
    }
    return count;
}

OpenGroups defaultOpenGroups(const GraphOutline& outline, std::size_t mostBoxes) {
    // bodies of control flow stay closed unless all of them fits well
    constexpr std::size_t small = 60;
    const auto& groups = outline.groups();
    OpenGroups most = allGroups(outline, true);
    for (std::size_t g = 0; g < groups.size(); ++g)
        if (groups[g].kind == OutlineGroup::Kind::Ends) most[g] = false;
    if (countVisible(outline, most) <= small) return most;
    OpenGroups open = allGroups(outline, false);
    std::vector<OutlineIndex> level{0};
    while (!level.empty()) {
        std::vector<OutlineIndex> next;
        for (OutlineIndex group : level) {
            for (OutlineIndex child : groups[group].groups) {
                if (groups[child].kind == OutlineGroup::Kind::Scope) next.push_back(child);
            }
        }
        OpenGroups wider = open;
        for (OutlineIndex group : next) wider[group] = true;
        if (next.empty() || countVisible(outline, wider) > mostBoxes) break;
        open = std::move(wider);
        level = std::move(next);
    }
    return open;
}

double fittingScale(const GraphScene& scene, QSizeF room) {
    return std::min((room.width() - 2 * sceneBorder) / std::max(1.0f, scene.width),
                    (room.height() - 2 * sceneBorder) / std::max(1.0f, scene.height));
}

std::vector<GraphScenePtr> buildFirstScenes(const GraphOutlinePtr& outline,
                                            const SceneOptions& options) {
    const auto& groups = outline->groups();
    const OpenGroups usual = defaultOpenGroups(*outline);
    std::vector<OpenGroups> folds;
    OpenGroups open = allGroups(*outline, false);
    std::vector<OutlineIndex> level{0};
    while (!level.empty() && open != usual &&
           countVisible(*outline, open) < countVisible(*outline, usual)) {
        folds.push_back(open);
        std::vector<OutlineIndex> next;
        for (const OutlineIndex group : level)
            for (const OutlineIndex child : groups[group].groups)
                if (groups[child].kind == OutlineGroup::Kind::Scope) next.push_back(child);
        if (next.size() > 1) {  // only the largest group
            const auto nodesOf = [&](OutlineIndex group) { return groups[group].nodes; };
            OpenGroups largest = open;
            largest[*std::ranges::max_element(next, {}, nodesOf)] = true;
            if (countVisible(*outline, largest) < countVisible(*outline, usual))
                folds.push_back(std::move(largest));
        }
        for (const OutlineIndex group : next) open[group] = true;
        level = std::move(next);
    }
    folds.push_back(usual);
    std::vector<GraphScenePtr> scenes;
    for (auto fold = folds.rbegin(); fold != folds.rend(); ++fold)
        for (const double flatter : {1.0, 2.0, 3.5}) {
            SceneOptions some = options;
            some.flatter = flatter;
            const GraphScenePtr scene = buildScene(outline, *fold, some);
            const bool hasFrame =
                std::ranges::any_of(scene->boxes, [](const SceneBox& box) { return box.open; });
            scenes.push_back(scene);
            if (!hasFrame || options.aspect == 0 || scene->boxes.size() > most_tried_flat) break;
        }
    return scenes;
}

const GraphScenePtr& firstLook(const std::vector<GraphScenePtr>& scenes, QSizeF room) {
    constexpr std::size_t least_boxes = 5;
    constexpr double mostlyReadableScale = 0.55;
    const auto fits = [&](const GraphScenePtr& scene) {
        return scene->boxes.size() >= least_boxes && fittingScale(*scene, room) >= readableScale;
    };
    const auto found = std::find_if(scenes.begin(), scenes.end(), fits);
    if (found != scenes.end()) return *found;
    // none is readable as a whole: the one nearest to it, if most of it is visible
    const auto best = std::ranges::max_element(scenes, {}, [&](const GraphScenePtr& scene) {
        return scene->boxes.size() >= least_boxes ? fittingScale(*scene, room) : 0.0;
    });
    return fittingScale(**best, room) >= mostlyReadableScale ? *best : scenes.front();
}

OpenGroups toggled(const GraphOutline& outline, OpenGroups open, OutlineIndex group) {
    open[group] = !open[group];
    if (open[group] && outline.groups()[group].kind == OutlineGroup::Kind::Control) {
        for (OutlineIndex body : outline.groups()[group].groups) open[body] = true;
    }
    return open;
}

OutlineIndex GraphScene::boxAt(float x, float y) const {
    std::vector<std::uint32_t> found;
    boxGrid.find(QRectF(x, y, 0, 0), found);
    // frames come before their content, so the last hit is the innermost
    OutlineIndex best = noIndex;
    for (std::uint32_t i : found) {
        if (boxes[i].rect().contains(x, y)) best = i;
    }
    return best;
}

QString GraphScene::titleOf(const SceneBox& box) const {
    return box.group != noIndex ? outline->groups()[box.group].label
                                : outline->leaves()[box.leaf].title;
}

OperatorFamily GraphScene::familyOf(const SceneBox& box) const {
    return box.group != noIndex ? outline->groups()[box.group].mainFamily
                                : outline->leaves()[box.leaf].family;
}

std::uint32_t GraphScene::nodesIn(const SceneBox& box) const {
    if (box.group != noIndex)
        return outline->groups()[box.group].nodes + (box.leaf != noIndex ? 1 : 0);
    return outline->leaves()[box.leaf].kind == OutlineLeaf::Kind::Node ? 1 : 0;
}

}  // namespace lapidary::views
