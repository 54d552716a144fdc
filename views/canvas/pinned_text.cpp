// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/pinned_text.h"

#include <QFontMetricsF>

#include <algorithm>
#include <array>
#include <limits>

#include "theme/theme.h"

namespace lapidary::views {
namespace {

constexpr double pinMargin = 12, pinGap = 14, pinPadding = 8;
constexpr double widestPin = 340, narrowestPin = 130;

double covered(const QRectF& card, const std::vector<QRectF>& others) {
    double area = 0;
    for (const QRectF& other : others) {
        const QRectF both = card.intersected(other);
        area += std::max(0.0, both.width()) * std::max(0.0, both.height());
    }
    return area;
}

}  // namespace

PinPlace placePin(const QSizeF& size, const QRectF& box, const QSizeF& widget,
                  const std::vector<QRectF>& others) {
    const double middle = box.center().y() - size.height() / 2;
    const std::array<QPointF, 6> places{
        QPointF(box.right() + pinGap, middle),
        QPointF(box.left() - pinGap - size.width(), middle),
        QPointF(box.right() + pinGap, box.bottom() - size.height()),
        QPointF(box.right() + pinGap, box.top()),
        QPointF(box.left(), box.top() - pinGap - size.height()),
        QPointF(box.left(), box.bottom() + pinGap),
    };
    PinPlace best{{}, std::numeric_limits<double>::max()};
    for (QPointF at : places) {
        at.setX(std::clamp(at.x(), pinMargin,
                           std::max(pinMargin, widget.width() - pinMargin - size.width())));
        at.setY(std::clamp(at.y(), pinMargin,
                           std::max(pinMargin, widget.height() - pinMargin - size.height())));
        const QRectF card(at, size);
        // the box itself is worse to cover than its neighbours
        const double cost = covered(card, others) + 10 * covered(card, {box});
        if (cost < best.covered) best = {card, cost};
    }
    return best;
}

void paintPin(QPainter& painter, const QString& text, const QRectF& box, const QPalette& palette,
              const QFont& font, const QSizeF& widget, const std::vector<QRectF>& others) {
    if (!QRectF(QPointF(), widget).intersects(box)) return;
    const QFontMetricsF metrics(font);
    // at its preferred width, or as wide as the room beside the box
    PinPlace place{{}, std::numeric_limits<double>::max()};
    for (const double room :
         {widget.width() - 2 * pinMargin, widget.width() - pinMargin - box.right() - pinGap,
          box.left() - pinGap - pinMargin}) {
        const double width = std::min(widestPin, room);
        if (width < narrowestPin) continue;
        const QRectF words = metrics.boundingRect(
            QRectF(0, 0, width - 2 * pinPadding, widget.height()), Qt::TextWordWrap, text);
        const PinPlace found =
            placePin({words.width() + 2 * pinPadding + 2, words.height() + 2 * pinPadding}, box,
                     widget, others);
        if (found.covered < place.covered) place = found;
    }
    const QRectF card = place.card;
    if (card.isNull()) return;
    const ThemeColors& colors = themeColors(palette);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(colors.error, 1.5));
    const QPointF from(std::clamp(box.center().x(), card.left(), card.right()),
                       std::clamp(box.center().y(), card.top(), card.bottom()));
    const QPointF to(std::clamp(from.x(), box.left(), box.right()),
                     std::clamp(from.y(), box.top(), box.bottom()));
    painter.drawLine(from, to);
    painter.setBrush(colors.errorFill);
    painter.drawRoundedRect(card, 6, 6);
    painter.setFont(font);
    painter.setPen(palette.color(QPalette::WindowText));
    painter.drawText(card.adjusted(pinPadding, pinPadding, -pinPadding, -pinPadding),
                     Qt::TextWordWrap, text);
}

}  // namespace lapidary::views
