// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/answer_card.h"

#include <QPainter>
#include <QWidget>

#include "theme.h"

namespace lapidary::views {

void paintAnswerCard(QWidget& card) {
    QPainter painter(&card);
    painter.setRenderHint(QPainter::Antialiasing);
    const ThemeColors& colors = themeColors(card.palette());
    painter.setPen(colors.border);
    painter.setBrush(colors.card);
    painter.drawRoundedRect(QRectF(card.rect()).adjusted(8.5, 0.5, -8.5, -0.5), 8, 8);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.accent);
    painter.drawRoundedRect(QRectF(9, 8, 3, card.height() - 16), 1.5, 1.5);
}

}  // namespace lapidary::views
