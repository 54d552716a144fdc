// SPDX-License-Identifier: Apache-2.0
#include "drawing/post_dominators.h"

#include <algorithm>

namespace lapidary::drawing {
namespace {

using Index = std::uint32_t;
using Lists = std::vector<std::vector<Index>>;
constexpr Index none = PostDominators::none;

Lists readers_of(const Lists& inputs) {
    Lists readers(inputs.size());
    for (Index v = 0; v < inputs.size(); ++v)
        for (const Index u : inputs[v]) readers[u].push_back(v);
    return readers;
}

std::vector<Index> data_order(const Lists& inputs, const Lists& readers) {
    std::vector<Index> missing(inputs.size()), order;
    for (Index v = 0; v < inputs.size(); ++v) {
        missing[v] = static_cast<Index>(inputs[v].size());
        if (missing[v] == 0) order.push_back(v);
    }
    for (std::size_t i = 0; i < order.size(); ++i)
        for (const Index v : readers[order[i]])
            if (--missing[v] == 0) order.push_back(v);
    return order;
}

/// The last vertex of the longest way; the first of them in `order`.
Index deepest(const Lists& inputs, const std::vector<Index>& order) {
    std::vector<Index> depth(inputs.size(), 0);
    Index found = order.front();
    for (const Index v : order) {
        for (const Index u : inputs[v]) depth[v] = std::max(depth[v], depth[u] + 1);
        if (depth[v] > depth[found]) found = v;
    }
    return found;
}

/// Ancestors in a tree that grows at its leaves, by skips of growing length (Myers 1983).
class Ancestors {
public:
    explicit Ancestors(std::size_t count)
        : above_(count, none), skip_(count, none), depth_(count, 0) {}
    void root(Index v) { skip_[v] = v; }
    void hang(Index v, Index above) {
        above_[v] = above;
        depth_[v] = depth_[above] + 1;
        const Index far = skip_[above];
        skip_[v] =
            depth_[above] - depth_[far] == depth_[far] - depth_[skip_[far]] ? skip_[far] : above;
    }
    Index lowest_common(Index a, Index b) const {
        if (depth_[a] < depth_[b]) std::swap(a, b);
        while (depth_[a] > depth_[b]) a = depth_[skip_[a]] >= depth_[b] ? skip_[a] : above_[a];
        while (a != b) {
            const bool near = skip_[a] == skip_[b];
            a = near ? above_[a] : skip_[a];
            b = near ? above_[b] : skip_[b];
        }
        return a;
    }

private:
    std::vector<Index> above_, skip_, depth_;
};

}  // namespace

PostDominators find_post_dominators(const Lists& inputs) {
    PostDominators tree;
    const std::size_t count = inputs.size();
    tree.above.assign(count, none);
    tree.before.assign(count, none);
    tree.readings.assign(count, 0);
    tree.in_tree.assign(count, false);
    const Lists readers = readers_of(inputs);
    const std::vector<Index> order = data_order(inputs, readers);
    if (order.empty()) return tree;
    const Index last = deepest(inputs, order);
    tree.in_tree[last] = true;
    Ancestors ancestors(count);
    ancestors.root(last);
    std::vector<bool> forks(count, false);  // is read on several ways that meet above
    for (std::size_t i = order.size(); i-- > 0;) {
        const Index v = order[i];
        if (v != last) {
            Index meeting = none;
            bool direct = true;
            for (const Index r : readers[v]) {
                if (!tree.in_tree[r]) continue;
                ++tree.readings[v];
                meeting = meeting == none ? r : ancestors.lowest_common(meeting, r);
            }
            if (meeting == none) continue;
            for (const Index r : readers[v]) direct = direct && (!tree.in_tree[r] || r == meeting);
            tree.in_tree[v] = true;
            tree.above[v] = meeting;
            forks[v] = !direct;
            ancestors.hang(v, meeting);
        }
    }
    std::vector<Index> below(count, 1);  // size of the tree from there down
    for (const Index v : order) {
        if (!tree.in_tree[v]) continue;
        tree.order.push_back(v);
        const Index above = tree.above[v];
        if (above == none) continue;
        below[above] += below[v];
        Index& before = tree.before[above];
        if (before == none || forks[v] > forks[before] ||
            (forks[v] == forks[before] && below[v] > below[before]))
            before = v;
    }
    return tree;
}

}  // namespace lapidary::drawing
