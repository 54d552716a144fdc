// SPDX-License-Identifier: GPL-3.0-or-later
// What lies over the canvas: the mini-map in a corner at the right and the legend in the lower left.
#pragma once

#include <QPixmap>

#include "canvas/graph_painter.h"

namespace lapidary::views {

class CanvasOverlay {
public:
    /// The scene, its look or the palette changed: the picture of the map is made anew when next painted.
    void invalidate() { map_ = {}; }

    /// Puts the map into the corner at the right, the lower one by choice, where it covers less of the cards that are
    /// seen with this scale and origin.
    void chooseCorner(const GraphScene& scene, const QSizeF& widget, double scale, const QPointF& origin);
    /// Where the map lies in a widget of this size; empty when all of the scene is visible or nothing is drawn.
    QRectF mapRect(const GraphScene& scene, const QSizeF& widget, const QRectF& visible) const;
    /// The scene point under a point of the map.
    QPointF sceneAt(const GraphScene& scene, const QRectF& map, const QPointF& at) const;

    void paintMap(QPainter& painter, const GraphScene& scene, const GraphLook& look, const QPalette& palette,
                  const QRectF& map, const QRectF& visible);
    /// `values` names the gradient of ColorBy::Value, `most` is its upper end; `kinds` those of ColorBy::Kind.
    void paintLegend(QPainter& painter, const GraphScene& scene, const GraphLook& look, const QPalette& palette,
                     const QFont& font, const QSizeF& widget, const LeafValues* values, double most,
                     const LeafKinds* kinds = nullptr) const;

private:
    static QRectF mapIn(const GraphScene& scene, const QSizeF& widget, bool atTop);
    QPixmap map_;
    bool atTop_ = false;
};

}  // namespace lapidary::views
