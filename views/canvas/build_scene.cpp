// SPDX-License-Identifier: GPL-3.0-or-later
// From an outline and its open groups to a drawing. A tensor that leaves or enters open groups is
// cut at each frame into one edge per group; the ends on the frames are invisible boxes pinned to
// the outermost rows, and the edge of the surrounding group continues from them.
#include <algorithm>
#include <unordered_map>

#include "canvas/graph_scene.h"

namespace lapidary::views {
namespace {

constexpr float frameMargin = 16, frameHeader = 30;

/// The drawing of one open group, in its own coordinates.
struct GroupDrawing {
    // scene boxes by local index; noIndex: an end on the frame
    std::vector<OutlineIndex> boxes;
    LayoutInput input;
    std::vector<OutlineIndex> tensorOfEdge;
    std::unordered_map<std::uint64_t, std::uint32_t> edgeOf;  // by tensor and source
    // local index of the end, by tensor
    std::unordered_map<OutlineIndex, std::uint32_t> entryOf, exitOf;
    LayoutResult result;
};

class SceneBuilder {
public:
    SceneBuilder(GraphOutlinePtr outline, OpenGroups open, const SceneOptions& options)
        : outline_(*outline), scene_(std::make_shared<GraphScene>()) {
        open.resize(outline_.groups().size(), false);
        open[0] = true;
        scene_->outline = std::move(outline);
        scene_->open = std::move(open);
        scene_->options = options;
    }

    GraphScenePtr build() {
        addBoxes();
        for (OutlineIndex t = 0; t < outline_.tensors().size(); ++t) addTensor(t);
        for (std::size_t i = drawings_.size(); i-- > 0;) layOut(i);
        const LayoutResult& top = drawings_[0].result;
        scene_->width = top.width;
        scene_->height = top.height;
        for (std::size_t i = 0; i < drawings_.size(); ++i) place(i);
        indexScene(*scene_);
        return scene_;
    }

private:
    bool vertical() const { return scene_->options.direction == LayoutDirection::down; }

    void addBoxes() {
        const auto& groups = outline_.groups();
        scene_->boxOfLeaf.assign(outline_.leaves().size(), noIndex);
        scene_->boxOfGroup.assign(groups.size(), noIndex);
        drawingOfGroup_.assign(groups.size(), noIndex);
        std::vector<OutlineIndex> openOnes{0};
        for (std::size_t i = 0; i < openOnes.size(); ++i) {
            const OutlineIndex g = openOnes[i];
            drawingOfGroup_[g] = static_cast<OutlineIndex>(drawings_.size());
            drawings_.emplace_back();
            groupOfDrawing_.push_back(g);
            for (OutlineIndex leaf : groups[g].leaves) {
                if (outline_.leaves()[leaf].constant && !scene_->options.showConstants) continue;
                SceneBox box;
                box.leaf = leaf;
                scene_->boxOfLeaf[leaf] = add(box, g);
            }
            for (OutlineIndex child : groups[g].groups) {
                SceneBox box;
                box.group = child;
                box.leaf = groups[child].leaf;
                box.open = scene_->open[child];
                const OutlineIndex index = add(box, g);
                scene_->boxOfGroup[child] = index;
                if (box.leaf != noIndex) scene_->boxOfLeaf[box.leaf] = index;
                if (box.open) openOnes.push_back(child);
            }
        }
        // the closed group that hides each group
        std::vector<OutlineIndex> shownBy(groups.size(), noIndex);
        for (OutlineIndex g = 1; g < groups.size(); ++g) {
            const OutlineIndex outer = shownBy[groups[g].parent];
            shownBy[g] = outer != noIndex  ? outer
                         : scene_->open[g] ? noIndex
                                           : scene_->boxOfGroup[g];
        }
        for (OutlineIndex leaf = 0; leaf < outline_.leaves().size(); ++leaf) {
            const OutlineIndex by = shownBy[outline_.leaves()[leaf].group];
            if (by != noIndex) scene_->boxOfLeaf[leaf] = by;
        }
    }

