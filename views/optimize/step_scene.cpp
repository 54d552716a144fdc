// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimize/step_scene.h"

#include <algorithm>
#include <cmath>

namespace lapidary::views {
namespace {

constexpr float frameMargin = 16, frameHeader = 30;
constexpr float longestLine = 4000;  // longer ones are cut into two labelled ends
constexpr float stubLength = 16;

class StepBuilder {
public:
    StepBuilder(GraphOutlinePtr outline, const StepPlaces& places, const MovedBoxes& moved)
        : outline_(*outline), base_(*places.base().scene), places_(places), moved_(moved),
          scene_(std::make_shared<GraphScene>()), keys_(leafKeys(*outline)) {
        scene_->outline = std::move(outline);
        scene_->open = allGroups(outline_, true);
        scene_->options = base_.options;
    }

    GraphScenePtr build(const CancelToken& cancel) {
        addBoxes();
        placeLeaves();
        cancel.throw_if_cancelled();
        placeOrphans();
        fitFrames();
        scene_->width = base_.width;
        scene_->height = base_.height;
        for (const SceneBox& box : scene_->boxes) {
            scene_->width = std::max(scene_->width, box.x + box.width);
            scene_->height = std::max(scene_->height, box.y + box.height);
        }
        cancel.throw_if_cancelled();
        findBaseLines();
        for (OutlineIndex t = 0; t < outline_.tensors().size(); ++t) addTensor(t);
        cancel.throw_if_cancelled();
        indexScene(*scene_);
        return scene_;
    }

private:
    /// Adds boxes, frames before their content.
    void addBoxes() {
        scene_->boxOfLeaf.assign(outline_.leaves().size(), noIndex);
        scene_->boxOfGroup.assign(outline_.groups().size(), noIndex);
        std::vector<OutlineIndex> groups{0};
        for (std::size_t i = 0; i < groups.size(); ++i) {
            const OutlineGroup& group = outline_.groups()[groups[i]];
            SceneBox box;
            box.frame = scene_->boxOfGroup[groups[i]];
            for (OutlineIndex leaf : group.leaves) {
                box.leaf = leaf;
                measureBox(outline_, scene_->options, box);
                scene_->boxOfLeaf[leaf] = add(box);
            }
            for (OutlineIndex child : group.groups) {
                SceneBox frame;
                frame.frame = box.frame;
                frame.group = child;
                frame.leaf = outline_.groups()[child].leaf;
                frame.open = true;
                scene_->boxOfGroup[child] = add(frame);
                if (frame.leaf != noIndex)
                    scene_->boxOfLeaf[frame.leaf] = scene_->boxOfGroup[child];
                groups.push_back(child);
            }
        }
        placed_.assign(scene_->boxes.size(), false);
    }

    OutlineIndex add(const SceneBox& box) {
        scene_->boxes.push_back(box);
        return static_cast<OutlineIndex>(scene_->boxes.size() - 1);
    }

    void put(OutlineIndex index, const QPointF& centre) {
        SceneBox& box = scene_->boxes[index];
        box.x = std::max(0.0f, static_cast<float>(std::round(centre.x() - box.width / 2)));
        box.y = std::max(0.0f, static_cast<float>(std::round(centre.y() - box.height / 2)));
        placed_[index] = true;
    }

    void placeLeaves() {
        for (OutlineIndex leaf = 0; leaf < keys_.size(); ++leaf) {
            const OutlineIndex box = scene_->boxOfLeaf[leaf];
            if (box == noIndex || scene_->boxes[box].open) continue;
            if (const auto at = moved_.find(keys_[leaf]); at != moved_.end()) put(box, at->second);
            else if (const auto centre = places_.centreOf(keys_[leaf])) put(box, *centre);
        }
    }

