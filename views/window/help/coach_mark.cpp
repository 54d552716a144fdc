// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/help/coach_mark.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

#include "theme/theme.h"

namespace lapidary::views {
namespace {

constexpr int bubble_width = 300, gap = 12, border = 8, ring_room = 5;

}  // namespace

/// Lies over the whole window; clicks and keys go through it.
class CoachMark::Ring : public QWidget {
public:
    explicit Ring(QWidget* window) : QWidget(window) {
        setObjectName(QStringLiteral("coachRing"));
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setAttribute(Qt::WA_NoSystemBackground);
        setFocusPolicy(Qt::NoFocus);
        hide();
    }
    void surround(const QRect& area) {
        setGeometry(area.adjusted(-ring_room, -ring_room, ring_room, ring_room)
                        .intersected(parentWidget()->rect().adjusted(1, 1, -1, -1)));
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(themeColors(palette()).accent, 3));
        painter.drawRoundedRect(QRectF(rect()).adjusted(2, 2, -2, -2), 9, 9);
    }
};

CoachMark::CoachMark(QWidget* window)
    : QFrame(window), window_(window), ring_(new Ring(window)), text_(new QLabel),
      place_(new QLabel), next_(new QPushButton), end_(new QPushButton(tr("End the tour"))) {
    setObjectName(QStringLiteral("coachMark"));
    setAccessibleName(tr("Tour"));
    text_->setObjectName(QStringLiteral("coachText"));
    text_->setWordWrap(true);
    text_->setTextFormat(Qt::PlainText);
    place_->setForegroundRole(QPalette::PlaceholderText);
    next_->setObjectName(QStringLiteral("coachNext"));
    end_->setObjectName(QStringLiteral("coachEnd"));
    end_->setFlat(true);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(place_);
    buttons->addStretch(1);
    buttons->addWidget(end_);
    buttons->addWidget(next_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 14, 16, 12);
    column->setSpacing(10);
    column->addWidget(text_);
    column->addLayout(buttons);
    setFixedWidth(bubble_width + fontMetrics().averageCharWidth() * 4);
    connect(next_, &QPushButton::clicked, this, &CoachMark::nextRequested);
    connect(end_, &QPushButton::clicked, this, &CoachMark::endRequested);
    hide();
}

void CoachMark::showStep(const QString& text, const QString& place, const QString& next) {
    text_->setText(text);
    place_->setText(place);
    next_->setText(next);
    next_->setVisible(!next.isEmpty());
    setAccessibleDescription(text);
    setFixedHeight(heightForWidth(width()) > 0 ? heightForWidth(width()) : sizeHint().height());
    show();
    QAccessibleEvent said(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&said);
}

void CoachMark::pointAt(QWidget* target) {
    target_ = target && target->isVisible() ? target : nullptr;
    ring_->setVisible(target_ != nullptr && isVisible());
    if (!target_) {
        const QRect room = window_->rect();
        move(room.center() - rect().center());
        return raise();
    }
    const QRect area(target_->mapTo(window_, QPoint()), target_->size());
    ring_->surround(area);
    ring_->raise();
    setGeometry(placeFor(area));
    raise();
}

/// The place of the bubble: right of, below, above or left of the target, wherever there is room
/// first. If the target fills the window, in its lower right corner.
QRect CoachMark::placeFor(const QRect& target) const {
    const QRect room = window_->rect().adjusted(border, border, -border, -border);
    const QPoint spots[] = {{target.right() + gap, target.center().y() - height() / 2},
                            {target.center().x() - width() / 2, target.bottom() + gap},
                            {target.center().x() - width() / 2, target.top() - gap - height()},
                            {target.left() - gap - width(), target.center().y() - height() / 2}};
    const auto within = [&](QPoint at) {
        return QPoint(
            std::clamp(at.x(), room.left(), std::max(room.left(), room.right() - width())),
            std::clamp(at.y(), room.top(), std::max(room.top(), room.bottom() - height())));
    };
    for (const QPoint& spot : spots) {
        const QRect bubble(within(spot), size());
        if (!bubble.intersects(target)) return bubble;
    }
    return QRect(within(target.bottomRight() - QPoint(width() + 3 * gap, height() + 3 * gap)),
                 size());
}

void CoachMark::hideEvent(QHideEvent* event) {
    ring_->hide();
    QFrame::hideEvent(event);
}

void CoachMark::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const ThemeColors& colors = themeColors(palette());
    painter.setBrush(colors.infoFill);
    painter.setPen(QPen(colors.accent, 1.5));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 10, 10);
}

}  // namespace lapidary::views