    OutlineIndex add(SceneBox box, OutlineIndex group) {
        box.frame = scene_->boxOfGroup[group];
        if (!box.open) measureBox(outline_, scene_->options, box);
        GroupDrawing& drawing = drawings_[drawingOfGroup_[group]];
        localOfBox_.push_back(static_cast<std::uint32_t>(drawing.boxes.size()));
        drawing.boxes.push_back(static_cast<OutlineIndex>(scene_->boxes.size()));
        drawing.input.boxes.push_back({box.width, box.height});
        groupOfBox_.push_back(group);
        scene_->boxes.push_back(box);
        return static_cast<OutlineIndex>(scene_->boxes.size() - 1);
    }

    /// The box that shows a leaf, or its closed group; noIndex if it is not drawn.
    OutlineIndex shown(OutlineIndex leaf) const { return scene_->boxOfLeaf[leaf]; }

    std::uint32_t edge(GroupDrawing& drawing, OutlineIndex tensor, std::uint32_t source,
                       float port) {
        const auto [found, fresh] =
            drawing.edgeOf.emplace((std::uint64_t{tensor} << 32) | source,
                                   static_cast<std::uint32_t>(drawing.input.edges.size()));
        if (fresh) {
            drawing.input.edges.push_back({source, port, {}});
            drawing.tensorOfEdge.push_back(tensor);
        }
        return found->second;
    }

    static std::uint32_t end(GroupDrawing& drawing,
                             std::unordered_map<OutlineIndex, std::uint32_t>& ends,
                             OutlineIndex tensor, LayoutPin pin) {
        const auto [found, fresh] =
            ends.emplace(tensor, static_cast<std::uint32_t>(drawing.boxes.size()));
        if (fresh) {
            drawing.boxes.push_back(noIndex);
            drawing.input.boxes.push_back({6, 6, pin});
        }
        return found->second;
    }

    /// The tensor whose line represents all tensors from or to one closed group of inputs or
    /// outputs; noIndex: the box is not such a group.
    OutlineIndex bundle(OutlineIndex box, OutlineIndex tensor) {
        const OutlineIndex group = scene_->boxes[box].group;
        if (group == noIndex || outline_.groups()[group].kind != OutlineGroup::Kind::Ends ||
            scene_->open[group])
            return noIndex;
        return bundles_.emplace(group, tensor).first->second;
    }

    static float socket(std::size_t index, std::size_t count) {
        return static_cast<float>(std::min(index, count) + 1) / static_cast<float>(count + 1);
    }

