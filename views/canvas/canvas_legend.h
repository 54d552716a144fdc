// SPDX-License-Identifier: GPL-3.0-or-later
// The legend of a drawing's colours: families of operators, kinds, or a gradient of numbers.
#pragma once

#include <QFont>
#include <QPainter>

#include <utility>
#include <vector>

#include "canvas/graph_painter.h"

namespace lapidary::views {

/// A drawing, the figures that it is coloured by, and the widget that shows it.
struct OverlaySubject {
    const GraphScene& scene;
    const GraphLook& look;
    QPalette palette;
    QFont font;
    QSizeF widget;
    const LeafValues* values = nullptr;  // of ColorBy::Value; null: there are none
    double most = 0;                     // upper end of its gradient
    const LeafKinds* kinds = nullptr;    // of ColorBy::Kind
};

struct CanvasLegend {
    std::vector<std::pair<QColor, QString>> rows;
    QString title;  // of a gradient; rows are empty then
    bool hasGradient = false;
    QString upperEnd;  // of the gradient, with its unit
    bool isEmpty() const { return rows.empty() && title.isEmpty(); }

    static CanvasLegend of(const OverlaySubject& subject);
    QSizeF size(const QFontMetricsF& metrics) const;
    /// Paints the legend without a background.
    void paint(QPainter& painter, const QRectF& place, const QPalette& palette,
               const QFontMetricsF& metrics) const;
};

}  // namespace lapidary::views
