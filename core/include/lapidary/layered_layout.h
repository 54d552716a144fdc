// SPDX-License-Identifier: Apache-2.0
// Layered drawing of a directed graph: boxes in, rectangles and routed lines out. A pure function.
#pragma once

#include <cstdint>
#include <vector>

#include <lapidary/progress.h>

namespace lapidary {

enum class LayoutDirection : std::uint8_t { down, right };

struct LayoutPoint {
    float x = 0, y = 0;
    friend bool operator==(const LayoutPoint&, const LayoutPoint&) = default;
};

/// `first` and `last` stand alone in the outermost rows: the ends of lines that come from or go elsewhere.
enum class LayoutPin : std::uint8_t { free, first, last };

/// A box to place; its index in LayoutInput::boxes is its id. Sizes in pixels at 100 %.
struct LayoutBox {
    float width = 0, height = 0;
    LayoutPin pin = LayoutPin::free;
};

/// One reader of a tensor. `port` tells where on the entry side of the box the line ends, 0..1.
struct LayoutTarget {
    std::uint32_t box = 0;
    float port = 0.5f;
};

/// One tensor: a writer and all its readers, which share one bundle of lines. A box that reads itself is
/// not drawn; cycles are allowed (their lines run backwards).
struct LayoutEdge {
    std::uint32_t source = 0;
    float port = 0.5f;
    std::vector<LayoutTarget> targets;
};

struct LayoutInput {
    std::vector<LayoutBox> boxes;
    std::vector<LayoutEdge> edges;
};

struct LayoutOptions {
    LayoutDirection direction = LayoutDirection::down;
    float rank_gap = 34;      // between rows of boxes
    float box_gap = 22;       // between neighbours of a row
    float line_gap = 10;      // between a line that passes a row and its neighbours
    int tunnel_ranks = 60;    // a line over more rows is cut into two labelled ends; 0: never
    int sweeps = 8;          // most passes of crossing reduction
    std::uint32_t max_bends = 300'000;  // when lines pass rows more often than this, tunnel_ranks shrinks
    CancelToken cancel;      // checked between the passes; fires as Error{cancelled}
};

/// The line to one reader. The first reader that is reached through the whole bundle owns the bundle's trunk;
/// the lines of the others start on it.
struct LayoutRoute {
    std::uint32_t edge = 0;
    std::uint32_t target = 0;  // index into LayoutEdge::targets
    bool backward = false;     // runs against the direction (a cycle between folded groups)
    std::vector<LayoutPoint> points;
};

/// One end of a line that was cut because it is too long.
struct LayoutStub {
    static constexpr std::uint32_t all = 0xffffffffu;
    std::uint32_t edge = 0;
    std::uint32_t target = all;  // the reader at this end; all: the writer's end
    std::uint32_t hidden = 0;    // writer's end: how many readers are not connected by a line
    LayoutPoint border, tip;     // on the box, and the free end
};

struct LayoutResult {
    std::vector<LayoutPoint> corners;  // upper left corner per box
    std::vector<int> ranks;            // row per box, from 0
    std::vector<LayoutRoute> routes;
    std::vector<LayoutStub> stubs;
    float width = 0, height = 0;
    std::int64_t crossings = 0;
    std::uint32_t bends = 0;           // passed rows, all lines together
    int tunnel_ranks = 0;               // the limit that was used
};

/// Rows by longest path with short inputs pulled down, one chain of bends per tensor, order by barycentre
/// sweeps, positions after Brandes and Koepf (or by bounded relaxation where straight lines would make the
/// drawing too wide). Equal input gives equal output. Throws invalid_input when an edge names a box that is
/// not there, cancelled when the token fires.
LayoutResult layered_layout(const LayoutInput& input, const LayoutOptions& options = {});

}  // namespace lapidary