    void addTensor(const OutlineIndex tensorIndex) {
        const OutlineTensor& tensor = outline_.tensors()[tensorIndex];
        const OutlineIndex from = shown(tensor.producer);
        if (from == noIndex) return;
        const OutlineIndex together = bundle(from, tensorIndex);
        const OutlineLeaf& writer = outline_.leaves()[tensor.producer];
        const bool ownBox = scene_->boxes[from].leaf == tensor.producer;
        const float outPort =
            ownBox && writer.outputs > 1 ? socket(tensor.socket, writer.outputs) : 0.5f;
        for (const OutlineReader& reader : tensor.readers) {
            const OutlineIndex to = shown(reader.leaf);
            if (to == noIndex || to == from) continue;
            const OutlineIndex joined = bundle(to, tensorIndex);
            OutlineIndex t = together != noIndex ? together
                             : joined != noIndex && !ownBox
                                 ? joined  // of a closed group: one line for all
                                 : tensorIndex;
            // groups around the writer, then up from the reader to the first of them
            path_.clear();
            for (OutlineIndex g = groupOfBox_[to];; g = outline_.groups()[g].parent) {
                path_.push_back(g);
                if (g == 0) break;
            }
            OutlineIndex group = groupOfBox_[from];
            std::uint32_t source = localOfBox_[from];
            float port = outPort;
            auto meet = std::find(path_.begin(), path_.end(), group);
            while (meet == path_.end()) {  // out of a group that does not hold the reader
                GroupDrawing& inner = drawings_[drawingOfGroup_[group]];
                const std::uint32_t out =
                    end(inner, inner.exitOf, joined == noIndex ? t : joined, LayoutPin::last);
                connect(inner, t, source, port, out, 0.5f, joined != noIndex);
                if (joined != noIndex) t = joined;
                source = localOfBox_[scene_->boxOfGroup[group]];
                port = 0.5f;
                group = outline_.groups()[group].parent;
                meet = std::find(path_.begin(), path_.end(), group);
            }
            // into the groups around the reader
            for (auto step = meet; step != path_.begin(); --step) {
                const OutlineIndex child = *(step - 1);
                const OutlineIndex frame = scene_->boxOfGroup[child];
                if (frame == from) {  // the bodies of the writer itself: nothing to draw
                    source = noIndex;
                    break;
                }
                connect(drawings_[drawingOfGroup_[*step]], t, source, port, localOfBox_[frame],
                        0.5f);
                GroupDrawing& inner = drawings_[drawingOfGroup_[child]];
                source = end(inner, inner.entryOf, t, LayoutPin::first);
                port = 0.5f;
            }
            if (source == noIndex) continue;
            const OutlineLeaf& leaf = outline_.leaves()[reader.leaf];
            const bool ownTarget = scene_->boxes[to].leaf == reader.leaf && !scene_->boxes[to].open;
            connect(drawings_[drawingOfGroup_[groupOfBox_[to]]], t, source, port, localOfBox_[to],
                    ownTarget ? portOf(leaf, reader.socket) : 0.5f, joined != noIndex);
        }
    }

    /// Where a line enters a card: inputs that are constants take no room.
    float portOf(const OutlineLeaf& leaf, std::size_t index) const {
        if (leaf.kind != OutlineLeaf::Kind::Node || leaf.inputs <= 1) return 0.5f;
        const Node& node = outline_.nodeOf(leaf);
        std::size_t drawn = 0, before = 0;
        if (node.inputs.size() > 64) return socket(index, node.inputs.size());
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            if (!node.inputs[i]) continue;
            const OutlineIndex t = outline_.tensorOf(leaf.place, node.inputs[i]);
            if (t == noIndex || shown(outline_.tensors()[t].producer) == noIndex) continue;
            ++drawn;
            if (i < index) ++before;
        }
        return socket(before, drawn);
    }

    void connect(GroupDrawing& drawing, OutlineIndex tensor, std::uint32_t source, float sourcePort,
                 std::uint32_t target, float port, bool joined = false) {
        constexpr int near = 4;  // rows: what goes to a group of outputs from further away is cut
        if (source == target) return;
        LayoutEdge& e = drawing.input.edges[edge(drawing, tensor, source, sourcePort)];
        if (e.targets.size() < 4096 &&
            std::any_of(e.targets.begin(), e.targets.end(),
                        [&](const LayoutTarget& t) { return t.box == target; }))
            return;
        e.targets.push_back({target, port, joined ? near : 0});
    }

    void layOut(std::size_t index) {
        scene_->options.cancel.throw_if_cancelled();
        GroupDrawing& drawing = drawings_[index];
        // the sizes of open groups inside are known by now
        for (std::size_t i = 0; i < drawing.boxes.size(); ++i) {
            if (drawing.boxes[i] == noIndex) continue;
            const SceneBox& box = scene_->boxes[drawing.boxes[i]];
            drawing.input.boxes[i].width = box.width;
            drawing.input.boxes[i].height = box.height;
        }
        for (std::size_t e = 0; e < drawing.input.edges.size(); ++e) {
            LayoutEdge& edge = drawing.input.edges[e];
            const OutlineIndex tensor = drawing.tensorOfEdge[e];
            edge.port = framePort(drawing, edge.source, tensor, false, edge.port);
            for (LayoutTarget& target : edge.targets)
                target.port = framePort(drawing, target.box, tensor, true, target.port);
        }
        spreadPorts(drawing);
        LayoutOptions options;
        options.direction = scene_->options.direction;
        options.cancel = scene_->options.cancel;
        options.wrap_aspect = scene_->options.aspect * (index == 0 ? 1 : scene_->options.flatter);
        drawing.result = layered_layout(drawing.input, options);
        if (index == 0) return;
        SceneBox& box = scene_->boxes[scene_->boxOfGroup[groupOfDrawing_[index]]];
        box.width = std::max(drawing.result.width + 2 * frameMargin,
                             scene_->options.title.of(scene_->titleOf(box)) + 70);
        box.height = drawing.result.height + frameHeader + frameMargin;
    }

