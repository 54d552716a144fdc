// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/quickest_calls.h"

#include "canvas/slow_block.h"

namespace lapidary::views {
namespace {

std::vector<float> quickestCalls(const GraphOutline& outline, const app::RunRecord& run) {
    std::vector<float> best(outline.leaves().size(), 0);
    for (const NodeTotal& total : run.summary.nodes) {
        if (!total.node || total.is_copy) continue;
        std::vector<NodeId> nodes{total.node};
        if (run.executed && run.executed->graph.is_alive(total.node) &&
            !run.executed->graph.node(total.node).origins.empty())
            nodes = run.executed->graph.node(total.node).origins;
        for (const NodeId node : nodes)
            if (const OutlineIndex leaf = outline.leafOf(0, node); leaf != noIndex)
                best[leaf] += float(total.min_ms / double(nodes.size()));
    }
    return best;
}

}  // namespace

bool areSlowAtBest(const GraphOutline& outline, const std::vector<float>& times,
                   const app::RunRecord& run) {
    const std::vector<OutlineIndex> slow = slowBlocks(outline, times),
                                    atBest = slowBlocks(outline, quickestCalls(outline, run));
    for (std::size_t group = 0; group < slow.size(); ++group)
        if (slow[group] != noIndex && slow[group] != atBest[group]) return false;
    return true;
}

}  // namespace lapidary::views
