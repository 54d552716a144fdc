// SPDX-License-Identifier: Apache-2.0
// The steps of layered_layout() and the record they hand on. Here the direction is always down: x
// runs along a row, y across the rows.
#pragma once

#include <span>

#include <lapidary/graph/layered_layout.h>

namespace lapidary::layout {

using Index = std::uint32_t;
inline constexpr Index none = 0xffffffffu;

/// A connection of two vertices in neighbouring rows.
struct Link {
    Index upper = 0, lower = 0;
    float upper_port = 0.5f, lower_port = 0.5f;
};

/// The bends of one tensor's bundle (or of one backward line): consecutive vertices in consecutive
/// rows.
struct Chain {
    Index edge = 0;
    Index target = none;  // backward lines: the one reader
    Index first = 0, count = 0;
    bool backward = false;
};

struct Neighbour {
    Index vertex = 0, link = 0;
    float port = 0.5f;  // on that vertex
};

/// Links by vertex: those of vertex v are entries[offsets[v]] up to entries[offsets[v + 1]].
struct Adjacency {
    std::vector<Index> offsets;
    std::vector<Neighbour> entries;
    std::span<const Neighbour> of(Index v) const {
        return {entries.data() + offsets[v], offsets[v + 1] - offsets[v]};
    }
    std::span<Neighbour> of(Index v) {
        return {entries.data() + offsets[v], offsets[v + 1] - offsets[v]};
    }
};

/// Whether a line over that many rows is drawn as a tunnel: cut into two labelled ends.
inline bool is_tunnelled(const LayoutTarget& target, int length, int tunnel_ranks) {
    const int rows = length < 0 ? -length : length;
    return (tunnel_ranks > 0 && rows > tunnel_ranks) ||
           (target.tunnel_ranks > 0 && rows > target.tunnel_ranks);
}

/// Vertices are the boxes, then the bends.
struct Layers {
    Index box_count = 0;
    std::vector<int> rank;
    std::vector<float> width, height;
    std::vector<Link> links;
    std::vector<Chain> chains;
    Adjacency up, down;
    std::vector<std::vector<Index>> rows;  // left to right
    std::vector<Index> position;           // index in its row
    std::vector<float> x;                  // centre

    Index size() const { return static_cast<Index>(rank.size()); }
    bool is_bend(Index v) const { return v >= box_count; }
    /// Smallest distance of the centres of neighbours a and b.
    float separation(Index a, Index b, const LayoutOptions& options) const {
        const float gap = is_bend(a) || is_bend(b) ? options.line_gap : options.box_gap;
        return (width[a] + width[b]) / 2 + gap;
    }
};

/// Row of each box; boxes without any line get -1. Reads each edge as source before target except
/// where that closes a cycle.
std::vector<int> assign_ranks(const LayoutInput& input);
/// Fills `layers` with boxes, bends and links; returns the tunnel length used. Targets further away
/// are cut.
int build_layers(const LayoutInput& input, const LayoutOptions& options, std::vector<int> ranks,
                 Layers& layers);
/// Orders the rows; returns the number of crossings left.
std::int64_t order_rows(Layers& layers, const LayoutOptions& options);
/// Fills layers.x; the leftmost border is 0.
void assign_coordinates(Layers& layers, const LayoutOptions& options);
/// The same by relaxation inside a fixed width: wider graphs than straight lines allow.
void relax_coordinates(Layers& layers, const LayoutOptions& options, float total_width);
/// Corners, routes and stubs from rows and coordinates.
void route_lines(const LayoutInput& input, const LayoutOptions& options, const Layers& layers,
                 int tunnel_ranks, LayoutResult& result);
/// Cuts a drawing that is much longer than wide into columns, so that it has about that width by
/// height.
void wrap_columns(const LayoutInput& input, double aspect, LayoutResult& result);

}  // namespace lapidary::layout
