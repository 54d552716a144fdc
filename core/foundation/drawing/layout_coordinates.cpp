// SPDX-License-Identifier: Apache-2.0
// Positions along the rows after Brandes and Koepf, "Fast and Simple Horizontal Coordinate
// Assignment" (2001): vertices are aligned with a median neighbour into vertical blocks, four times
// (from above and below, from left and right); blocks are packed, classes of blocks shifted
// together; each vertex takes the median.
#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "drawing/layout_stages.h"

namespace lapidary::layout {
namespace {

/// Marks links that cross a straight run of bends; such a run is never bent for them.
std::vector<char> find_conflicts(const Layers& layers) {
    std::vector<char> conflict(layers.links.size(), 0);
    for (std::size_t r = 0; r + 1 < layers.rows.size(); ++r) {
        const auto& lower = layers.rows[r + 1];
        Index left = 0;
        std::size_t scanned = 0;
        for (std::size_t i = 0; i < lower.size(); ++i) {
            Index inner = none;
            if (layers.is_bend(lower[i])) {
                for (const Neighbour& n : layers.up.of(lower[i])) {
                    if (layers.is_bend(n.vertex)) inner = layers.position[n.vertex];
                }
            }
            if (i + 1 != lower.size() && inner == none) continue;
            const Index right =
                inner != none ? inner : static_cast<Index>(layers.rows[r].size() - 1);
            for (; scanned <= i; ++scanned) {
                const Index v = lower[scanned];
                for (const Neighbour& n : layers.up.of(v)) {
                    const Index at = layers.position[n.vertex];
                    if ((at < left || at > right) &&
                        !(layers.is_bend(v) && layers.is_bend(n.vertex)))
                        conflict[n.link] = 1;
                }
            }
            left = right;
        }
    }
    return conflict;
}

struct Alignment {
    std::vector<Index> root, next;  // blocks as rings; the root is the block's first vertex met
};

/// `from_above`: align with upper neighbours, rows from the top; `from_left`: prefer the left
/// median.
Alignment align_vertices(const Layers& layers, const std::vector<char>& conflict, bool from_above,
                         bool from_left) {
    Alignment a;
    a.root.resize(layers.size());
    std::iota(a.root.begin(), a.root.end(), 0u);
    a.next = a.root;
    const Adjacency& neighbours = from_above ? layers.up : layers.down;
    const std::size_t rows = layers.rows.size();
    for (std::size_t q = 0; q < rows; ++q) {
        const auto& row = layers.rows[from_above ? q : rows - 1 - q];
        std::int64_t limit = from_left ? -1 : std::numeric_limits<std::int64_t>::max();
        for (std::size_t i = 0; i < row.size(); ++i) {
            const Index v = row[from_left ? i : row.size() - 1 - i];
            const auto around = neighbours.of(v);
            if (around.empty()) continue;
            const std::size_t low = (around.size() - 1) / 2, high = around.size() / 2;
            for (std::size_t median : {from_left ? low : high, from_left ? high : low}) {
                if (a.next[v] != v) break;
                const Neighbour& n = around[median];
                const std::int64_t at = layers.position[n.vertex];
                if (conflict[n.link] || !(from_left ? limit < at : limit > at)) continue;
                a.next[n.vertex] = v;
                a.root[v] = a.root[n.vertex];
                a.next[v] = a.root[v];
                limit = at;
            }
        }
    }
    return a;
}

/// Packs the blocks towards the left (seen from `from_left`), then moves each class of blocks that
/// hang on one outermost block as far towards the rest as it can go.
class BlockPacker {
public:
    BlockPacker(const Layers& layers, const LayoutOptions& options, const Alignment& a,
                bool from_left)
        : layers_(layers), options_(options), a_(a), from_left_(from_left),
          sink_(layers.size(), none), x_(layers.size(), 0) {}

    /// The centre of each vertex.
    std::vector<float> pack() {
        place_blocks();
        close_classes();
        std::vector<float> centre(layers_.size(), 0);
        for (const auto& row : layers_.rows) {
            for (Index v : row) centre[v] = from_left_ ? x_[a_.root[v]] : -x_[a_.root[v]];
        }
        return centre;
    }

private:
    /// The neighbour in its layer towards the side that blocks are packed to, or away from it.
    Index neighbour(Index v, bool towards) const {
        const auto& row = layers_.rows[static_cast<std::size_t>(layers_.rank[v])];
        const Index at = layers_.position[v];
        if (from_left_ == towards) return at == 0 ? none : row[at - 1];
        return at + 1 == row.size() ? none : row[at + 1];
    }
    template <typename F>
    void for_each_of_block(Index block, F&& f) const {
        Index v = block;
        do {
            f(v);
            v = a_.next[v];
        } while (v != block);
    }

    /// The roots that nothing stands before, and how many blocks each of the others waits for.
    std::vector<Index> first_blocks(std::vector<Index>& waiting) const {
        std::vector<Index> first;
        for (const auto& row : layers_.rows) {
            for (Index v : row) {
                if (neighbour(v, true) != none) ++waiting[a_.root[v]];
            }
        }
        for (const auto& row : layers_.rows) {
            for (Index v : row) {
                if (a_.root[v] == v && waiting[v] == 0) first.push_back(v);
            }
        }
        return first;
    }

