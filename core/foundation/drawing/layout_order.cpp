// SPDX-License-Identifier: Apache-2.0
// Order inside the rows: depth-first start, barycentre sweeps, the best order by counted crossings.
#include <algorithm>

#include "drawing/layout_stages.h"

namespace lapidary::layout {
namespace {

void start_depth_first(Layers& layers) {
    int last = -1;
    for (int r : layers.rank) last = std::max(last, r);
    layers.rows.assign(static_cast<std::size_t>(last + 1), {});
    std::vector<Index> roots, stack;
    for (Index v = 0; v < layers.size(); ++v) {
        if (layers.rank[v] >= 0 && layers.up.of(v).empty()) roots.push_back(v);
    }
    std::stable_sort(roots.begin(), roots.end(),
                     [&](Index a, Index b) { return layers.rank[a] < layers.rank[b]; });
    std::vector<char> seen(layers.size(), 0);
    for (Index root : roots) {
        stack.push_back(root);
        while (!stack.empty()) {
            const Index v = stack.back();
            stack.pop_back();
            if (seen[v]) continue;
            seen[v] = 1;
            layers.rows[static_cast<std::size_t>(layers.rank[v])].push_back(v);
            const auto next = layers.down.of(v);
            for (std::size_t i = next.size(); i-- > 0;) {
                if (!seen[next[i].vertex]) stack.push_back(next[i].vertex);
            }
        }
    }
}

void renumber(Layers& layers) {
    layers.position.resize(layers.size());
    for (const auto& row : layers.rows) {
        for (Index i = 0; i < row.size(); ++i) layers.position[row[i]] = i;
    }
}

/// Crossings between the rows, counted with a Fenwick tree over the lower row.
std::int64_t count_crossings(const Layers& layers) {
    std::int64_t total = 0;
    std::vector<std::int32_t> tree;
    std::vector<Index> ends;
    for (std::size_t r = 0; r + 1 < layers.rows.size(); ++r) {
        const Index size = static_cast<Index>(layers.rows[r + 1].size());
        if (size < 2 || layers.rows[r].size() < 2) continue;
        tree.assign(size + 1, 0);
        std::int32_t before = 0;
        for (Index v : layers.rows[r]) {
            ends.clear();
            for (const Neighbour& n : layers.down.of(v)) ends.push_back(layers.position[n.vertex]);
            for (Index end : ends) {
                std::int32_t not_right = 0;
                for (Index i = end + 1; i > 0; i -= i & (~i + 1)) not_right += tree[i];
                total += before - not_right;
            }
            for (Index end : ends) {
                for (Index i = end + 1; i <= size; i += i & (~i + 1)) ++tree[i];
            }
            before += static_cast<std::int32_t>(ends.size());
        }
    }
    return total;
}

/// Sorts a row by the mean place of its neighbours in the row before; vertices without any keep
/// their place.
void sort_row(Layers& layers, std::vector<Index>& row, const Adjacency& neighbours) {
    struct Keyed {
        float key;
        Index vertex;
    };
    static thread_local std::vector<Keyed> moving;
    moving.clear();
    for (Index v : row) {
        const auto around = neighbours.of(v);
        if (around.empty()) continue;
        float sum = 0;
        for (const Neighbour& n : around)
            sum += static_cast<float>(layers.position[n.vertex]) + (n.port - 0.5f) * 0.9f;
        moving.push_back({sum / static_cast<float>(around.size()), v});
    }
    const auto less = [](const Keyed& a, const Keyed& b) { return a.key < b.key; };
    if (!std::is_sorted(moving.begin(), moving.end(), less)) {
        std::stable_sort(moving.begin(), moving.end(), less);
        std::size_t next = 0;
        for (Index& slot : row) {
            if (!neighbours.of(slot).empty()) slot = moving[next++].vertex;
        }
    }
    for (Index i = 0; i < row.size(); ++i) layers.position[row[i]] = i;
}

}  // namespace

std::int64_t order_rows(Layers& layers, const LayoutOptions& options) {
    start_depth_first(layers);
    renumber(layers);
    std::int64_t least = count_crossings(layers);
    auto best = layers.rows;
    int useless = 0;
    for (int sweep = 0; sweep < options.sweeps && useless < 3 && least > 0; ++sweep) {
        options.cancel.throw_if_cancelled();
        if (sweep % 2 == 0) {
            for (auto& row : layers.rows) sort_row(layers, row, layers.up);
        } else {
            for (std::size_t r = layers.rows.size(); r-- > 0;)
                sort_row(layers, layers.rows[r], layers.down);
        }
        const std::int64_t crossings = count_crossings(layers);
        if (crossings < least) {
            least = crossings;
            best = layers.rows;
            useless = 0;
        } else {
            ++useless;
        }
    }
    layers.rows = std::move(best);
    renumber(layers);
    return least;
}

}  // namespace lapidary::layout
