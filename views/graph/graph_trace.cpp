// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/graph_trace.h"

#include <algorithm>
#include <utility>

namespace lapidary::views {
namespace {

using Lists = std::vector<std::vector<OutlineIndex>>;

std::vector<OutlineIndex> chosenLeaves(const GraphOutline& outline,
                                       const GraphSelection& selection) {
    std::vector<OutlineIndex> leaves;
    if (selection.leaf != noIndex) leaves.push_back(selection.leaf);
    else if (selection.tensor != noIndex)
        leaves.push_back(outline.tensors()[selection.tensor].producer);
    else if (selection.group != noIndex) {
        std::vector<OutlineIndex> groups{selection.group};
        for (std::size_t i = 0; i < groups.size(); ++i) {
            const OutlineGroup& group = outline.groups()[groups[i]];
            leaves.insert(leaves.end(), group.leaves.begin(), group.leaves.end());
            if (group.leaf != noIndex) leaves.push_back(group.leaf);
            groups.insert(groups.end(), group.groups.begin(), group.groups.end());
        }
    }
    return leaves;
}

/// The readers of each leaf, or the leaves that it reads.
Lists neighbours(const GraphOutline& outline, bool readers) {
    Lists lists(outline.leaves().size());
    for (const OutlineTensor& tensor : outline.tensors())
        for (const OutlineReader& reader : tensor.readers)
            lists[readers ? tensor.producer : reader.leaf].push_back(readers ? reader.leaf
                                                                             : tensor.producer);
    return lists;
}

void spread(const Lists& lists, const std::vector<OutlineIndex>& from, int steps,
            std::vector<bool>& found) {
    std::vector<bool> reached(lists.size(), false);
    std::vector<OutlineIndex> at = from, next;
    for (const OutlineIndex leaf : from) reached[leaf] = true;
    for (int step = 0; !at.empty() && (steps == 0 || step < steps); ++step) {
        next.clear();
        for (const OutlineIndex leaf : at)
            for (const OutlineIndex other : lists[leaf]) {
                if (reached[other]) continue;
                reached[other] = true;
                next.push_back(other);
            }
        at.swap(next);
    }
    for (std::size_t leaf = 0; leaf < reached.size(); ++leaf)
        if (reached[leaf]) found[leaf] = true;
}

}  // namespace

std::vector<OutlineIndex> traced(const GraphOutline& outline, const GraphSelection& selection,
                                 TraceDirection way, int steps) {
    const std::vector<OutlineIndex> from = chosenLeaves(outline, selection);
    if (from.empty()) return {};
    std::vector<bool> found(outline.leaves().size(), false);
    if (way != TraceDirection::along) spread(neighbours(outline, false), from, steps, found);
    if (way != TraceDirection::against) spread(neighbours(outline, true), from, steps, found);
    std::vector<OutlineIndex> leaves;
    for (OutlineIndex leaf = 0; leaf < found.size(); ++leaf)
        if (found[leaf]) leaves.push_back(leaf);
    return leaves;
}

std::vector<OutlineIndex> between(const GraphOutline& outline, OutlineIndex one,
                                  OutlineIndex other) {
    const Lists readers = neighbours(outline, true);
    std::vector<bool> after(outline.leaves().size(), false), before = after;
    spread(readers, {one}, 0, after);
    if (!after[other]) {  // data flows the other way, or not at all
        std::swap(one, other);
        after.assign(after.size(), false);
        spread(readers, {one}, 0, after);
        if (!after[other]) return {};
    }
    spread(neighbours(outline, false), {other}, 0, before);
    std::vector<OutlineIndex> leaves;
    for (OutlineIndex leaf = 0; leaf < after.size(); ++leaf)
        if (after[leaf] && before[leaf]) leaves.push_back(leaf);
    return leaves;
}

}  // namespace lapidary::views
