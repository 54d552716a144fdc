// SPDX-License-Identifier: Apache-2.0
// Layered drawing of a directed graph: boxes in, rectangles and routed lines out. A pure function.
#pragma once

#include <cstdint>
#include <vector>

#include <lapidary/base/progress.h>

namespace lapidary {

/// Where the lines run to.
enum class LayoutDirection : std::uint8_t { down, right };

/// In pixels at 100 %, from the upper left.
struct LayoutPoint {
    float x = 0, y = 0;  // to the right, down
    friend bool operator==(const LayoutPoint&, const LayoutPoint&) = default;
};

/// `first` and `last` stand alone in the outermost rows: the ends of lines that come from or go
/// elsewhere.
enum class LayoutPin : std::uint8_t { free, first, last };

/// A box to place; its index in LayoutInput::boxes is its id. Sizes in pixels at 100 %.
struct LayoutBox {
    float width = 0, height = 0;      // of the box
    LayoutPin pin = LayoutPin::free;  // where it has to stand
};

/// One reader of a tensor. `port` says where on the entry side of the box the line ends, 0..1.
struct LayoutTarget {
    std::uint32_t box = 0;  // index into LayoutInput::boxes
    float port = 0.5f;      // 0: left or upper end of the side
    int tunnel_ranks = 0;   // cut when it is more rows away than that; 0: as LayoutOptions has it
};

/// One tensor: a writer and all its readers, which share one bundle of lines. A box that reads
/// itself is not drawn; cycles are allowed (their lines run backwards).
struct LayoutEdge {
    std::uint32_t source = 0;           // the writer: index into LayoutInput::boxes
    float port = 0.5f;                  // where on the exit side of the box the line begins, 0..1
    std::vector<LayoutTarget> targets;  // the readers
};

/// The graph to draw.
struct LayoutInput {
    std::vector<LayoutBox> boxes;   // nodes
    std::vector<LayoutEdge> edges;  // tensors
};

/// Distances in pixels at 100 %, and bounds on the work.
struct LayoutOptions {
    LayoutDirection direction = LayoutDirection::down;  // of the lines
    float rank_gap = 34;                                // between rows of boxes
    float box_gap = 22;                                 // between neighbours of a row
    float line_gap = 10;    // between a line that passes a row and its neighbours
    int tunnel_ranks = 60;  // a line over more rows is cut into two labelled ends; 0: never
    int sweeps = 8;         // most passes of crossing reduction
    /// width by height that a drawing much longer than wide is wrapped to, in columns; 0: never
    double wrap_aspect = 0;
    /// when lines pass rows more often than this, tunnel_ranks shrinks
    std::uint32_t max_bends = 300'000;
    CancelToken cancel;  // checked between the passes; fires as Error{cancelled}
};

/// The line to one reader. The first reader that is reached through the whole bundle owns the
/// bundle's trunk; the lines of the others start on it.
struct LayoutRoute {
    std::uint32_t edge = 0;    // index into LayoutInput::edges
    std::uint32_t target = 0;  // index into LayoutEdge::targets
    bool backward = false;     // runs against the direction (a cycle between folded groups)
    /// goes on in another column: from the end of one to the start of the next
    bool wrapped = false;
    std::vector<LayoutPoint> points;  // from the trunk, or the writer, to the reader
};

/// One end of a line that was cut because it is too long.
struct LayoutStub {
    static constexpr std::uint32_t all = 0xffffffffu;  // stands for all readers
    std::uint32_t edge = 0;                            // index into LayoutInput::edges
    std::uint32_t target = all;  // the reader at this end; all: the writer's end
    std::uint32_t hidden = 0;    // writer's end: how many readers are not connected by a line
    LayoutPoint border, tip;     // on the box, and the free end
};

/// The drawing.
struct LayoutResult {
    std::vector<LayoutPoint> corners;  // upper left corner per box
    std::vector<int> ranks;            // row per box, from 0
    std::vector<LayoutRoute> routes;   // of lines that are drawn whole
    std::vector<LayoutStub> stubs;     // ends of those that are not
    float width = 0, height = 0;       // of the whole
    std::int64_t crossings = 0;        // of lines between neighbouring rows
    std::uint32_t bends = 0;           // passed rows, all lines together
    int tunnel_ranks = 0;              // the limit that was used
};

/// Rows by longest path with short inputs pulled down, one chain of bends per tensor, order by
/// barycentre sweeps, positions after Brandes and Koepf (or by bounded relaxation where straight
/// lines would make the drawing too wide). Equal input gives equal output. Throws invalid_input
/// when an edge names a box that is not there, cancelled when the token fires.
LayoutResult layered_layout(const LayoutInput& input, const LayoutOptions& options = {});

}  // namespace lapidary
