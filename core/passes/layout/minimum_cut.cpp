// SPDX-License-Identifier: Apache-2.0
#include "passes/layout/minimum_cut.h"

#include <algorithm>

namespace lapidary {

std::size_t MinimumCut::add_node() {
    leaving_.emplace_back();
    return leaving_.size() - 1;
}

void MinimumCut::add_edge(std::size_t a, std::size_t b, std::int64_t cost) {
    if (cost <= 0 || a == b) return;
    leaving_[a].push_back(edges_.size());
    edges_.push_back({b, std::min(cost, forbidden)});
    leaving_[b].push_back(edges_.size());
    edges_.push_back({a, 0});
}

bool MinimumCut::measure_levels() {
    level_.assign(leaving_.size(), -1);
    level_[source] = 0;
    std::vector<std::size_t> queue{source};
    for (std::size_t i = 0; i < queue.size(); ++i)
        for (std::size_t e : leaving_[queue[i]])
            if (edges_[e].left > 0 && level_[edges_[e].to] < 0) {
                level_[edges_[e].to] = level_[queue[i]] + 1;
                queue.push_back(edges_[e].to);
            }
    return level_[sink] >= 0;
}

/// Fills shortest paths until the level graph is blocked; iterative, as networks are deeper than stacks.
std::int64_t MinimumCut::push() {
    std::int64_t total = 0;
    std::vector<std::size_t> next(leaving_.size(), 0), path;
    std::size_t at = source;
    for (;;) {
        if (at == sink) {
            std::int64_t amount = forbidden;
            for (std::size_t e : path) amount = std::min(amount, edges_[e].left);
            total += amount;
            for (std::size_t e : path) {
                edges_[e].left -= amount;
                edges_[e ^ 1].left += amount;
            }
            path.clear();
            at = source;
            continue;
        }
        bool moved = false;
        for (; next[at] < leaving_[at].size(); ++next[at]) {
            const std::size_t e = leaving_[at][next[at]];
            if (edges_[e].left <= 0 || level_[edges_[e].to] != level_[at] + 1) continue;
            path.push_back(e);
            at = edges_[e].to;
            moved = true;
            break;
        }
        if (moved) continue;
        if (at == source) return total;
        at = edges_[path.back() ^ 1].to;
        path.pop_back();
        ++next[at];
    }
}

std::vector<bool> MinimumCut::solve() {
    while (measure_levels()) push();
    std::vector<bool> inside(leaving_.size());
    for (std::size_t i = 0; i < inside.size(); ++i) inside[i] = level_[i] >= 0;
    return inside;
}

}  // namespace lapidary
