// SPDX-License-Identifier: GPL-3.0-or-later
// What lies over the canvas: the mini-map in a corner at the right and the legend in one at the
// left. Where a first look would have cards or labels beneath them in both corners they fold to a
// word, which a click unfolds.
#pragma once

#include <QPixmap>

#include <optional>

#include "canvas/canvas_legend.h"

namespace lapidary::views {

class CanvasOverlay {
public:
    static constexpr double margin = 12;  // to the edges of the widget

    /// The scene, its look or the palette changed: what is drawn is made anew when next painted.
    void invalidate() {
        map_ = {};
        legend_.reset();
    }

    /// Puts both where they cover no card and no label of a line that is seen with this scale and
    /// origin; folds what would in either corner, but for what the user folded or unfolded.
    void arrange(const OverlaySubject& subject, double scale, const QPointF& origin);
    /// Where the map or its word lies; empty when all of the scene is visible or nothing is drawn.
    QRectF mapRect(const OverlaySubject& subject, const QRectF& visible) const;
    /// Where the legend or its word lies; empty: there is none.
    QRectF legendRect(const OverlaySubject& subject) const;
    /// Where the legend would lie unfolded in the lower corner.
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
        bool chosen = false;  // by the user, whether it is folded
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
