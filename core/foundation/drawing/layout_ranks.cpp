// SPDX-License-Identifier: Apache-2.0
// Rows of boxes, and the bends of the lines that pass rows.
#include <algorithm>
#include <functional>
#include <limits>
#include <queue>

#include "drawing/layout_stages.h"

namespace lapidary::layout {
namespace {

struct Arcs {
    std::vector<std::vector<Index>> out, in;  // distinct neighbours are not required
};

Arcs collect_arcs(const LayoutInput& input) {
    Arcs arcs;
    arcs.out.resize(input.boxes.size());
    arcs.in.resize(input.boxes.size());
    for (const LayoutEdge& edge : input.edges) {
        for (const LayoutTarget& target : edge.targets) {
            if (target.box == edge.source) continue;
            arcs.out[edge.source].push_back(target.box);
            arcs.in[target.box].push_back(edge.source);
        }
    }
    return arcs;
}

/// Every box once, sources before targets; a cycle is opened at its box of smallest index.
std::vector<Index> order_boxes(const Arcs& arcs) {
    const Index count = static_cast<Index>(arcs.in.size());
    std::vector<Index> order, missing(count);
    order.reserve(count);
    std::vector<char> placed(count, 0);
    std::priority_queue<Index, std::vector<Index>, std::greater<>> ready;
    for (Index v = 0; v < count; ++v) {
        missing[v] = static_cast<Index>(arcs.in[v].size());
        if (missing[v] == 0) ready.push(v);
    }
    Index next = 0;
    while (order.size() < count) {
        if (ready.empty()) {
            while (placed[next]) ++next;
            ready.push(next);
        }
        const Index v = ready.top();
        ready.pop();
        if (placed[v]) continue;
        placed[v] = 1;
        order.push_back(v);
        for (Index w : arcs.out[v]) {
            if (--missing[w] == 0 && !placed[w]) ready.push(w);
        }
    }
    return order;
}

/// Puts pinned boxes into separate rows before and after the rest.
void pin_ends(const LayoutInput& input, std::vector<int>& rank) {
    int least = std::numeric_limits<int>::max(), last = -1;
    bool first = false;
    for (Index v = 0; v < rank.size(); ++v) {
        if (rank[v] < 0) continue;
        if (input.boxes[v].pin == LayoutPin::first) first = true;
        if (input.boxes[v].pin != LayoutPin::free) continue;
        least = std::min(least, rank[v]);
        last = std::max(last, rank[v]);
    }
    const int shift = first ? 1 - std::min(least, last < 0 ? 1 : least) : (last < 0 ? 0 : -least);
    const int end = last < 0 ? 1 : last + shift + 1;
    for (Index v = 0; v < rank.size(); ++v) {
        if (rank[v] < 0) continue;
        rank[v] = input.boxes[v].pin == LayoutPin::first  ? 0
                  : input.boxes[v].pin == LayoutPin::last ? end
                                                          : rank[v] + shift;
    }
}

/// Arcs against the order belong to cycles; they are reversed, so that every arc runs forwards.
void turn_backward_arcs(Arcs& arcs, const std::vector<Index>& order) {
    const Index count = static_cast<Index>(order.size());
    std::vector<Index> place(count);
    for (Index i = 0; i < count; ++i) place[order[i]] = i;
    for (Index v = 0; v < count; ++v) {
        auto& out = arcs.out[v];
        for (std::size_t i = 0; i < out.size();) {
            const Index w = out[i];
            if (place[w] > place[v]) {
                ++i;
                continue;
            }
            out[i] = out.back();
            out.pop_back();
            auto& in = arcs.in[w];
            in.erase(std::find(in.begin(), in.end(), v));
            arcs.in[v].push_back(w);
            arcs.out[w].push_back(v);
        }
    }
}

/// Moves boxes that hang on inputs read nowhere else, and those with more readers than inputs, next
/// to their readers.
void move_to_readers(const LayoutInput& input, const Arcs& arcs, const std::vector<Index>& order,
                     const std::vector<char>& floating, std::vector<int>& rank) {
    for (std::size_t i = order.size(); i-- > 0;) {
        const Index v = order[i];
        if (arcs.out[v].empty() || input.boxes[v].pin != LayoutPin::free ||
            !(floating[v] || arcs.in[v].size() < arcs.out[v].size()))
            continue;
        int nearest = std::numeric_limits<int>::max();
        for (Index w : arcs.out[v]) nearest = std::min(nearest, rank[w]);
        rank[v] = std::max(rank[v], nearest - 1);
    }
}

}  // namespace

std::vector<int> assign_ranks(const LayoutInput& input) {
    Arcs arcs = collect_arcs(input);
    const std::vector<Index> order = order_boxes(arcs);
    const Index count = static_cast<Index>(order.size());
    turn_backward_arcs(arcs, order);
    std::vector<int> rank(count, 0);
    std::vector<char> floating(count, 0);  // hangs on inputs that are read nowhere else
    for (Index v : order) {
        bool floats = true;
        for (Index u : arcs.in[v]) {
            rank[v] = std::max(rank[v], rank[u] + 1);
            floats = floats && floating[u] && arcs.out[u].size() == 1;
        }
        floating[v] = floats && input.boxes[v].pin == LayoutPin::free;
    }
    move_to_readers(input, arcs, order, floating, rank);
    int least = std::numeric_limits<int>::max();
    for (Index v = 0; v < count; ++v) {
        if (arcs.in[v].empty() && arcs.out[v].empty()) rank[v] = -1;
        else least = std::min(least, rank[v]);
    }
    for (int& r : rank) r = r < 0 ? -1 : r - least;
    pin_ends(input, rank);
    return rank;
}

namespace {

Adjacency adjacency(const Layers& layers, bool upwards) {
    Adjacency result;
    result.offsets.assign(layers.size() + 1, 0);
    for (const Link& link : layers.links) ++result.offsets[(upwards ? link.lower : link.upper) + 1];
    for (Index v = 0; v < layers.size(); ++v) result.offsets[v + 1] += result.offsets[v];
    result.entries.resize(layers.links.size());
    std::vector<Index> fill(result.offsets.begin(), result.offsets.end() - 1);
    for (Index i = 0; i < layers.links.size(); ++i) {
        const Link& link = layers.links[i];
        const Index v = upwards ? link.lower : link.upper;
        result.entries[fill[v]++] = upwards ? Neighbour{link.upper, i, link.upper_port}
                                            : Neighbour{link.lower, i, link.lower_port};
    }
    return result;
}

std::uint64_t count_bends(const LayoutInput& input, const std::vector<int>& rank, int tunnel) {
    std::uint64_t bends = 0;
    for (const LayoutEdge& edge : input.edges) {
        int longest = 1;
        for (const LayoutTarget& target : edge.targets) {
            const int length = rank[target.box] - rank[edge.source];
            if (is_tunnelled(target, length, tunnel)) continue;
            if (length > 0) longest = std::max(longest, length);
            else if (length < 0) bends += static_cast<std::uint64_t>(-length - 1);
        }
        bends += static_cast<std::uint64_t>(longest - 1);
    }
    return bends;
}

/// Adds boxes and edges to layers that have their ranks.
class LayerBuilder {
public:
    LayerBuilder(const LayoutInput& input, Layers& layers, int tunnel)
        : input_(input), layers_(layers), tunnel_(tunnel) {
        for (const LayoutBox& box : input.boxes) {
            layers.width.push_back(box.width);
            layers.height.push_back(box.height);
        }
    }

