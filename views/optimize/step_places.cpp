// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimize/step_places.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace lapidary::views {
namespace {

// offset of cards on a pile, which is used if there is no free place
constexpr double stackedX = 26, stackedY = 16;

QPointF centreOfBox(const GraphScene& scene, OutlineIndex leaf) {
    return scene.boxes[scene.boxOfLeaf[leaf]].rect().center();
}

}  // namespace

std::string nodeKey(const GraphPath& place, NodeId node) {
    return place.key() + '#' + std::to_string(node.index);
}

std::vector<std::string> leafKeys(const GraphOutline& outline) {
    std::vector<std::string> keys;
    keys.reserve(outline.leaves().size());
    for (const OutlineLeaf& leaf : outline.leaves()) {
        const GraphPath& path = outline.places()[leaf.place].path;
        if (leaf.kind == OutlineLeaf::Kind::Node) keys.push_back(nodeKey(path, leaf.node));
        else
            keys.push_back(path.key() + (leaf.kind == OutlineLeaf::Kind::Input ? '<' : '>') +
                           outline.places()[leaf.place].graph->value(leaf.value).name);
    }
    return keys;
}

BaseDrawingPtr drawBase(ModelPtr original, SceneOptions options, const Progress& progress) {
    progress.step("read");
    auto outline = std::make_shared<const GraphOutline>(std::move(original), progress,
                                                        GraphOutline::Scopes::Ignore);
    progress.step("layout");
    options.showConstants = true;
    options.cancel = progress.cancel;
    auto base = std::make_shared<BaseDrawing>();
    base->scene = buildScene(outline, allGroups(*outline, true), options);
    const std::vector<std::string> keys = leafKeys(*outline);
    for (OutlineIndex leaf = 0; leaf < keys.size(); ++leaf) {
        if (base->scene->boxOfLeaf[leaf] != noIndex) base->leaves.emplace(keys[leaf], leaf);
    }
    return base;
}

StepPlaces::StepPlaces(BaseDrawingPtr base, const PipelineReport& report) : base_(std::move(base)) {
    occupied_.assign(base_->scene->outline->leaves().size(), true);
    for (const AppliedRewrite& applied : report.rewrites) {
        Step step;
        QPointF sum;
        int counted = 0;
        step.origins = marksOf(applied);
        for (NodeId node : applied.rewrite.removed) {
            step.removed.push_back(nodeKey(applied.place, node));
            const std::string& key = step.removed.back();
            if (const auto leaf = base_->leaves.find(key); leaf != base_->leaves.end())
                occupied_[leaf->second] = false;
            if (const auto slot = slots_.find(key); slot != slots_.end())
                occupied_[slot->second] = false;
            if (const auto centre = centreOf(key)) {
                sum += *centre;
                ++counted;
            }
        }
        for (NodeId node : applied.rewrite.changed) {
            step.changed.push_back(nodeKey(applied.place, node));
            // the node has absorbed others
            if (applied.level == Level::session) origins_[step.changed.back()] = step.origins;
        }
        int index = 0;
        for (NodeId node : applied.rewrite.added) {
            step.added.push_back(nodeKey(applied.place, node));
            const std::string& key = step.added.back();
            origins_[key] = step.origins;
            if (counted == 0) continue;  // beside its neighbours, which only the graph knows
            Mark taken = noIndex;
            const QPointF pile = sum / counted + QPointF(stackedX, stackedY) * index;
            centres_[key] = placeFor(step.origins, sum / counted, taken);
            if (taken != noIndex) {
                slots_[key] = taken;
                occupied_[taken] = true;
            } else {
                centres_[key] = pile;
            }
            ++index;
        }
        steps_.push_back(std::move(step));
    }
}

/// The rewrite's origins as leaves of the base drawing. It has the nodes of inlined functions,
/// while origins name the calls. The removed nodes show which of the inlined nodes are meant.
std::vector<StepPlaces::Mark> StepPlaces::marksOf(const AppliedRewrite& applied) const {
    std::vector<Mark> marks;
    bool ofCalls = false;
    for (NodeId origin : applied.rewrite.origins) {
        const auto leaf = base_->leaves.find(nodeKey(applied.place, origin));
        if (leaf != base_->leaves.end()) marks.push_back(leaf->second);
        else ofCalls = true;
    }
    if (ofCalls)
        for (const auto* nodes : {&applied.rewrite.removed, &applied.rewrite.changed})
            for (NodeId node : *nodes)
                for (Mark m : originsOf(nodeKey(applied.place, node))) marks.push_back(m);
    std::ranges::sort(marks);
    marks.erase(std::unique(marks.begin(), marks.end()), marks.end());
    return marks;
}

/// The free place among those of the origins that is nearest to the middle of what was replaced.
QPointF StepPlaces::placeFor(const std::vector<Mark>& origins, const QPointF& middle, Mark& taken) {
    QPointF best = middle;
    double nearest = std::numeric_limits<double>::max();
    for (Mark leaf : origins) {
        if (occupied_[leaf] || base_->scene->boxOfLeaf[leaf] == noIndex) continue;
        const QPointF centre = centreOfBox(*base_->scene, leaf), d = centre - middle;
        if (QPointF::dotProduct(d, d) >= nearest) continue;
        nearest = QPointF::dotProduct(d, d);
        best = centre;
        taken = leaf;
    }
    return best;
}

std::optional<QPointF> StepPlaces::centreOf(const std::string& key) const {
    if (const auto at = centres_.find(key); at != centres_.end()) return at->second;
    if (const auto leaf = base_->leaves.find(key); leaf != base_->leaves.end())
        return centreOfBox(*base_->scene, leaf->second);
    return std::nullopt;
}

std::vector<StepPlaces::Mark> StepPlaces::originsOf(const std::string& key) const {
    if (const auto at = origins_.find(key); at != origins_.end()) return at->second;
    if (const auto leaf = base_->leaves.find(key); leaf != base_->leaves.end())
        return {leaf->second};
    return {};
}

}  // namespace lapidary::views
