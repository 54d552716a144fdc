// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cards/empty_state.h"

#include <QEvent>
#include <QVBoxLayout>

#include "theme/theme.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int empty_icon_side = 56;
constexpr int text_width = 460;

}  // namespace

EmptyState::EmptyState(QWidget* parent)
    : QWidget(parent), icon_(new QLabel), title_(new QLabel), text_(new QLabel),
      bar_(new QProgressBar), button_(new QPushButton) {
    title_->setFont(scaledFont(1.3, true));
    for (QLabel* label : {icon_, title_, text_}) {
        label->setAlignment(Qt::AlignCenter);
        label->setTextFormat(Qt::PlainText);
    }
    text_->setForegroundRole(QPalette::PlaceholderText);
    text_->setWordWrap(true);
    text_->setFixedWidth(text_width);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    bar_->setFixedWidth(280);
    bar_->setTextVisible(false);
    bar_->setAccessibleName(tr("Progress"));
    button_->setMinimumSize(160, button_->sizeHint().height() + 8);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(10);
    layout->addStretch(2);
    layout->addWidget(icon_, 0, Qt::AlignHCenter);
    layout->addWidget(title_, 0, Qt::AlignHCenter);
    layout->addWidget(text_, 0, Qt::AlignHCenter);
    layout->addWidget(bar_, 0, Qt::AlignHCenter);
    layout->addWidget(button_, 0, Qt::AlignHCenter);
    layout->addStretch(3);
    connect(button_, &QPushButton::clicked, this, &EmptyState::clicked);
    showProgress(false);
    setButton({}, {});
}

void EmptyState::setMessage(const QString& icon, const QString& title, const QString& text) {
    iconName_ = icon;
    title_->setText(sentenceText(title));
    text_->setText(sentenceText(text));
    // a centred label is not asked for it
    text_->setMinimumHeight(qMax(0, text_->heightForWidth(text_width)));
    setAccessibleName(labelText(title) + QLatin1Char(' ') + tipText(text));
    refreshIcon();
}

void EmptyState::setButton(const QString& icon, const QString& text) {
    button_->setVisible(!text.isEmpty());
    button_->setText(text);
    if (!icon.isEmpty()) button_->setIcon(themedIcon(icon));
}

void EmptyState::showProgress(bool shown) {
    bar_->setVisible(shown);
    setFraction(-1);
}

void EmptyState::setFraction(double fraction) {
    bar_->setRange(0, fraction < 0 ? 0 : 1000);
    if (fraction >= 0) bar_->setValue(int(fraction * 1000));
}

void EmptyState::refreshIcon() {
    if (!iconName_.isEmpty())
        icon_->setPixmap(themedIcon(iconName_, QPalette::PlaceholderText)
                             .pixmap(QSize(empty_icon_side, empty_icon_side), devicePixelRatioF()));
}

void EmptyState::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) refreshIcon();
    QWidget::changeEvent(event);
}

}  // namespace lapidary::views