    /// Places new nodes that replace nothing between the nodes they read and their readers.
    void placeOrphans() {
        for (int round = 0; round < 3; ++round) {
            for (OutlineIndex t = 0; t < outline_.tensors().size(); ++t) {
                const OutlineTensor& tensor = outline_.tensors()[t];
                const OutlineIndex from = scene_->boxOfLeaf[tensor.producer];
                for (const OutlineReader& reader : tensor.readers) {
                    const OutlineIndex to = scene_->boxOfLeaf[reader.leaf];
                    if (placed_[from] == placed_[to]) continue;
                    const OutlineIndex known = placed_[from] ? from : to,
                                       orphan = placed_[from] ? to : from;
                    if (scene_->boxes[orphan].open || scene_->boxes[known].open) continue;
                    const QRectF beside = scene_->boxes[known].rect();
                    const double step = (beside.height() + scene_->boxes[orphan].height) / 2 + 6;
                    put(orphan, beside.center() + QPointF(18, known == from ? step : -step));
                }
            }
        }
    }

    void fitFrames() {
        for (std::size_t i = scene_->boxes.size(); i-- > 0;) {
            SceneBox& box = scene_->boxes[i];
            if (box.open) {
                QRectF area;
                if (box.leaf != noIndex) {
                    if (const auto at = places_.base().leaves.find(keys_[box.leaf]);
                        at != places_.base().leaves.end())
                        area = base_.boxes[base_.boxOfLeaf[at->second]].rect();
                }
                const auto content = contents_.find(static_cast<OutlineIndex>(i));
                if (content != contents_.end())
                    area |= content->second.adjusted(-frameMargin, -frameHeader, frameMargin,
                                                     frameMargin);
                if (area.isEmpty()) area = QRectF(0, 0, 80, 60);
                box.x = std::max(0.0f, static_cast<float>(area.x()));
                box.y = std::max(0.0f, static_cast<float>(area.y()));
                box.width = static_cast<float>(area.width());
                box.height = static_cast<float>(area.height());
            }
            if (box.frame != noIndex) contents_[box.frame] |= box.rect();
        }
    }

    std::string tensorKey(const GraphOutline& outline, const std::vector<std::string>& keys,
                          const OutlineTensor& tensor) const {
        return keys[tensor.producer] + '|' + outline.valueOf(tensor).name;
    }

    void findBaseLines() {
        const GraphOutline& outline = *base_.outline;
        baseKeys_ = leafKeys(outline);
        for (OutlineIndex t = 0; t < outline.tensors().size(); ++t)
            baseTensors_.emplace(tensorKey(outline, baseKeys_, outline.tensors()[t]), t);
        baseLines_.resize(outline.tensors().size());
        baseStubs_.resize(outline.tensors().size());
        for (std::uint32_t i = 0; i < base_.lines.size(); ++i)
            baseLines_[base_.lines[i].tensor].push_back(i);
        for (std::uint32_t i = 0; i < base_.stubs.size(); ++i)
            baseStubs_[base_.stubs[i].tensor].push_back(i);
    }

    /// The scene's box for a plain box of the base; noIndex when it is gone, moved or a frame.
    OutlineIndex counterpart(OutlineIndex box) {
        const SceneBox& b = base_.boxes[box];
        if (b.open || b.leaf == noIndex) return noIndex;
        if (leafByKey_.empty()) {
            for (OutlineIndex leaf = 0; leaf < keys_.size(); ++leaf)
                leafByKey_.emplace(keys_[leaf], leaf);
        }
        const auto at = leafByKey_.find(baseKeys_[b.leaf]);
        if (at == leafByKey_.end() || moved_.contains(at->first)) return noIndex;
        return scene_->boxOfLeaf[at->second];
    }

    static std::vector<std::string> readerKeys(const OutlineTensor& tensor,
                                               const std::vector<std::string>& keys) {
        std::vector<std::string> readers;
        for (const OutlineReader& reader : tensor.readers)
            readers.push_back(keys[reader.leaf] + ':' + std::to_string(reader.socket));
        std::ranges::sort(readers);
        return readers;
    }

