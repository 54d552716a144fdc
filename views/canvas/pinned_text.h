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
    double covered =
        0;  // area of `others` that it covers, and ten times that of the box itself; square pixels
};

/// The best place for a card of this size: beside, below or above the box, where it covers least of
/// `others`. It is inside the widget if the box is in view. All in widget coordinates.
PinPlace placePin(const QSizeF& size, const QRectF& box, const QSizeF& widget,
                  const std::vector<QRectF>& others);

/// Paints nothing if the box is out of view.
void paintPin(QPainter& painter, const QString& text, const QRectF& box, const QPalette& palette,
              const QFont& font, const QSizeF& widget, const std::vector<QRectF>& others);

}  // namespace lapidary::views
