// SPDX-License-Identifier: GPL-3.0-or-later
// Names of groups drawn over the scene in the same size at every zoom: for cards that are too small
// to read, and for frames whose headers are out of view.
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
    QRectF place;        // area of the text, in widget coordinates
    QStringList lines;   // the name, and the content if there is room for a second line
    bool plate = false;  // drawn on a background of its own instead of the card
};

/// "encoder", "12 × layer, #7 is slow" or "18 nodes"; with the number that colours the box, "3.02
/// ms · 18 nodes".
QStringList groupNameLines(const GraphScene& scene, const GraphLook& look, const SceneBox& box);

/// The names for a widget of this size with the scene point `origin` in its upper left corner.
/// Larger groups come first; names do not overlap.
std::vector<GroupName> placeGroupNames(const GraphScene& scene, const GraphLook& look, double scale,
                                       const QPointF& origin, const QSizeF& widget,
                                       const QFont& font);

void paintGroupNames(QPainter& painter, const std::vector<GroupName>& names, const GraphLook& look,
                     const QPalette& palette, const QFont& font);

}  // namespace lapidary::views