    /// Lines into a closed group end side by side instead of all in the middle.
    void spreadPorts(GroupDrawing& drawing) const {
        auto isClosedGroup = [&](std::uint32_t local) {
            return drawing.boxes[local] != noIndex &&
                   scene_->boxes[drawing.boxes[local]].group != noIndex &&
                   !scene_->boxes[drawing.boxes[local]].open;
        };
        std::vector<std::uint32_t> lines(drawing.boxes.size(), 0), placed(drawing.boxes.size(), 0);
        for (const LayoutEdge& edge : drawing.input.edges) {
            for (const LayoutTarget& target : edge.targets) ++lines[target.box];
        }
        for (LayoutEdge& edge : drawing.input.edges) {
            for (LayoutTarget& target : edge.targets) {
                if (isClosedGroup(target.box))
                    target.port = socket(placed[target.box]++, lines[target.box]);
            }
        }
    }

    /// The position at an open group's frame where the line continues inside.
    float framePort(const GroupDrawing& drawing, std::uint32_t local, OutlineIndex tensor,
                    bool enters, float otherwise) const {
        const OutlineIndex index = drawing.boxes[local];
        if (index == noIndex || !scene_->boxes[index].open) return otherwise;
        const SceneBox& box = scene_->boxes[index];
        const GroupDrawing& inner = drawings_[drawingOfGroup_[box.group]];
        const auto& ends = enters ? inner.entryOf : inner.exitOf;
        const auto found = ends.find(tensor);
        if (found == ends.end()) return otherwise;
        const LayoutPoint at = inner.result.corners[found->second];
        return vertical() ? (frameMargin + at.x + 3) / box.width
                          : (frameHeader + at.y + 3) / box.height;
    }

    void place(std::size_t index) {
        GroupDrawing& drawing = drawings_[index];
        LayoutPoint origin;
        const SceneBox* frame = nullptr;
        if (index > 0) {
            frame = &scene_->boxes[scene_->boxOfGroup[groupOfDrawing_[index]]];
            origin = {frame->x + frameMargin, frame->y + frameHeader};
        }
        for (std::size_t i = 0; i < drawing.boxes.size(); ++i) {
            if (drawing.boxes[i] == noIndex) continue;
            SceneBox& box = scene_->boxes[drawing.boxes[i]];
            box.x = origin.x + drawing.result.corners[i].x;
            box.y = origin.y + drawing.result.corners[i].y;
        }
        for (const LayoutRoute& route : drawing.result.routes) {
            const LayoutEdge& edge = drawing.input.edges[route.edge];
            const std::uint32_t target = edge.targets[route.target].box;
            SceneLine line{drawing.tensorOfEdge[route.edge],
                           boxOrFrame(index, edge.source),
                           boxOrFrame(index, target),
                           static_cast<std::uint32_t>(scene_->points.size()),
                           0,
                           route.backward,
                           true,
                           route.wrapped};
            const bool enters = drawing.boxes[edge.source] == noIndex,
                       leaves = drawing.boxes[target] == noIndex;
            // Extends ends on the frame to the frame's border.
            if (enters && route.points.front() == startOf(drawing, edge)) {
                const LayoutPoint p = route.points.front();
                scene_->points.push_back(vertical() ? LayoutPoint{origin.x + p.x, frame->y}
                                                    : LayoutPoint{frame->x, origin.y + p.y});
            }
            for (const LayoutPoint& p : route.points)
                scene_->points.push_back({origin.x + p.x, origin.y + p.y});
            if (leaves) {
                const LayoutPoint p = route.points.back();
                scene_->points.push_back(
                    vertical() ? LayoutPoint{origin.x + p.x, frame->y + frame->height}
                               : LayoutPoint{frame->x + frame->width, origin.y + p.y});
            }
            line.arrives =
                !leaves &&
                !(drawing.boxes[target] != noIndex && scene_->boxes[drawing.boxes[target]].open &&
                  drawings_[drawingOfGroup_[scene_->boxes[drawing.boxes[target]].group]]
                      .entryOf.contains(line.tensor));
            line.count = static_cast<std::uint32_t>(scene_->points.size()) - line.first;
            scene_->lines.push_back(line);
        }
        placeStubs(index, origin);
    }

