// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cards/card_button.h"

#include <QEvent>
#include <QPainter>

#include "theme/theme.h"

namespace lapidary::views {
namespace {

constexpr int padding = 12;
constexpr int card_icon_side = 24;
constexpr int gap = 12;

}  // namespace

CardButton::CardButton(const QIcon& icon, const QString& title, const QString& text,
                       QWidget* parent)
    : QAbstractButton(parent), text_(text) {
    setIcon(icon);
    setText(title);
    setAccessibleName(title);
    setAccessibleDescription(text);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

QSize CardButton::sizeHint() const { return {240, heightForWidth(240)}; }

QRect CardButton::titleRect(int width) const {
    const int left = padding + card_icon_side + 10;
    const QRect room(left, padding, width - left - padding, 10000);
    const QFontMetrics metrics(scaledFont(1.05, true));
    const int height = metrics.boundingRect(room, Qt::TextWordWrap, text()).height();
    return QRect(room.topLeft(), QSize(room.width(), qMax(height, metrics.height())));
}

QRect CardButton::textRect(int width) const {
    const QRect title = titleRect(width);
    return QRect(title.left(), title.bottom() + 4, title.width(), 10000);
}

int CardButton::heightForWidth(int width) const {
    const QRect bounds = fontMetrics().boundingRect(textRect(width), Qt::TextWordWrap, text_);
    return qMax(bounds.bottom() + 1 + padding, 2 * padding + card_icon_side + 8);
}

bool CardButton::event(QEvent* event) {
    if (event->type() == QEvent::Enter || event->type() == QEvent::Leave) update();
    return QAbstractButton::event(event);
}

void CardButton::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const ThemeColors& colors = themeColors(palette());
    const bool lit = isEnabled() && (underMouse() || hasFocus());
    QColor fill = colors.card;
    if (isDown()) fill = isDark(palette()) ? fill.darker(115) : fill.darker(104);
    painter.setBrush(fill);
    painter.setPen(QPen(lit ? colors.accent : colors.border, hasFocus() ? 2 : 1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 8, 8);
    icon().paint(&painter, QRect(padding, padding, card_icon_side, card_icon_side), Qt::AlignCenter,
                 isEnabled() ? QIcon::Normal : QIcon::Disabled);
    painter.setFont(scaledFont(1.05, true));
    painter.setPen(
        palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, QPalette::WindowText));
    painter.drawText(titleRect(width()), Qt::TextWordWrap, text());
    painter.setFont(font());
    painter.setPen(isEnabled() ? colors.mutedText
                               : palette().color(QPalette::Disabled, QPalette::WindowText));
    painter.drawText(textRect(width()), Qt::TextWordWrap, text_);
}

CardGrid::CardGrid(int minimumCardWidth, QWidget* parent)
    : QWidget(parent), minimumCardWidth_(minimumCardWidth) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void CardGrid::addCard(CardButton* card) {
    card->setParent(this);
    card->show();
    cards_.append(card);
    updateGeometry();
    arrange(width(), true);
}

/// Of the numbers of columns that fit, down to half of the most, the one with the fullest last row.
int CardGrid::columnsIn(int width) const {
    const int count = int(cards_.size()),
              most = qBound(1, (width + gap) / (minimumCardWidth_ + gap), count);
    int best = most;
    const auto inLastRow = [count](int columns) { return (count - 1) % columns + 1; };
    for (int columns = most; columns >= (most + 1) / 2; --columns)
        if (inLastRow(columns) * best > inLastRow(best) * columns) best = columns;
    return best;
}

int CardGrid::arrange(int width, bool apply) const {
    if (cards_.isEmpty()) return 0;
    const int columns = columnsIn(width);
    const int cardWidth = (width - gap * (columns - 1)) / columns;
    int y = 0;
    for (qsizetype first = 0; first < cards_.size(); first += columns) {
        const qsizetype last = qMin(first + columns, cards_.size());
        int height = 0;
        for (qsizetype i = first; i < last; ++i)
            height = qMax(height, cards_[i]->heightForWidth(cardWidth));
        if (apply)
            for (qsizetype i = first; i < last; ++i)
                cards_[i]->setGeometry(int(i - first) * (cardWidth + gap), y, cardWidth, height);
        y += height + gap;
    }
    return y - gap;
}

QSize CardGrid::sizeHint() const {
    return {minimumCardWidth_ * 3, heightForWidth(minimumCardWidth_ * 3)};
}

QSize CardGrid::minimumSizeHint() const { return {minimumCardWidth_, 0}; }

int CardGrid::heightForWidth(int width) const { return arrange(width, false); }

void CardGrid::resizeEvent(QResizeEvent*) { arrange(width(), true); }

}  // namespace lapidary::views
