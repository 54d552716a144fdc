// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/pair_drawing.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "panels/inspector_text.h"

namespace lapidary::views {
namespace {

constexpr std::size_t mostBoxes = 500;  // of a side

constexpr std::size_t comparedAtOnce = std::size_t(1) << 20;  // bytes

/// Values that are elsewhere are asked for piece by piece and not kept.
bool isSame(const Tensor& a, const Tensor& b) {
    if (a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
    if (a.dtype() == DType::string || a.identity() == b.identity()) return true;
    std::vector<std::byte> left, right;
    for (std::size_t at = 0; at < a.byte_size(); at += comparedAtOnce) {
        const std::size_t count = std::min(comparedAtOnce, a.byte_size() - at);
        left.resize(count);
        right.resize(count);
        a.read(at, count, left.data());
        b.read(at, count, right.data());
        if (left != right) return false;
    }
    return true;
}

bool isSame(const Node& a, const Graph& graphA, const Node& b, const Graph& graphB) {
    if (a.op_type != b.op_type || a.domain != b.domain ||
        a.attributes.size() != b.attributes.size())
        return false;
    for (const Attribute& attribute : a.attributes) {
        const auto other = std::ranges::find(b.attributes, attribute.name, &Attribute::name);
        if (other == b.attributes.end() || kind_of(attribute.value) != kind_of(other->value))
            return false;
        const bool tensors = std::holds_alternative<Tensor>(attribute.value);
        if (tensors ? !isSame(std::get<Tensor>(attribute.value), std::get<Tensor>(other->value))
                    : attributeText(attribute.value) != attributeText(other->value))
            return false;
    }
    if (a.inputs.size() != b.inputs.size()) return false;
    for (std::size_t i = 0; i < a.inputs.size(); ++i) {
        const auto* left = a.inputs[i] ? &graphA.value(a.inputs[i]).constant : nullptr;
        const auto* right = b.inputs[i] ? &graphB.value(b.inputs[i]).constant : nullptr;
        const bool isLeft = left && *left, isRight = right && *right;
        if (isLeft != isRight || (isLeft && !isSame(**left, **right))) return false;
    }
    return true;
}

using Leaves = std::vector<OutlineIndex>;

/// Leaves of the main graph by their original nodes.
std::unordered_map<std::string, Leaves> leavesByOrigin(const GraphOutline& outline) {
    std::unordered_map<std::string, Leaves> leaves;
    for (OutlineIndex index = 0; index < outline.leaves().size(); ++index) {
        const OutlineLeaf& leaf = outline.leaves()[index];
        if (leaf.place != 0) continue;
        if (leaf.kind == OutlineLeaf::Kind::Node) {
            for (const NodeId origin : outline.nodeOf(leaf).origins)
                leaves["node " + std::to_string(origin.index)].push_back(index);
        } else {
            leaves[(leaf.kind == OutlineLeaf::Kind::Input ? "in " : "out ") +
                   outline.places()[0].graph->value(leaf.value).name]
                .push_back(index);
        }
    }
    return leaves;
}

/// The leaves of both sides and how they differ.
struct Sides {
    GraphOutlinePtr outline;
    std::vector<PairDifference> difference;  // by leaf
    Leaves counterpart;
};

void compareLeaves(Sides& a, Sides& b, const Progress& progress) {
    const auto known = leavesByOrigin(*a.outline);
    for (const auto& [origin, leaves] : leavesByOrigin(*b.outline)) {
        progress.cancel.throw_if_cancelled();
        const auto same = known.find(origin);
        if (same == known.end()) continue;
        for (const OutlineIndex leaf : leaves)
            if (b.counterpart[leaf] == noIndex) b.counterpart[leaf] = same->second.front();
        for (const OutlineIndex leaf : same->second)
            if (a.counterpart[leaf] == noIndex) a.counterpart[leaf] = leaves.front();
    }
    const auto judge = [](Sides& side, const Sides& other) {
        const Graph &own = *side.outline->places()[0].graph,
                    &graph = *other.outline->places()[0].graph;
        for (OutlineIndex index = 0; index < side.outline->leaves().size(); ++index) {
            const OutlineLeaf& leaf = side.outline->leaves()[index];
            if (leaf.place != 0 || leaf.constant) continue;
            const OutlineIndex to = side.counterpart[index];
            if (to == noIndex) {
                side.difference[index] = PairDifference::Alone;
            } else if (leaf.kind == OutlineLeaf::Kind::Node) {
                const Node& mine = side.outline->nodeOf(leaf);
                const Node& theirs = other.outline->nodeOf(other.outline->leaves()[to]);
                const bool alike = other.counterpart[to] == index && mine.origins == theirs.origins;
                if (!alike || !isSame(mine, own, theirs, graph))
                    side.difference[index] = PairDifference::Changed;
            }
        }
    };
    judge(a, b);
    judge(b, a);
}

OpenGroups foldOf(const Sides& side, bool changesOnly) {
    const GraphOutline& outline = *side.outline;
    if (!changesOnly) return defaultOpenGroups(outline);
    OpenGroups open = allGroups(outline, false);
    for (OutlineIndex index = 0; index < outline.leaves().size(); ++index) {
        if (side.difference[index] == PairDifference::None) continue;
        for (OutlineIndex g = outline.leaves()[index].group; g != noIndex;
             g = outline.groups()[g].parent)
            if (outline.groups()[g].kind != OutlineGroup::Kind::Ends) open[g] = true;
    }
    return countVisible(outline, open) <= mostBoxes ? open : defaultOpenGroups(outline);
}

}  // namespace

PairDrawingPtr drawPair(const ModelPtr& a, const ModelPtr& b, bool changesOnly,
                        const SceneOptions& options, const Progress& progress) {
    Sides left, right;
    for (const auto& [side, model] : {std::pair(&left, &a), std::pair(&right, &b)}) {
        progress.step("read");
        side->outline = std::make_shared<const GraphOutline>(*model, progress);
        side->difference.assign(side->outline->leaves().size(), PairDifference::None);
        side->counterpart.assign(side->outline->leaves().size(), noIndex);
    }
    progress.step("compare");
    compareLeaves(left, right, progress);
    progress.step("layout");
    SceneOptions with = options;
    with.cancel = progress.cancel;
    auto drawing = std::make_shared<PairDrawing>();
    for (const auto& [side, of] : {std::pair(&drawing->a, &left), std::pair(&drawing->b, &right)}) {
        side->isFirst = of == &left;
        side->difference = of->difference;
        side->counterpart = of->counterpart;
        *side = drawSide(std::move(*side), of->outline, foldOf(*of, changesOnly), with);
        side->alone = std::size_t(std::ranges::count(of->difference, PairDifference::Alone));
        drawing->changed =
            std::max(drawing->changed,
                     std::size_t(std::ranges::count(of->difference, PairDifference::Changed)));
    }
    return drawing;
}

PairSide drawSide(PairSide side, const GraphOutlinePtr& outline, OpenGroups open,
                  const SceneOptions& options) {
    side.scene = buildScene(outline, std::move(open), options);
    side.marks.assign(side.scene->boxes.size(), BoxMark::None);
    for (OutlineIndex index = 0; index < side.difference.size(); ++index) {
        const OutlineIndex box = side.scene->boxOfLeaf[index];
        if (side.difference[index] == PairDifference::None || box == noIndex) continue;
        const bool isItself = side.scene->boxes[box].leaf == index;  // else a group that holds it
        BoxMark& mark = side.marks[box];
        if (side.difference[index] == PairDifference::Alone && isItself)
            mark = side.isFirst ? BoxMark::Removed : BoxMark::Added;
        else if (mark == BoxMark::None)
            mark = side.isFirst ? BoxMark::EarlierRemoved : BoxMark::EarlierAdded;
    }
    return side;
}

}  // namespace lapidary::views
