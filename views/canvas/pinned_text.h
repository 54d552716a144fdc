// SPDX-License-Identifier: GPL-3.0-or-later
// A text on a card that points at a box of the canvas.
#pragma once

#include <QPainter>
#include <QPalette>
#include <QRectF>

#include <vector>

namespace lapidary::views {

struct PinPlace {
    QRectF card;
    double covered = 0;  // of `others`, and of the box itself ten times; square pixels
};

/// Where a card of that size stands best: beside, below or above the box, where it covers least of
/// `others`, and within the widget as long as the box is in view. All in coordinates of the widget.
PinPlace placePin(const QSizeF& size, const QRectF& box, const QSizeF& widget,
                  const std::vector<QRectF>& others);

/// Nothing where the box is out of view.
void paintPin(QPainter& painter, const QString& text, const QRectF& box, const QPalette& palette,
              const QFont& font, const QSizeF& widget, const std::vector<QRectF>& others);

}  // namespace lapidary::views
