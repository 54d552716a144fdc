// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the mini-map in a corner at the right of the canvas and the legend in a corner at the
// left. If they would cover cards or labels in both corners, they are folded to a word, which a
// click unfolds.
#pragma once

#include <QPixmap>

#include <optional>

#include "canvas/canvas_legend.h"

namespace lapidary::views {

class CanvasOverlay {
public:
    static constexpr double margin = 12;  // to the edges of the widget

    /// The scene, its look or the palette changed: both are drawn again at the next paint().
    void invalidate() {
        map_ = {};
        legend_.reset();
    }

    /// Places both where they cover no visible card or line label at this scale and origin. Folds
    /// the one that would cover some in either corner, unless the user folded or unfolded it.
    void arrange(const OverlaySubject& subject, double scale, const QPointF& origin);
    /// The area of the map or its word; empty if the whole scene is visible or there is none.
    QRectF mapRect(const OverlaySubject& subject, const QRectF& visible) const;
    /// The area of the legend or its word; empty: there is none.
    QRectF legendRect(const OverlaySubject& subject) const;
    /// The area of the unfolded legend in the lower corner.
    QRectF usualLegendRect(const OverlaySubject& subject) const;
    bool isMapFolded() const { return mapAt_.folded; }
    bool isLegendFolded() const { return legendAt_.folded; }
    void setMapFolded(bool folded) { mapAt_.folded = folded, mapAt_.chosen = true; }
    void setLegendFolded(bool folded) { legendAt_.folded = folded, legendAt_.chosen = true; }

    enum class Part { none, map, mapFold, legend, legendFold };
    Part partAt(const OverlaySubject& subject, const QRectF& visible, const QPointF& at) const;
    /// The scene point under a point of the map.
    QPointF sceneAt(const GraphScene& scene, const QRectF& map, const QPointF& at) const;

    void paint(QPainter& painter, const OverlaySubject& subject, const QRectF& visible);

private:
    struct Place {
        bool atTop = false, folded = false;
        bool chosen = false;  // the user chose whether it is folded
    };
    const CanvasLegend& legendOf(const OverlaySubject& subject) const;
    static double coveredLabels(const GraphScene& scene, const QRectF& area);
    static QRectF mapIn(const OverlaySubject& subject, Place place);
    QRectF legendIn(const OverlaySubject& subject, Place place) const;
    void paintMap(QPainter& painter, const OverlaySubject& subject, const QRectF& map,
                  const QRectF& visible);
    void drawMap(const OverlaySubject& subject, const QRectF& map, double ratio);

    QPixmap map_;
    mutable std::optional<CanvasLegend> legend_;
    Place mapAt_, legendAt_;
};

}  // namespace lapidary::views