    void add_edge(Index e) {
        const LayoutEdge& edge = input_.edges[e];
        const Chain trunk = add_trunk(e);
        for (Index t = 0; t < edge.targets.size(); ++t) {
            const LayoutTarget& target = edge.targets[t];
            const int length = layers_.rank[target.box] - layers_.rank[edge.source];
            if (length == 0 || is_tunnelled(target, length, tunnel_)) continue;
            if (length < 0) add_back(e, t, -length);
            else if (length == 1)
                layers_.links.push_back({edge.source, target.box, edge.port, target.port});
            else
                layers_.links.push_back(
                    {trunk.first + static_cast<Index>(length) - 2, target.box, 0.5f, target.port});
        }
    }

private:
    /// Bends in `count` layers from `first_rank` on; the first of them.
    Index add_bends(int first_rank, int count) {
        const Index first = layers_.size();
        for (int i = 0; i < count; ++i) {
            layers_.rank.push_back(first_rank + i);
            layers_.width.push_back(2);
            layers_.height.push_back(0);
        }
        return first;
    }

    /// The bends that lead to all targets in later layers.
    Chain add_trunk(Index e) {
        const LayoutEdge& edge = input_.edges[e];
        const int from = layers_.rank[edge.source];
        int longest = 1;
        for (const LayoutTarget& target : edge.targets) {
            const int length = layers_.rank[target.box] - from;
            if (!is_tunnelled(target, length, tunnel_)) longest = std::max(longest, length);
        }
        const Chain trunk{e, none, add_bends(from + 1, longest - 1),
                          static_cast<Index>(longest - 1), false};
        for (Index i = 0; i < trunk.count; ++i) {
            layers_.links.push_back({i == 0 ? edge.source : trunk.first + i - 1, trunk.first + i,
                                     i == 0 ? edge.port : 0.5f, 0.5f});
        }
        if (trunk.count > 0) layers_.chains.push_back(trunk);
        return trunk;
    }

    /// The bends from a target `length` layers before the source to it.
    void add_back(Index e, Index t, int length) {
        const LayoutEdge& edge = input_.edges[e];
        const LayoutTarget& target = edge.targets[t];
        const Index count = static_cast<Index>(length - 1);
        const Chain back{e, t, add_bends(layers_.rank[target.box] + 1, length - 1), count, true};
        for (Index i = 0; i <= count; ++i) {
            layers_.links.push_back({i == 0 ? target.box : back.first + i - 1,
                                     i == count ? edge.source : back.first + i,
                                     i == 0 ? target.port : 0.5f, i == count ? edge.port : 0.5f});
        }
        layers_.chains.push_back(back);
    }

    const LayoutInput& input_;
    Layers& layers_;
    int tunnel_;  // longer edges are not drawn through the layers; 0: all are
};

}  // namespace

int build_layers(const LayoutInput& input, const LayoutOptions& options, std::vector<int> ranks,
                 Layers& layers) {
    int tunnel = options.tunnel_ranks;
    if (tunnel <= 0 && count_bends(input, ranks, 0) > options.max_bends) tunnel = 1 << 16;
    while (tunnel > 4 && count_bends(input, ranks, tunnel) > options.max_bends) tunnel /= 2;

    layers.box_count = static_cast<Index>(input.boxes.size());
    layers.rank = std::move(ranks);
    LayerBuilder builder(input, layers, tunnel);
    for (Index e = 0; e < input.edges.size(); ++e) builder.add_edge(e);
    layers.up = adjacency(layers, true);
    layers.down = adjacency(layers, false);
    return tunnel;
}

}  // namespace lapidary::layout
