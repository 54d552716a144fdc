// SPDX-License-Identifier: GPL-3.0-or-later
// Names of groups over a drawing, of one size at every zoom: where the cards are too small to be
// read, and of frames whose headers are out of view.
#pragma once

#include <QFont>
#include <QPainter>
#include <QStringList>

#include <vector>

#include "canvas/graph_look.h"
#include "canvas/graph_scene.h"

namespace lapidary::views {

struct GroupName {
    OutlineIndex box = noIndex;
    QRectF place;        // of the words, in the widget
    QStringList lines;   // the name, and what it holds where there is room for a second line
    bool plate = false;  // on a plate of its own, not on the card
};

/// "encoder", "12 × layer, #7 is slow" or "18 nodes".
QStringList groupNameLines(const GraphScene& scene, const GraphLook& look, const SceneBox& box);

/// In a widget of that size that shows `origin` of the scene in its upper left corner. The largest
/// groups first; none over another.
std::vector<GroupName> placeGroupNames(const GraphScene& scene, const GraphLook& look, double scale,
                                       const QPointF& origin, const QSizeF& widget,
                                       const QFont& font);

void paintGroupNames(QPainter& painter, const std::vector<GroupName>& names, const GraphLook& look,
                     const QPalette& palette, const QFont& font);

}  // namespace lapidary::views