    void place_blocks() {
        std::vector<Index> waiting(layers_.size(), 0);
        order_ = first_blocks(waiting);
        for (std::size_t i = 0; i < order_.size(); ++i) {
            const Index block = order_[i];
            if (sink_[block] == none) sink_[block] = block;
            for_each_of_block(block, [&](Index v) {
                const Index w = neighbour(v, false);
                if (w == none) return;
                const Index other = a_.root[w];
                if (sink_[other] == none) sink_[other] = sink_[block];
                x_[other] = std::max(x_[other], x_[block] + layers_.separation(v, w, options_));
                if (--waiting[other] == 0) order_.push_back(other);
            });
        }
    }

    /// Classes, last one first: the room to the next class is the room of its tightest pair.
    void close_classes() {
        std::vector<std::vector<Index>> members(layers_.size());
        for (Index block : order_) members[sink_[block]].push_back(block);
        for (std::size_t i = order_.size(); i-- > 0;) {
            const Index head = order_[i];
            if (sink_[head] != head) continue;
            float room = std::numeric_limits<float>::infinity();
            for (Index block : members[head]) {
                for_each_of_block(block, [&](Index v) {
                    if (const Index w = neighbour(v, false); w != none && sink_[a_.root[w]] != head)
                        room = std::min(
                            room, x_[a_.root[w]] - x_[block] - layers_.separation(v, w, options_));
                });
            }
            if (room <= 0 || room == std::numeric_limits<float>::infinity()) continue;
            for (Index block : members[head]) x_[block] += room;
        }
    }

    const Layers& layers_;
    const LayoutOptions& options_;
    const Alignment& a_;
    const bool from_left_;
    std::vector<Index> order_;  // roots, each behind those it is packed against
    std::vector<Index> sink_;   // of roots: the outermost block that theirs hangs on
    std::vector<float> x_;      // of roots
};

struct Extent {
    float low = std::numeric_limits<float>::max(), high = std::numeric_limits<float>::lowest();
    float width() const { return high - low; }
};

Extent extent_of(const Layers& layers, const std::vector<float>& x) {
    Extent extent;
    for (const auto& row : layers.rows) {
        if (row.empty()) continue;
        extent.low = std::min(extent.low, x[row.front()] - layers.width[row.front()] / 2);
        extent.high = std::max(extent.high, x[row.back()] + layers.width[row.back()] / 2);
    }
    return extent;
}

float widest_row(const Layers& layers, const LayoutOptions& options) {
    float widest = 0;
    for (const auto& row : layers.rows) {
        float width = row.empty() ? 0 : (layers.width[row.front()] + layers.width[row.back()]) / 2;
        for (std::size_t i = 1; i < row.size(); ++i)
            width += layers.separation(row[i - 1], row[i], options);
        widest = std::max(widest, width);
    }
    return widest;
}

}  // namespace

void assign_coordinates(Layers& layers, const LayoutOptions& options) {
    layers.x.assign(layers.size(), 0);
    if (layers.rows.empty()) return;
    auto by_position = [&](const Neighbour& a, const Neighbour& b) {
        return layers.position[a.vertex] < layers.position[b.vertex];
    };
    for (Index v = 0; v < layers.size(); ++v) {
        std::sort(layers.up.of(v).begin(), layers.up.of(v).end(), by_position);
        std::sort(layers.down.of(v).begin(), layers.down.of(v).end(), by_position);
    }
    const std::vector<char> conflict = find_conflicts(layers);
    std::array<std::vector<float>, 4> candidates;
    std::array<Extent, 4> extents;
    std::size_t narrowest = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        options.cancel.throw_if_cancelled();
        const bool from_above = i < 2, from_left = i % 2 == 0;
        candidates[i] =
            BlockPacker(layers, options, align_vertices(layers, conflict, from_above, from_left),
                        from_left)
                .pack();
        extents[i] = extent_of(layers, candidates[i]);
        if (extents[i].width() < extents[narrowest].width()) narrowest = i;
    }
    const Extent frame = extents[narrowest];
    for (const auto& row : layers.rows) {
        for (Index v : row) {
            std::array<float, 4> at;
            for (std::size_t i = 0; i < 4; ++i) {
                at[i] = candidates[i][v] +
                        (i % 2 == 0 ? frame.low - extents[i].low : frame.high - extents[i].high);
            }
            std::sort(at.begin(), at.end());
            layers.x[v] = (at[1] + at[2]) / 2;
        }
    }
    // Rigid blocks interlock into stairs in dense random graphs; no packing can be narrower than
    // the longest stair, so there the lines have to bend instead.
    const float packed = widest_row(layers, options);
    if (extent_of(layers, layers.x).width() > 1.9f * packed + 200)
        relax_coordinates(layers, options, 1.35f * packed + 60);
    const Extent last = extent_of(layers, layers.x);
    for (float& x : layers.x) x -= last.low;
}

}  // namespace lapidary::layout
