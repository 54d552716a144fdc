// SPDX-License-Identifier: Apache-2.0
#include "passes/minimum_cut.h"

#include <algorithm>

namespace lapidary {

void MinimumCut::add_edge(std::size_t from, std::size_t to, std::int64_t capacity) {
    if (from == to || capacity <= 0) return;
    vertices_[from].push_back(edges_.size());
    edges_.push_back({to, capacity});
    vertices_[to].push_back(edges_.size());
    edges_.push_back({from, 0});
}

bool MinimumCut::find_levels() {
    level_.assign(vertices_.size(), -1);
    level_[source] = 0;
    std::vector<std::size_t> queue{source};
    for (std::size_t i = 0; i < queue.size(); ++i)
        for (std::size_t e : vertices_[queue[i]])
            if (edges_[e].capacity > 0 && level_[edges_[e].to] < 0) {
                level_[edges_[e].to] = level_[queue[i]] + 1;
                queue.push_back(edges_[e].to);
            }
    return level_[sink] >= 0;
}

std::int64_t MinimumCut::push(std::size_t from, std::int64_t limit) {
    if (from == sink) return limit;
    for (std::size_t& i = next_[from]; i < vertices_[from].size(); ++i) {
        const std::size_t e = vertices_[from][i];
        if (edges_[e].capacity <= 0 || level_[edges_[e].to] != level_[from] + 1) continue;
        if (const std::int64_t pushed = push(edges_[e].to, std::min(limit, edges_[e].capacity));
            pushed > 0) {
            edges_[e].capacity -= pushed;
            edges_[e ^ 1].capacity += pushed;
            return pushed;
        }
    }
    return 0;
}

std::vector<bool> MinimumCut::source_side() {
    while (find_levels()) {
        next_.assign(vertices_.size(), 0);
        while (push(source, unbounded) > 0) {}
    }
    std::vector<bool> side(vertices_.size());
    for (std::size_t v = 0; v < side.size(); ++v) side[v] = level_[v] >= 0;
    return side;
}

}  // namespace lapidary
