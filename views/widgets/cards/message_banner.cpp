// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cards/message_banner.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

#include "theme/theme.h"
#include "widgets/text/elided_label.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int banner_icon_side = 22;

}  // namespace

MessageBanner::MessageBanner(QWidget* parent)
    : QFrame(parent), icon_(new QLabel), title_(new ElidedLabel), text_(new QLabel),
      bar_(new QProgressBar),
      copy_(new QPushButton(themedIcon(QStringLiteral("copy")), tr("Copy details"))),
      cancel_(new QPushButton(themedIcon(QStringLiteral("cancel")), tr("Cancel"))),
      close_(new QToolButton) {
    setObjectName(QStringLiteral("messageBanner"));
    title_->setFont(scaledFont(1.0, true));
    text_->setTextFormat(Qt::PlainText);
    text_->setWordWrap(true);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    bar_->setMaximumWidth(220);
    bar_->setTextVisible(false);
    bar_->setAccessibleName(tr("Progress"));
    copy_->setToolTip(tr("Copy the whole message to the clipboard"));
    close_->setIcon(themedIcon(QStringLiteral("close")));
    close_->setAutoRaise(true);
    close_->setToolTip(tr("Dismiss this message"));
    close_->setAccessibleName(tr("Dismiss"));

    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(title_);
    words->addWidget(text_);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 8, 8, 8);
    row->setSpacing(10);
    row->addWidget(icon_, 0, Qt::AlignTop);
    row->addLayout(words, 1);
    row->addWidget(bar_);
    row->addWidget(copy_);
    row->addWidget(cancel_);
    row->addWidget(close_);
    connect(copy_, &QPushButton::clicked, this,
            [this] { QApplication::clipboard()->setText(details_); });
    connect(cancel_, &QPushButton::clicked, this, &MessageBanner::cancelRequested);
    connect(close_, &QToolButton::clicked, this, [this] {
        hide();
        emit dismissed();
    });
    hide();
}

void MessageBanner::showMessage(Kind kind, const QString& title, const QString& text,
                                const QString& details) {
    kind_ = kind;
    details_ = details;
    for (QPushButton* button : std::exchange(actions_, {})) button->deleteLater();
    title_->setText(labelText(title));
    text_->setText(sentenceText(text));
    text_->setVisible(!text.isEmpty());
    bar_->setVisible(kind == Kind::busy);
    cancel_->setVisible(kind == Kind::busy);
    copy_->setVisible(!details.isEmpty());
    close_->setVisible(kind != Kind::busy);
    setFraction(-1);
    setAccessibleName(text.isEmpty() ? labelText(title)
                                     : labelText(title) + QStringLiteral(" ") + tipText(text));
    updateIcon();
    show();
    update();
}

QPushButton* MessageBanner::addAction(const QString& icon, const QString& text,
                                      std::function<void()> pressed) {
    auto* button = new QPushButton(themedIcon(icon), text, this);
    auto* row = static_cast<QHBoxLayout*>(layout());
    row->insertWidget(row->indexOf(copy_), button);
    actions_.append(button);
    connect(button, &QPushButton::clicked, this, [this, pressed = std::move(pressed)] {
        hide();
        pressed();
    });
    return button;
}

void MessageBanner::setFraction(double fraction) {
    bar_->setRange(0, fraction < 0 ? 0 : 1000);
    if (fraction >= 0) bar_->setValue(int(fraction * 1000));
}

void MessageBanner::updateIcon() {
    const char* name = "info";
    if (kind_ == Kind::warning) name = "warning";
    if (kind_ == Kind::error) name = "error";
    if (kind_ == Kind::busy) name = "clock";
    icon_->setPixmap(themedIcon(QLatin1String(name))
                         .pixmap(QSize(banner_icon_side, banner_icon_side), devicePixelRatioF()));
}

void MessageBanner::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) updateIcon();
    QFrame::changeEvent(event);
}

void MessageBanner::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = themeColors(palette());
    QColor fill = colors.infoFill, edge = colors.accent;
    if (kind_ == Kind::warning) fill = colors.warningFill, edge = colors.warning;
    if (kind_ == Kind::error) fill = colors.errorFill, edge = colors.error;
    QPainter painter(this);
    painter.fillRect(rect(), fill);
    painter.fillRect(QRect(0, 0, 4, height()), edge);
}

}  // namespace lapidary::views
