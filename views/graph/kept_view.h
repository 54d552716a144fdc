// SPDX-License-Identifier: GPL-3.0-or-later
// What of the drawing stays where it is when an edit changes the graph, or the file is read again:
// scale, place, open groups.
#pragma once

#include <QPointF>
#include <QString>

#include <set>
#include <vector>

#include "canvas/graph_canvas.h"

namespace lapidary::views {

struct KeptView {
    struct Place {
        NodeId node;  // of the main graph
        QPointF at;   // of its box on the canvas
    };
    double scale = 0;           // 0: nothing is kept
    double flatter = 1;         // SceneOptions::flatter
    std::set<QString> open;     // groups, by their labels from the outermost inwards
    std::vector<Place> places;  // of visible nodes, those in the middle first
    bool hasKeyboard = false;   // the canvas had it
    bool isReadAgain = false;   // the same file as it is now; ids may be of other nodes
    bool isKept() const { return scale > 0; }
};

/// What the canvas shows now.
KeptView keepView(const GraphCanvas& canvas);
/// The same groups of another outline.
OpenGroups openAgain(const GraphOutline& outline, const KeptView& kept);
/// Puts the first of the kept nodes that is still there where it was.
void restoreView(GraphCanvas& canvas, const KeptView& kept);

}  // namespace lapidary::views
