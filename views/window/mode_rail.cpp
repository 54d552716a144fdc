// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/mode_rail.h"

#include <QEvent>
#include <QPainter>
#include <QStyleOptionFocusRect>
#include <QToolButton>

#include <algorithm>
#include <cmath>

#include "theme/theme.h"

namespace lapidary::views {
namespace {

constexpr int icon_side = 22;
constexpr int panel_icon_side = 16;
constexpr int rail_width = 76, widest_rail = 120;
constexpr int text_margin = 8;  // within the fill of the chosen page
constexpr double name_scale = 0.9;

}  // namespace

RailButton::RailButton(QAction* action, QWidget* parent)
    : QAbstractButton(parent), width_(rail_width) {
    setCheckable(true);
    setChecked(action->isChecked());
    QString name = action->text();
    setText(name.remove(QLatin1Char('&')));
    setIcon(action->icon());
    setAccessibleName(tr("Page %1").arg(name));
    const auto nameKey = [this, action, name] {
        const QString key = action->shortcut().toString(QKeySequence::NativeText);
        hint_ = key.isEmpty() ? name : QStringLiteral("%1 (%2)").arg(name, key);
        refreshTip();
    };
    nameKey();
    connect(action, &QAction::changed, this, nameKey);
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Maximum);
    setCursor(Qt::PointingHandCursor);
    const auto trigger = [action] {
        if (!action->isChecked()) action->trigger();
    };
    connect(this, &QAbstractButton::clicked, action, trigger);
    // screen readers toggle instead of clicking
    connect(this, &QAbstractButton::toggled, action, [this, trigger] {
        if (isChecked()) trigger();
    });
    connect(action, &QAction::toggled, this, &QAbstractButton::setChecked);
}

void RailButton::setBadge(int count, const QString& what, bool isWrong) {
    badge_ = count;
    isWrong_ = isWrong;
    what_ = count > 0 ? what : QString();
    setAccessibleDescription(what_);
    refreshTip();
    update();
}

void RailButton::refreshTip() {
    setToolTip(what_.isEmpty() ? hint_ : hint_ + QLatin1Char('\n') + what_);
}

QSize RailButton::sizeHint() const {
    return {width_, icon_side + QFontMetrics(labelFont(false)).height() + 24};
}

QSize RailButton::minimumSizeHint() const {
    return {width_, icon_side + QFontMetrics(labelFont(false)).height() + 8};
}

QFont RailButton::labelFont(bool bold) const {
    QFont font = scaledFont(name_scale, bold);
    font.setPointSizeF(font.pointSizeF() * shrink_);
    return font;
}

bool RailButton::event(QEvent* event) {
    if (event->type() == QEvent::Enter || event->type() == QEvent::Leave) update();
    return QAbstractButton::event(event);
}

void RailButton::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const ThemeColors& colors = themeColors(palette());
    const QRect body = rect().adjusted(6, 3, -6, -3);
    if (isChecked() || underMouse()) {
        QColor fill = colors.accent;
        fill.setAlpha(isChecked() ? 38 : 18);
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        painter.drawRoundedRect(body, 7, 7);
    }
    if (isChecked()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colors.accent);
        painter.drawRoundedRect(QRect(0, body.top() + 10, 3, body.height() - 20), 1.5, 1.5);
    }
    const QFont font = labelFont(isChecked());
    const int textHeight = QFontMetrics(font).height();
    const int top = body.top() + (body.height() - icon_side - 4 - textHeight) / 2;
    icon().paint(&painter, QRect((width() - icon_side) / 2, top, icon_side, icon_side));
    if (badge_ > 0) {
        const QFont small = scaledFont(0.75, true);
        const QString number = QString::number(badge_);
        const QFontMetrics metrics(small);
        QRectF pill(0, 0, qMax(metrics.horizontalAdvance(number) + 8, metrics.height()),
                    metrics.height());
        pill.moveCenter(QPointF((width() + icon_side) / 2.0 + 3, top + 3));
        painter.setPen(Qt::NoPen);
        painter.setBrush(isWrong_ ? colors.error : colors.accent);
        painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2);
        painter.setFont(small);
        painter.setPen(colors.onAccent);
        painter.drawText(pill, Qt::AlignCenter, number);
    }
    painter.setFont(font);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(QRect(0, top + icon_side + 4, width(), textHeight), Qt::AlignCenter, text());
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colors.accent, 1.5));
        painter.drawRoundedRect(body, 7, 7);
    }
}

ModeRail::ModeRail(QWidget* parent)
    : QFrame(parent), layout_(new QVBoxLayout(this)), panels_(new QHBoxLayout) {
    setObjectName(QStringLiteral("modeRail"));
    setAccessibleName(tr("Pages"));
    setFixedWidth(rail_width);
    layout_->setContentsMargins(0, 4, 0, 4);
    layout_->setSpacing(0);
    layout_->addStretch();
    panels_->setContentsMargins(0, 0, 0, 0);
    panels_->setSpacing(0);
    layout_->addLayout(panels_);
}

void ModeRail::addPage(QAction* action) {
    auto* button = new RailButton(action, this);
    button->setObjectName(QStringLiteral("rail_") + action->data().toString());
    constexpr int behind = 2;  // the stretch and the panels
    layout_->insertWidget(layout_->count() - behind, button, 0, Qt::AlignHCenter);
    fitNames();
}

void ModeRail::fitNames() {
    const auto buttons = findChildren<RailButton*>();
    const QFontMetricsF metrics(scaledFont(name_scale, true));
    double longest = 1;
    for (const RailButton* button : buttons)
        longest = std::max(longest, metrics.horizontalAdvance(button->text()));
    const int width =
        std::clamp(int(std::ceil(longest)) + 2 * text_margin, rail_width, widest_rail);
    const double shrink = std::min(1.0, (width - 2 * text_margin) / longest);
    setFixedWidth(width);
    for (RailButton* button : buttons) {
        button->width_ = width;
        button->shrink_ = shrink;
        button->updateGeometry();
        button->update();
    }
}

void ModeRail::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::FontChange) fitNames();
}

void ModeRail::addPanel(QAction* action) {
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setIconSize(QSize(panel_icon_side, panel_icon_side));
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::NoFocus);
    panels_->addWidget(button);
}

void ModeRail::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(themeColors(palette()).border);
    painter.drawLine(width() - 1, 0, width() - 1, height());
}

}  // namespace lapidary::views
