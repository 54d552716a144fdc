// SPDX-License-Identifier: GPL-3.0-or-later
// Finds repeated blocks that have no scopes in names, as in renamed or optimized files, by
// operators and connections. They become groups like scopes: "12 × block", and in it "block 1" to
// "block 12".
#include <QCoreApplication>

#include <algorithm>
#include <functional>
#include <map>

#include <lapidary/graph/repeated_blocks.h>

#include "canvas/graph_outline.h"

namespace lapidary::views {
namespace {

constexpr std::size_t fewestFlat = 48;  // items in one group; fewer are readable without folding
constexpr std::uint64_t inputLabel = 1;
constexpr std::size_t fewestNumbered = 3;  // scopes that differ only in a number

/// "layer" of "layer.11", "block" of "block3"; empty: all of it is a number, or it has none.
QString scopeStem(const QString& label) {
    qsizetype end = label.size();
    while (end > 0 && label[end - 1].isDigit()) --end;
    if (end == label.size()) return {};
    while (end > 0 && !label[end - 1].isLetter()) --end;
    return label.left(end);
}

std::uint64_t labelOf(const Node& node) {
    const std::hash<std::string> hash;
    return (hash(node.op_type) * 31 + hash(node.domain)) * 31 + node.outputs.size() + 2;
}

OutlineGroup groupFor(const QString& label, OutlineIndex parent, OutlineIndex place) {
    OutlineGroup made;
    made.label = label;
    made.parent = parent;
    made.place = place;
    return made;
}

}  // namespace

void GraphOutline::foldRepeats() {
    std::vector<OutlineIndex> vertexOf(leaves_.size(), noIndex);
    const std::size_t before = groups_.size();
    for (OutlineIndex group = 0; group < before; ++group) {
        std::vector<OutlineIndex> members;
        std::size_t nodes = 0;
        for (const OutlineIndex leaf : groups_[group].leaves) {
            const bool isNode =
                leaves_[leaf].kind == OutlineLeaf::Kind::Node && !leaves_[leaf].constant;
            if (!isNode && leaves_[leaf].kind != OutlineLeaf::Kind::Input) continue;
            nodes += isNode;
            members.push_back(leaf);
        }
        if (nodes < fewestFlat) continue;
        for (std::size_t i = 0; i < members.size(); ++i)
            vertexOf[members[i]] = static_cast<OutlineIndex>(i);
        foldRepeatsOf(group, members, vertexOf);
        for (const OutlineIndex leaf : members) vertexOf[leaf] = noIndex;
    }
    if (groups_.size() == before) return;
    for (const OutlineTensor& tensor : tensors_) {  // constants belong to their readers
        if (!leaves_[tensor.producer].constant || tensor.readers.empty()) continue;
        const OutlineIndex at = leaves_[tensor.readers.front().leaf].group;
        if (at >= before && std::ranges::all_of(tensor.readers, [&](const OutlineReader& r) {
                return leaves_[r.leaf].group == at;
            }))
            leaves_[tensor.producer].group = at;
    }
    for (OutlineIndex group = 0; group < before; ++group) {
        for (const OutlineIndex leaf : groups_[group].leaves)
            if (leaves_[leaf].group != group) groups_[leaves_[leaf].group].leaves.push_back(leaf);
        std::erase_if(groups_[group].leaves,
                      [&](OutlineIndex leaf) { return leaves_[leaf].group != group; });
    }
}

/// Sets OutlineGroup::repeats of scopes that contain mostly numbered scopes, such as an encoder
/// with its layers.
void GraphOutline::nameRepeats() {
    for (OutlineGroup& group : groups_) {
        if (group.kind != OutlineGroup::Kind::Scope || group.groups.size() < fewestNumbered)
            continue;
        if (group.label.contains(QChar(0xd7))) continue;
        std::map<QString, std::size_t> byStem;
        for (const OutlineIndex inner : group.groups) ++byStem[scopeStem(groups_[inner].label)];
        byStem.erase(QString());
        const auto most =
            std::ranges::max_element(byStem, {}, [](const auto& entry) { return entry.second; });
        if (most == byStem.end() || most->second < fewestNumbered ||
            2 * most->second <= group.groups.size())
            continue;
        // "features" of "features.1" to "features.17": the name stands above already, of one of
        // several parts with its number
        const bool isOwnName = most->first.compare(group.label.section(QStringLiteral(" ("), 0, 0),
                                                   Qt::CaseInsensitive) == 0;
        group.repeats =
            isOwnName ? QCoreApplication::translate("GraphOutline", "%1 × block").arg(most->second)
                      : QStringLiteral("%1 × %2").arg(most->second).arg(most->first);
    }
}

/// Folds repeats among the `members` of a group; `vertexOf` has their indices in the list.
void GraphOutline::foldRepeatsOf(OutlineIndex group, const std::vector<OutlineIndex>& members,
                                 const std::vector<OutlineIndex>& vertexOf) {
    std::vector<BlockVertex> vertices;
    for (const OutlineIndex index : members) {
        const OutlineLeaf& leaf = leaves_[index];
        BlockVertex& vertex = vertices.emplace_back();
        vertex.label = inputLabel;
        vertex.is_counted = leaf.kind == OutlineLeaf::Kind::Node;
        if (!vertex.is_counted) continue;
        const Node& node = nodeOf(leaf);
        vertex.label = labelOf(node);
        for (const ValueId value : node.inputs) {
            BlockInput& input = vertex.inputs.emplace_back();
            const OutlineIndex tensor = value ? tensorOf(leaf.place, value) : noIndex;
            if (!value) input.vertex = BlockInput::absent;
            else if (tensor != noIndex && vertexOf[tensors_[tensor].producer] != noIndex)
                input = {vertexOf[tensors_[tensor].producer], tensors_[tensor].socket};
        }
    }
    for (const RepeatedBlocks& repeated : find_repeated_blocks(vertices)) {
        const OutlineIndex place = groups_[group].place,
                           outer = static_cast<OutlineIndex>(groups_.size());
        groups_[group].groups.push_back(outer);
        groups_.push_back(groupFor(
            QCoreApplication::translate("GraphOutline", "%1 × block").arg(repeated.blocks.size()),
            group, place));
        for (std::size_t b = 0; b < repeated.blocks.size(); ++b) {
            const OutlineIndex inner = static_cast<OutlineIndex>(groups_.size());
            groups_[outer].groups.push_back(inner);
            groups_.push_back(groupFor(
                QCoreApplication::translate("GraphOutline", "block %1").arg(b + 1), outer, place));
            for (const std::uint32_t vertex : repeated.blocks[b])
                if (vertices[vertex].is_counted) leaves_[members[vertex]].group = inner;
        }
    }
}

}  // namespace lapidary::views
