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
    // width by height that what is much longer than wide is wrapped to, in columns; 0: not
    double aspect = 0;
    // times that, of the content of groups: it stands above and below something
    double flatter = 1;
    TextWidths title, body;  // first line of a card, and the others
    CancelToken cancel;
};

/// Which groups of an outline are open; by group index.
using OpenGroups = std::vector<bool>;

/// Opens whole levels of scopes while no more than `mostBoxes` boxes are visible; small models open
/// all.
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

/// A run of a line's points: what is culled and drawn. Pieces of one line share their end points.
struct LinePiece {
    OutlineIndex line = 0;
    std::uint32_t first = 0, count = 0;  // points, at least two
    bool last = false;                   // ends where the line ends
};

/// A cut line's end.
struct SceneStub {
    OutlineIndex tensor = 0;
    OutlineIndex box = 0;      // where it is fixed
    OutlineIndex other = 0;    // a box at the other end, to jump to
    std::uint32_t hidden = 0;  // at the writer: number of readers; 0 at a reader
    LayoutPoint border, tip;
};

struct GraphScene {
    GraphOutlinePtr outline;
    OpenGroups open;
    SceneOptions options;
    std::vector<SceneBox> boxes;  // frames before what they hold
    std::vector<SceneLine> lines;
    std::vector<LayoutPoint> points;
    std::vector<LinePiece> pieces;
    std::vector<SceneStub> stubs;
    float width = 0, height = 0;
    SceneGrid boxGrid, pieceGrid;
    // by line: where the shape of its tensor stands; empty: no room
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

constexpr double widestLabel = 150;     // of a line, in the scene
constexpr double labelledScale = 0.85;  // from which on lines have labels
/// Where the shape of each line's tensor stands, beside its arrow head; empty where there is no
/// room for it.
std::vector<QRectF> placeLabels(const GraphScene& scene);

using GraphScenePtr = std::shared_ptr<const GraphScene>;

/// Sets the size of a card: of a leaf that is no group, or of a closed group.
void measureBox(const GraphOutline& outline, const SceneOptions& options, SceneBox& box);
/// Makes grids, pieces, the lists of lines per box and the places of labels from boxes, lines and
/// points.
void indexScene(GraphScene& scene);

/// Lays out every open group by itself; the group is one box in the group around it. Throws
/// cancelled.
GraphScenePtr buildScene(GraphOutlinePtr outline, OpenGroups open, const SceneOptions& options);

constexpr double readableScale = 0.75;  // from which on labels can be read
constexpr double sceneBorder = 28;      // kept free around a drawing, pixels
/// Of the whole drawing within `room` pixels.
double fittingScale(const GraphScene& scene, QSizeF room);
/// What may be looked at first: the fold of defaultOpenGroups(), then shallower ones, whole levels
/// of scopes at a time or the largest of a level alone; with groups drawn lower too.
std::vector<GraphScenePtr> buildFirstScenes(const GraphOutlinePtr& outline,
                                            const SceneOptions& options);
/// The deepest of them that can be read as a whole within `room`; the first where none can, or
/// where the one that can shows next to nothing.
const GraphScenePtr& firstLook(const std::vector<GraphScenePtr>& scenes, QSizeF room);

}  // namespace lapidary::views