    bool copyLines(OutlineIndex t) {
        const OutlineTensor& tensor = outline_.tensors()[t];
        const auto at = baseTensors_.find(tensorKey(outline_, keys_, tensor));
        if (at == baseTensors_.end()) return false;
        const GraphOutline& base = *base_.outline;
        if (readerKeys(tensor, keys_) != readerKeys(base.tensors()[at->second], baseKeys_))
            return false;
        std::vector<std::pair<OutlineIndex, OutlineIndex>> lineEnds, stubEnds;
        for (std::uint32_t i : baseLines_[at->second]) {
            lineEnds.emplace_back(counterpart(base_.lines[i].source),
                                  counterpart(base_.lines[i].target));
            if (lineEnds.back().first == noIndex || lineEnds.back().second == noIndex) return false;
        }
        for (std::uint32_t i : baseStubs_[at->second]) {
            stubEnds.emplace_back(counterpart(base_.stubs[i].box),
                                  counterpart(base_.stubs[i].other));
            if (stubEnds.back().first == noIndex || stubEnds.back().second == noIndex) return false;
        }
        for (std::size_t k = 0; k < lineEnds.size(); ++k) {
            const SceneLine& old = base_.lines[baseLines_[at->second][k]];
            SceneLine line{t,
                           lineEnds[k].first,
                           lineEnds[k].second,
                           static_cast<std::uint32_t>(scene_->points.size()),
                           old.count,
                           old.backward,
                           old.arrives};
            for (const LayoutPoint& p : base_.pointsOf(old)) scene_->points.push_back(p);
            scene_->lines.push_back(line);
        }
        for (std::size_t k = 0; k < stubEnds.size(); ++k) {
            SceneStub stub = base_.stubs[baseStubs_[at->second][k]];
            stub.tensor = t;
            stub.box = stubEnds[k].first;
            stub.other = stubEnds[k].second;
            scene_->stubs.push_back(stub);
        }
        return true;
    }

    static float socket(std::size_t index, std::size_t count) {
        return static_cast<float>(std::min(index, count) + 1) / static_cast<float>(count + 1);
    }

    void addTensor(OutlineIndex t) {
        if (copyLines(t)) return;
        const OutlineTensor& tensor = outline_.tensors()[t];
        const OutlineIndex from = scene_->boxOfLeaf[tensor.producer];
        const SceneBox& source = scene_->boxes[from];
        const OutlineLeaf& writer = outline_.leaves()[tensor.producer];
        const LayoutPoint start{
            source.x + source.width * (writer.outputs > 1 && !source.open
                                           ? socket(tensor.socket, writer.outputs)
                                           : 0.5f),
            source.y + source.height};
        std::uint32_t hidden = 0;
        OutlineIndex firstHidden = noIndex;
        std::vector<OutlineIndex> drawn;
        for (const OutlineReader& reader : tensor.readers) {
            const OutlineIndex to = scene_->boxOfLeaf[reader.leaf];
            if (to == from || std::ranges::find(drawn, to) != drawn.end()) continue;
            drawn.push_back(to);
            const SceneBox& target = scene_->boxes[to];
            const OutlineLeaf& leaf = outline_.leaves()[reader.leaf];
            const LayoutPoint end{
                target.x + target.width * (leaf.inputs > 1 && !target.open
                                               ? socket(reader.socket, leaf.inputs)
                                               : 0.5f),
                target.y};
            if (std::abs(end.y - start.y) > longestLine) {
                ++hidden;
                if (firstHidden == noIndex) firstHidden = to;
                scene_->stubs.push_back({t, to, from, 0, end, {end.x, end.y - stubLength}});
                continue;
            }
            scene_->lines.push_back({t, from, to, static_cast<std::uint32_t>(scene_->points.size()),
                                     2, end.y < start.y, true});
            scene_->points.push_back(start);
            scene_->points.push_back(end);
        }
        if (hidden > 0)
            scene_->stubs.push_back(
                {t, from, firstHidden, hidden, start, {start.x, start.y + stubLength}});
    }

    const GraphOutline& outline_;
    const GraphScene& base_;
    const StepPlaces& places_;
    const MovedBoxes& moved_;
    std::shared_ptr<GraphScene> scene_;
    std::vector<std::string> keys_, baseKeys_;
    std::vector<bool> placed_;
    std::unordered_map<OutlineIndex, QRectF> contents_;  // of frames
    std::unordered_map<std::string, OutlineIndex> baseTensors_, leafByKey_;
    std::vector<std::vector<std::uint32_t>> baseLines_, baseStubs_;  // by base tensor
};

}  // namespace

GraphScenePtr drawStep(GraphOutlinePtr outline, const StepPlaces& places, const MovedBoxes& moved,
                       const CancelToken& cancel) {
    return StepBuilder(std::move(outline), places, moved).build(cancel);
}

}  // namespace lapidary::views