    /// The scene box of the local index, or the frame if `local` is an end on it.
    OutlineIndex boxOrFrame(std::size_t index, std::uint32_t local) const {
        const OutlineIndex box = drawings_[index].boxes[local];
        return box != noIndex ? box : scene_->boxOfGroup[groupOfDrawing_[index]];
    }

    void placeStubs(std::size_t index, LayoutPoint origin) {
        const GroupDrawing& drawing = drawings_[index];
        for (const LayoutStub& stub : drawing.result.stubs) {
            const LayoutEdge& edge = drawing.input.edges[stub.edge];
            const bool atWriter = stub.target == LayoutStub::all;
            const OutlineIndex source = boxOrFrame(index, edge.source);
            OutlineIndex reader = noIndex;
            if (atWriter) {  // jump to the first reader that no line reaches
                for (const LayoutTarget& target : edge.targets) {
                    const int rows = std::abs(drawing.result.ranks[target.box] -
                                              drawing.result.ranks[edge.source]);
                    if (rows > drawing.result.tunnel_ranks ||
                        (target.tunnel_ranks > 0 && rows > target.tunnel_ranks)) {
                        reader = boxOrFrame(index, target.box);
                        break;
                    }
                }
            } else {
                // one of the lines of a group of outputs
                if (edge.targets[stub.target].tunnel_ranks > 0) continue;
                reader = boxOrFrame(index, edge.targets[stub.target].box);
            }
            scene_->stubs.push_back({drawing.tensorOfEdge[stub.edge],
                                     atWriter ? source : reader,
                                     atWriter ? reader : source,
                                     stub.hidden,
                                     {origin.x + stub.border.x, origin.y + stub.border.y},
                                     {origin.x + stub.tip.x, origin.y + stub.tip.y}});
        }
    }

    LayoutPoint startOf(const GroupDrawing& drawing, const LayoutEdge& edge) const {
        const LayoutPoint corner = drawing.result.corners[edge.source];
        const LayoutBox& box = drawing.input.boxes[edge.source];
        return vertical() ? LayoutPoint{corner.x + box.width * edge.port, corner.y + box.height}
                          : LayoutPoint{corner.x + box.width, corner.y + box.height * edge.port};
    }

    const GraphOutline& outline_;
    std::shared_ptr<GraphScene> scene_;
    std::vector<GroupDrawing> drawings_;  // open groups, outer before inner
    std::vector<OutlineIndex> groupOfDrawing_, drawingOfGroup_;
    std::vector<OutlineIndex> groupOfBox_;   // by scene box
    std::vector<std::uint32_t> localOfBox_;  // index in its group's drawing
    std::vector<OutlineIndex> path_;
    // tensors by group of inputs or outputs
    std::unordered_map<OutlineIndex, OutlineIndex> bundles_;
};

}  // namespace

GraphScenePtr buildScene(GraphOutlinePtr outline, OpenGroups open, const SceneOptions& options) {
    return SceneBuilder(std::move(outline), std::move(open), options).build();
}

}  // namespace lapidary::views
