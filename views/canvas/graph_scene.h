// SPDX-License-Identifier: GPL-3.0-or-later
// A drawn model: boxes and lines with positions, for one choice of open groups. Immutable, made off
// the GUI thread by buildScene(); plain data, no widget.
#pragma once

#include <QRectF>
#include <QStringView>

#include <array>
#include <span>
#include <vector>

#include <lapidary/graph/layered_layout.h>

#include "canvas/graph_outline.h"
#include "canvas/scene_grid.h"

namespace lapidary::views {

/// Widths of characters at 100 %, measured once on the GUI thread.
struct TextWidths {
    std::array<float, 128> ascii{};
    float other = 9;
    float of(QStringView text) const;
};

struct SceneOptions {
    LayoutDirection direction = LayoutDirection::down;
    bool showConstants = false;
    // ratio of width to height; drawings much longer than wide are wrapped into columns to reach
    // it; 0: they are not wrapped
    double aspect = 0;
    // factor of `aspect` for the content of groups, which have other boxes above and below them
    double flatter = 1;
    TextWidths title, body;  // first line of a card, and the others
    CancelToken cancel;
};

/// Which groups of an outline are open; by group index.
using OpenGroups = std::vector<bool>;

/// Opens whole levels of scopes as long as at most `mostBoxes` boxes are visible. In small models
/// all groups are open.
OpenGroups defaultOpenGroups(const GraphOutline& outline, std::size_t mostBoxes = 400);
/// Opens or closes one group; control flow opens with its bodies.
OpenGroups toggled(const GraphOutline& outline, OpenGroups open, OutlineIndex group);
OpenGroups allGroups(const GraphOutline& outline, bool open);
/// How many boxes are visible with these groups open.
std::size_t countVisible(const GraphOutline& outline, const OpenGroups& open);

struct SceneBox {
    // a node, input or output (also of a closed or open control-flow group)
    OutlineIndex leaf = noIndex;
    OutlineIndex group = noIndex;  // a group
    OutlineIndex frame = noIndex;  // the box of the open group it stands in; noIndex at the top
    bool open = false;             // an open group: a frame around its content
    float x = 0, y = 0, width = 0, height = 0;
    QRectF rect() const { return QRectF(x, y, width, height); }
};

struct SceneLine {
    OutlineIndex tensor = 0;
    OutlineIndex source = 0, target = 0;  // boxes
    std::uint32_t first = 0, count = 0;   // its points in GraphScene::points
    bool backward = false;
    bool arrives = true;   // ends at a box that is drawn, so it gets an arrow head
    bool wrapped = false;  // goes on in another column
};

/// A part of a line: the unit that is culled and drawn. Pieces of one line share their end points.
struct LinePiece {
    OutlineIndex line = 0;
    std::uint32_t first = 0, count = 0;  // points, at least two
    bool last = false;                   // ends where the line ends
};

/// A cut line's end.
struct SceneStub {
    OutlineIndex tensor = 0;
    OutlineIndex box = 0;      // the box it starts at
    OutlineIndex other = 0;    // a box at the other end, to jump to
    std::uint32_t hidden = 0;  // at the producer: number of readers; at a reader: 0
    LayoutPoint border, tip;
};

struct GraphScene {
    GraphOutlinePtr outline;
    OpenGroups open;
    SceneOptions options;
    std::vector<SceneBox> boxes;  // frames before their content
    std::vector<SceneLine> lines;
    std::vector<LayoutPoint> points;
    std::vector<LinePiece> pieces;
    std::vector<SceneStub> stubs;
    float width = 0, height = 0;
    SceneGrid boxGrid, pieceGrid;
    // area of the shape label, by line; empty: no room
    std::vector<QRectF> labels;
    // the box that shows a leaf: its own or the closed group's; noIndex: hidden
    std::vector<OutlineIndex> boxOfLeaf;
    std::vector<OutlineIndex> boxOfGroup;                      // noIndex: inside a closed group
    std::vector<std::vector<OutlineIndex>> linesOut, linesIn;  // lines by box

    std::span<const LayoutPoint> pointsOf(const SceneLine& line) const {
        return {points.data() + line.first, line.count};
    }
    std::span<const LayoutPoint> pointsOf(const LinePiece& piece) const {
        return {points.data() + piece.first, piece.count};
    }
    /// The innermost box at a place; noIndex where there is none.
    OutlineIndex boxAt(float x, float y) const;
    QString titleOf(const SceneBox& box) const;
    OperatorFamily familyOf(const SceneBox& box) const;
    /// Drawn nodes in the box: 1 for a node, 0 for inputs and outputs.
    std::uint32_t nodesIn(const SceneBox& box) const;
    bool isGroup(const SceneBox& box) const { return box.group != noIndex; }
};

constexpr double widestLabel = 150;     // of a line label, in scene units
constexpr double labelledScale = 0.85;  // from this scale on lines have labels
/// The area of the shape label of each line, beside its arrow head; empty if there is no room.
std::vector<QRectF> placeLabels(const GraphScene& scene);

using GraphScenePtr = std::shared_ptr<const GraphScene>;

/// Sets the size of a card: for a leaf that is not a group, or a closed group.
void measureBox(const GraphOutline& outline, const SceneOptions& options, SceneBox& box);
/// Makes grids, pieces, the lists of lines per box and the places of labels from boxes, lines and
/// points.
void indexScene(GraphScene& scene);

/// Lays out every open group by itself; the group is one box in the group around it. Throws
/// cancelled.
GraphScenePtr buildScene(GraphOutlinePtr outline, OpenGroups open, const SceneOptions& options);

constexpr double readableScale = 0.75;  // from this scale on labels can be read
constexpr double sceneBorder = 28;      // kept free around a drawing, pixels
/// The scale at which the whole drawing fits into `room` pixels.
double fittingScale(const GraphScene& scene, QSizeF room);
/// Drawings of which one is shown first. The first has the groups of defaultOpenGroups() open; the
/// others have fewer open: a whole level of scopes less, or only the largest groups of a level,
/// some with flatter groups.
std::vector<GraphScenePtr> buildFirstScenes(const GraphOutlinePtr& outline,
                                            const SceneOptions& options);
/// The one with most groups open that can be read as a whole within `room`. The first one if none
/// can, or if the readable one shows almost nothing.
const GraphScenePtr& firstLook(const std::vector<GraphScenePtr>& scenes, QSizeF room);

}  // namespace lapidary::views
