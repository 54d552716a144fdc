// SPDX-License-Identifier: GPL-3.0-or-later
// What lies over the canvas: the mini-map in the lower right corner and the legend in the lower left.
#pragma once

#include <QPixmap>

#include "canvas/graph_painter.h"

namespace lapidary::views {

class CanvasOverlay {
public:
    /// The scene, its look or the palette changed: the picture of the map is made anew when next painted.
    void invalidate() { map_ = {}; }

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

    /// A text that points at a box of the widget; it stays within the widget as long as the box is in view.
    static void paintPin(QPainter& painter, const QString& text, const QRectF& box, const QPalette& palette,
                         const QFont& font, const QSizeF& widget);

private:
    QPixmap map_;
};

}  // namespace lapidary::views
