// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/slow_block.h"

#include <algorithm>
#include <cmath>

namespace lapidary::views {
namespace {

constexpr std::size_t fewest_blocks = 3;
constexpr double slow_factor = 1.5;  // of the median

bool holdsBlocks(const OutlineGroup& group) {
    return group.groups.size() >= fewest_blocks &&
           (!group.repeats.isEmpty() || group.label.contains(QChar(0xd7)));
}

}  // namespace

std::vector<OutlineIndex> slowBlocks(const GraphOutline& outline, const std::vector<float>& times) {
    const auto& groups = outline.groups();
    std::vector<double> sums(groups.size(), 0);
    const std::size_t leaves = std::min(times.size(), outline.leaves().size());
    for (std::size_t leaf = 0; leaf < leaves; ++leaf)
        if (!std::isnan(times[leaf])) sums[outline.leaves()[leaf].group] += times[leaf];
    // parents come before children
    for (std::size_t g = groups.size(); g-- > 1;) sums[groups[g].parent] += sums[g];
    std::vector<OutlineIndex> slow(groups.size(), noIndex);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        if (!holdsBlocks(groups[g])) continue;
        std::vector<double> ofBlocks;
        std::vector<OutlineIndex> blocks;
        std::ranges::copy_if(groups[g].groups, std::back_inserter(blocks), [&](OutlineIndex inner) {
            return !groups[inner].label.isEmpty() && groups[inner].label.back().isDigit();
        });
        if (blocks.size() < fewest_blocks) continue;
        for (const OutlineIndex block : blocks) ofBlocks.push_back(sums[block]);
        const auto most = std::ranges::max_element(ofBlocks);
        const auto at = std::size_t(most - ofBlocks.begin());
        const double longest = *most;
        const auto middle = ofBlocks.begin() + std::ptrdiff_t(ofBlocks.size() / 2);
        std::ranges::nth_element(ofBlocks, middle);
        if (*middle > 0 && longest >= slow_factor * *middle) slow[g] = blocks[at];
    }
    return slow;
}

QString blockNumber(const GraphOutline& outline, OutlineIndex group) {
    const QString& label = outline.groups()[group].label;
    qsizetype at = label.size();
    while (at > 0 && label[at - 1].isDigit()) --at;
    if (at < label.size()) return u'#' + label.mid(at);
    const auto& siblings = outline.groups()[outline.groups()[group].parent].groups;
    return u'#' + QString::number(std::ranges::find(siblings, group) - siblings.begin() + 1);
}

}  // namespace lapidary::views
