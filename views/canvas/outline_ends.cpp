// SPDX-License-Identifier: GPL-3.0-or-later
// Collects large numbers of inputs or outputs, such as a decoder's past keys and values, in groups,
// which are closed at first.
#include <QCoreApplication>

#include <algorithm>
#include <map>

#include "canvas/graph_outline.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr std::size_t most_ends = 8;  // most inputs or outputs that are not grouped
constexpr std::size_t fewest_alike = 4;

/// The name up to its first number, which inputs of one kind share.
QString stemOf(const QString& name) {
    qsizetype end = 0;
    while (end < name.size() && !name[end].isDigit()) ++end;
    while (end > 0 && !name[end - 1].isLetter()) --end;
    return name.left(end);
}

}  // namespace

/// Groups inputs or outputs of the main graph.
void GraphOutline::collectEnds(OutlineLeaf::Kind kind) {
    std::map<QString, std::vector<OutlineIndex>> byStem;
    std::size_t count = 0;
    for (const OutlineIndex leaf : groups_[0].leaves) {
        if (leaves_[leaf].kind != kind) continue;
        byStem[stemOf(leaves_[leaf].title)].push_back(leaf);
        ++count;
    }
    if (count <= most_ends) return;
    std::vector<std::pair<QString, std::vector<OutlineIndex>>> sets;
    std::vector<OutlineIndex> rest;
    for (auto& [stem, leaves] : byStem) {
        if (leaves.size() >= fewest_alike && !stem.isEmpty())
            sets.emplace_back(stem + QChar(0x2026), leaves);
        else rest.insert(rest.end(), leaves.begin(), leaves.end());
    }
    if (rest.size() > most_ends) {
        std::ranges::sort(rest);
        sets.emplace_back(kind == OutlineLeaf::Kind::Input
                              ? QCoreApplication::translate("GraphOutline", "Inputs")
                              : QCoreApplication::translate("GraphOutline", "Outputs"),
                          rest);
    }
    for (auto& [label, leaves] : sets) {
        OutlineGroup made;
        made.kind = OutlineGroup::Kind::Ends;
        made.label = labelText(label, 80);
        made.leaves = leaves;
        const auto index = static_cast<OutlineIndex>(groups_.size());
        made.parent = 0;
        for (const OutlineIndex leaf : leaves) leaves_[leaf].group = index;
        std::erase_if(groups_[0].leaves,
                      [&](OutlineIndex leaf) { return leaves_[leaf].group == index; });
        groups_[0].groups.push_back(index);
        groups_.push_back(std::move(made));
    }
}

QString GraphOutline::countText(OutlineIndex group) const {
    const OutlineGroup& of = groups_[group];
    if (of.kind != OutlineGroup::Kind::Ends) {
        const QString nodes = nodeCountText(of.nodes + (of.leaf != noIndex ? 1 : 0));
        return of.repeats.isEmpty() ? nodes : of.repeats + QStringLiteral(" · ") + nodes;
    }
    const bool inputs = leaves_[of.leaves.front()].kind == OutlineLeaf::Kind::Input;
    const QString count = QString::number(of.leaves.size());
    return inputs ? QCoreApplication::translate("GraphOutline", "%1 inputs").arg(count)
                  : QCoreApplication::translate("GraphOutline", "%1 outputs").arg(count);
}

}  // namespace lapidary::views
